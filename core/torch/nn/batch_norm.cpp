// Batch normalisation with torchvision's names for its parameters and buffers.
#include <torch/types.h>

#include "core/torch/nn/layers.h"

namespace assay::nn {

BatchNorm2d::BatchNorm2d(std::int64_t channels)
    : torch::nn::Module("BatchNorm2d"),
      weight(register_parameter("weight", torch::ones({channels}))),
      bias(register_parameter("bias", torch::zeros({channels}))),
      running_mean(register_buffer("running_mean", torch::zeros({channels}))),
      running_var(register_buffer("running_var", torch::ones({channels}))),
      num_batches_tracked(
          register_buffer("num_batches_tracked", torch::tensor(std::int64_t{0}, torch::kLong))) {}

at::Tensor BatchNorm2d::forward(const at::Tensor& x) {
  if (is_training()) num_batches_tracked.add_(1);
  return at::batch_norm(x, weight, bias, running_mean, running_var, is_training(),
                        /*momentum=*/0.1, /*eps=*/1e-5, /*cudnn_enabled=*/true);
}

}  // namespace assay::nn
