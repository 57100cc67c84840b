// Low-rank adaptation (Hu et al. 2021) of linear and convolution layers: y = W x + (alpha/r) B A x.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/torch/nn/layers.h"

namespace assay::nn {

struct LoraOptions {
  std::int64_t rank = 1;
  double alpha = 1.0;
};

// Keeps the wrapped layer frozen under `original_layer`; trains A [r, in] and B [out, r]. One of
// the factors starts at zero, so the wrapped layer's output is unchanged: here A, with B
// kaiming_uniform(a = sqrt 5), from the default generator.
class LoraLinear : public Host, public Layer {
 public:
  LoraLinear(std::shared_ptr<Linear> original, const LoraOptions& options);
  at::Tensor forward(const at::Tensor& x) override;
  at::Tensor A, B;

 private:
  std::shared_ptr<Linear> original_;
  double scale_;
};

// The kernel is taken as a matrix [out, in * kh * kw]: A [r, in*kh*kw], B [out, r].
class LoraConv2d : public Host, public Layer {
 public:
  LoraConv2d(std::shared_ptr<Conv2d> original, const LoraOptions& options);
  at::Tensor forward(const at::Tensor& x) override;
  at::Tensor A, B;

 private:
  std::shared_ptr<Conv2d> original_;
  double scale_;
};

// Freezes every parameter of `root`, then wraps every Linear and Conv2d but those that `skip` names
// (null: none). Returns how many were wrapped.
int wrap_with_lora(torch::nn::Module& root, const LoraOptions& options,
                   const std::function<bool(const std::string& path)>& skip = nullptr);

}  // namespace assay::nn
