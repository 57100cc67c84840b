// The shape of every net here: layers of one tensor in and one out, held in named places whose
// content can be exchanged. LibTorch's C++ modules hold typed children, so exchanging one there
// would not reach forward(); a Host's children are reached through the base class, and so it does.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay::nn {

// One tensor in, one out. A layer is always a torch::nn::Module too (module_of).
class Layer {
 public:
  virtual ~Layer() = default;
  virtual at::Tensor forward(const at::Tensor& x) = 0;
};
using LayerPointer = std::shared_ptr<Layer>;

// The layer as a module. Asserts that it is one.
std::shared_ptr<torch::nn::Module> module_of(const LayerPointer& layer);

// A module whose layers sit in exchangeable places. Derived classes hold a LayerPointer member for
// each place and hand it to place(); forward() calls through the member.
class Host : public torch::nn::Module {
 public:
  using torch::nn::Module::Module;
  // The names of the places, in the order they were made.
  std::vector<std::string> places() const;
  const LayerPointer& at_place(const std::string& name) const;  // asserts that the place exists
  // Puts another layer there: seen by forward(), parameters(), state and train()/eval() alike. The
  // new layer takes over the old one's train/eval mode. Asserts that the place exists.
  void put_in_place(const std::string& name, LayerPointer layer);

 protected:
  // `member` must live as long as the host; registers `layer` as child `name`.
  void place(const std::string& name, LayerPointer& member, LayerPointer layer);

 private:
  struct Place {
    std::string name;
    LayerPointer* member;
  };
  std::vector<Place> places_;
};

// Layers after one another, named "0", "1", ... as in torch::nn::Sequential (an absent layer of the
// original, such as a dropout of rate 0, may be skipped by add_at).
class Sequence : public Host, public Layer {
 public:
  explicit Sequence(const std::vector<LayerPointer>& layers = {});
  Sequence& add(LayerPointer layer);  // under the next number
  Sequence& add_at(const std::string& name, LayerPointer layer);
  bool empty() const { return layers_.empty(); }
  at::Tensor forward(const at::Tensor& x) override;

 private:
  std::vector<std::unique_ptr<LayerPointer>> layers_;  // addresses stay when more are added
};

// max(x, 0), and the facts about its place that a replacement may need.
class Relu : public torch::nn::Module, public Layer {
 public:
  // `channels` of its input (axis 1 of a 4-D input, the last of a 2- or 3-D one) and the `rank` of
  // its input.
  explicit Relu(std::int64_t channels, int rank = 4) : channels_(channels), rank_(rank) {}
  std::int64_t channels() const { return channels_; }
  int rank() const { return rank_; }
  at::Tensor forward(const at::Tensor& x) override;
  void pretty_print(std::ostream& stream) const override;

 private:
  std::int64_t channels_;
  int rank_;
};

}  // namespace assay::nn
