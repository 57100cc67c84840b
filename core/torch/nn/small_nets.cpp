// The small CNN, the perceptron, and low-rank adaptation.
#include "core/torch/nn/small_nets.h"

#include <fmt/core.h>
#include <torch/nn/functional/conv.h>
#include <torch/nn/init.h>
#include <torch/types.h>

#include <cmath>

#include "core/torch/nn/layers.h"
#include "core/torch/nn/lora.h"
#include "core/torch/nn/replace.h"

namespace assay::nn {
namespace {

class CnnBlock : public Host, public Layer {
 public:
  CnnBlock(std::int64_t in, std::int64_t out, std::int64_t stride) {
    place("conv", conv_, conv2d(in, out, 3, stride, 1));
    place("bn", bn_, batch_norm(out));
    place("relu", relu_, std::make_shared<Relu>(out));
  }
  at::Tensor forward(const at::Tensor& x) override {
    return relu_->forward(bn_->forward(conv_->forward(x)));
  }

 private:
  LayerPointer conv_, bn_, relu_;
};

}  // namespace

SmallCnn::SmallCnn(const SmallCnnOptions& options) : options_(options) {
  std::int64_t in = options.channels_in;
  for (std::size_t i = 0; i < options.widths.size(); ++i) {
    blocks_.push_back(std::make_unique<LayerPointer>());
    place(fmt::format("block{}", i), *blocks_.back(),
          std::make_shared<CnnBlock>(in, options.widths[i], i == 0 ? 1 : 2));
    in = options.widths[i];
  }
  place("fc", fc_, linear(in, options.classes));
}

at::Tensor SmallCnn::features(const at::Tensor& images) {
  at::Tensor y = images;
  for (const auto& block : blocks_) y = (*block)->forward(y);
  return y.mean({2, 3});
}

Mlp::Mlp(const MlpOptions& options) {
  std::int64_t in = options.in;
  for (int i = 0; i < options.depth; ++i) {
    layers_.push_back(std::make_unique<LayerPointer>());
    place(fmt::format("layer{}", i), *layers_.back(), linear(in, options.width));
    in = options.width;
  }
  place("nonlinearity", nonlinearity_, std::make_shared<Relu>(options.width, 2));
  place("output_layer", output_layer_, linear(in, options.out));
}

at::Tensor Mlp::forward(const at::Tensor& x) {
  at::Tensor y = x;
  for (const auto& layer : layers_) y = nonlinearity_->forward((*layer)->forward(y));
  return output_layer_->forward(y);
}

namespace {

// B by kaiming_uniform(a = sqrt 5) of its own shape, A zero.
void fresh_factors(at::Tensor& a, at::Tensor& b) {
  torch::nn::init::kaiming_uniform_(b, std::sqrt(5.0));
  torch::nn::init::zeros_(a);
}

}  // namespace

LoraLinear::LoraLinear(std::shared_ptr<Linear> original, const LoraOptions& options)
    : original_(std::move(original)), scale_(options.alpha / static_cast<double>(options.rank)) {
  register_module("original_layer", original_);
  set_trainable(*original_, false);
  const at::Tensor& weight = original_->weight;
  A = register_parameter("A", at::empty({options.rank, weight.size(1)}, weight.options()));
  B = register_parameter("B", at::empty({weight.size(0), options.rank}, weight.options()));
  fresh_factors(A, B);
}

at::Tensor LoraLinear::forward(const at::Tensor& x) {
  return original_->forward(x) + scale_ * at::linear(at::linear(x, A), B);
}

LoraConv2d::LoraConv2d(std::shared_ptr<Conv2d> original, const LoraOptions& options)
    : original_(std::move(original)), scale_(options.alpha / static_cast<double>(options.rank)) {
  register_module("original_layer", original_);
  set_trainable(*original_, false);
  const at::Tensor& weight = original_->weight;
  const std::int64_t fan = weight.size(1) * weight.size(2) * weight.size(3);
  A = register_parameter("A", at::empty({options.rank, fan}, weight.options()));
  B = register_parameter("B", at::empty({weight.size(0), options.rank}, weight.options()));
  fresh_factors(A, B);
}

at::Tensor LoraConv2d::forward(const at::Tensor& x) {
  // W + s B A as one kernel: one convolution, however large the images are.
  const at::Tensor& weight = original_->weight;
  const at::Tensor kernel = weight + scale_ * at::matmul(B, A).view(weight.sizes());
  const auto& options = original_->options;
  const auto* padding = get_if<torch::ExpandingArray<2>>(&options.padding());
  TORCH_INTERNAL_ASSERT(padding != nullptr, "convolutions here have numeric padding");
  return at::conv2d(x, kernel, original_->bias, options.stride(), *padding, options.dilation(),
                    options.groups());
}

int wrap_with_lora(torch::nn::Module& root, const LoraOptions& options,
                   const std::function<bool(const std::string& path)>& skip) {
  set_trainable(root, false);
  return replace_layers(root,
                        [&](const std::string& path, const LayerPointer& old) -> LayerPointer {
                          if (skip && skip(path)) return nullptr;
                          if (auto one = std::dynamic_pointer_cast<Linear>(old)) {
                            return std::make_shared<LoraLinear>(std::move(one), options);
                          }
                          if (auto one = std::dynamic_pointer_cast<Conv2d>(old)) {
                            return std::make_shared<LoraConv2d>(std::move(one), options);
                          }
                          return nullptr;
                        });
}

}  // namespace assay::nn
