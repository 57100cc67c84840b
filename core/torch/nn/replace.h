// A walk over a net that exchanges layers for what a factory makes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/torch/nn/layer.h"

namespace assay::nn {

// Gets the layer's full name ("layer1.0.relu") and the layer; returns the one to put in its place,
// or null to leave it. What it returned is not walked into; what it left is, if it is a Host.
using LayerFactory = std::function<LayerPointer(const std::string& path, const LayerPointer& old)>;

// Walks every place of every Host below `root` in order of registration. A layer that sits in
// several places (one object) is offered once and exchanged everywhere. Returns how many different
// layers were exchanged.
int replace_layers(torch::nn::Module& root, const LayerFactory& factory);

// Exchanges every layer of type Kind: factory(path, Kind&) -> LayerPointer.
template <class Kind, class Factory>
int replace_every(torch::nn::Module& root, Factory factory) {
  return replace_layers(root,
                        [&](const std::string& path, const LayerPointer& old) -> LayerPointer {
                          const auto kind = std::dynamic_pointer_cast<Kind>(old);
                          return kind ? LayerPointer(factory(path, *kind)) : nullptr;
                        });
}

// Every layer of type Kind in a place below `root`, once each, with its full name.
template <class Kind>
std::vector<std::pair<std::string, std::shared_ptr<Kind>>> find_every(torch::nn::Module& root) {
  std::vector<std::pair<std::string, std::shared_ptr<Kind>>> found;
  replace_layers(root, [&](const std::string& path, const LayerPointer& old) -> LayerPointer {
    if (auto kind = std::dynamic_pointer_cast<Kind>(old)) found.emplace_back(path, std::move(kind));
    return nullptr;
  });
  return found;
}

// Elements of parameters that ask for a gradient; shared ones count once.
std::int64_t trainable_count(const torch::nn::Module& module);
void set_trainable(torch::nn::Module& module, bool trainable);  // every parameter

}  // namespace assay::nn
