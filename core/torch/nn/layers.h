// LibTorch's own layers as Layers, so that they can stand in a Host's places.
#pragma once

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/pooling.h>

#include <cstdint>
#include <memory>
#include <ostream>

#include "core/torch/nn/layer.h"

namespace assay::nn {

template <class Implementation>
class LayerOf : public Implementation, public Layer {
 public:
  using Implementation::Implementation;
  at::Tensor forward(const at::Tensor& x) override { return Implementation::forward(x); }
  // LibTorch does not export its own for every layer, and a derived class needs it to link.
  void pretty_print(std::ostream& stream) const override { stream << this->name(); }
};

using Linear = LayerOf<torch::nn::LinearImpl>;
using Conv2d = LayerOf<torch::nn::Conv2dImpl>;
using MaxPool2d = LayerOf<torch::nn::MaxPool2dImpl>;
using AdaptiveAvgPool2d = LayerOf<torch::nn::AdaptiveAvgPool2dImpl>;

// Batch normalisation over axis 1 of a 4-D input, with torchvision's names, momentum 0.1 and
// epsilon 1e-5. Of our own, since Debian's LibTorch hides a base class of its BatchNorm2d that a
// derived class must link.
class BatchNorm2d : public torch::nn::Module, public Layer {
 public:
  explicit BatchNorm2d(std::int64_t channels);
  at::Tensor forward(const at::Tensor& x) override;
  at::Tensor weight, bias;                                    // parameters
  at::Tensor running_mean, running_var, num_batches_tracked;  // buffers
};

// A square convolution without the options' ceremony.
std::shared_ptr<Conv2d> conv2d(std::int64_t in, std::int64_t out, std::int64_t kernel,
                               std::int64_t stride = 1, std::int64_t padding = 0,
                               bool bias = false);
std::shared_ptr<Linear> linear(std::int64_t in, std::int64_t out, bool bias = true);
std::shared_ptr<BatchNorm2d> batch_norm(std::int64_t channels);

}  // namespace assay::nn
