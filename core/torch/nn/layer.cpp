// Places, sequences, and the walk that exchanges what stands in them.
#include "core/torch/nn/layer.h"

#include <torch/types.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/torch/nn/replace.h"

namespace assay::nn {

std::shared_ptr<torch::nn::Module> module_of(const LayerPointer& layer) {
  auto module = std::dynamic_pointer_cast<torch::nn::Module>(layer);
  TORCH_INTERNAL_ASSERT(module, "a layer must be a module");
  return module;
}

std::vector<std::string> Host::places() const {
  std::vector<std::string> names;
  for (const Place& place : places_) names.push_back(place.name);
  return names;
}

const LayerPointer& Host::at_place(const std::string& name) const {
  const auto found = std::find_if(places_.begin(), places_.end(),
                                  [&](const Place& place) { return place.name == name; });
  TORCH_INTERNAL_ASSERT(found != places_.end(), "no place named ", name);
  return *found->member;
}

void Host::put_in_place(const std::string& name, LayerPointer layer) {
  const auto found = std::find_if(places_.begin(), places_.end(),
                                  [&](const Place& place) { return place.name == name; });
  TORCH_INTERNAL_ASSERT(found != places_.end(), "no place named ", name);
  const auto module = module_of(layer);
  module->train(module_of(*found->member)->is_training());
  replace_module(name, module);
  *found->member = std::move(layer);
}

void Host::place(const std::string& name, LayerPointer& member, LayerPointer layer) {
  register_module(name, module_of(layer));
  member = std::move(layer);
  places_.push_back({name, &member});
}

Sequence::Sequence(const std::vector<LayerPointer>& layers) {
  for (const LayerPointer& layer : layers) add(layer);
}

Sequence& Sequence::add(LayerPointer layer) {
  return add_at(std::to_string(layers_.size()), std::move(layer));
}

Sequence& Sequence::add_at(const std::string& name, LayerPointer layer) {
  layers_.push_back(std::make_unique<LayerPointer>());
  place(name, *layers_.back(), std::move(layer));
  return *this;
}

at::Tensor Sequence::forward(const at::Tensor& x) {
  at::Tensor y = x;
  for (const auto& layer : layers_) y = (*layer)->forward(y);
  return y;
}

at::Tensor Relu::forward(const at::Tensor& x) {
  return at::relu(x);
}

void Relu::pretty_print(std::ostream& stream) const {
  stream << "Relu(" << channels_ << ")";
}

namespace {

struct Walk {
  const LayerFactory& factory;
  std::map<const Layer*, LayerPointer> answers;  // null: left as it is
  std::vector<LayerPointer> kept;                // keeps the exchanged ones' addresses from reuse
  int exchanged = 0;

  void visit(torch::nn::Module& module, const std::string& path) {
    auto* host = dynamic_cast<Host*>(&module);
    for (const auto& child : module.named_children()) {
      const std::string full = path.empty() ? child.key() : path + "." + child.key();
      const auto layer = std::dynamic_pointer_cast<Layer>(child.value());
      if (host == nullptr || !layer || !visit_place(*host, child.key(), full, layer)) {
        visit(*child.value(), full);
      }
    }
  }

  // True when the layer was exchanged.
  bool visit_place(Host& host, const std::string& name, const std::string& full,
                   const LayerPointer& layer) {
    const std::vector<std::string> places = host.places();
    if (std::find(places.begin(), places.end(), name) == places.end()) return false;
    const auto known = answers.find(layer.get());
    LayerPointer answer = known != answers.end() ? known->second : factory(full, layer);
    if (known == answers.end()) {
      answers.emplace(layer.get(), answer);
      kept.push_back(layer);
      if (answer) ++exchanged;
    }
    if (!answer) return false;
    host.put_in_place(name, std::move(answer));
    return true;
  }
};

}  // namespace

int replace_layers(torch::nn::Module& root, const LayerFactory& factory) {
  Walk walk{factory, {}, {}, 0};
  walk.visit(root, "");
  return walk.exchanged;
}

std::int64_t trainable_count(const torch::nn::Module& module) {
  std::vector<const void*> seen;
  std::int64_t count = 0;
  for (const at::Tensor& parameter : module.parameters()) {
    const void* identity = parameter.unsafeGetTensorImpl();
    if (!parameter.requires_grad() || std::count(seen.begin(), seen.end(), identity) > 0) continue;
    seen.push_back(identity);
    count += parameter.numel();
  }
  return count;
}

void set_trainable(torch::nn::Module& module, bool trainable) {
  for (at::Tensor& parameter : module.parameters()) parameter.requires_grad_(trainable);
}

}  // namespace assay::nn
