#include "plugins/curvature_tuning/experiment/mlp_surface.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/module.h>

namespace assay::curvature_tuning {
namespace {

at::Tensor effective_weight(const torch::OrderedDict<std::string, at::Tensor>& parameters,
                            const std::string& layer) {
  if (const at::Tensor* plain = parameters.find(layer + ".weight")) return plain->detach();
  const at::Tensor& original = parameters[layer + ".original_layer.weight"];
  return original.detach() +
         at::matmul(parameters[layer + ".B"].detach(), parameters[layer + ".A"].detach());
}

at::Tensor effective_bias(const torch::OrderedDict<std::string, at::Tensor>& parameters,
                          const std::string& layer) {
  if (const at::Tensor* plain = parameters.find(layer + ".bias")) return plain->detach();
  return parameters[layer + ".original_layer.bias"].detach();
}

}  // namespace

MlpWeights weights_of(const torch::nn::Module& mlp) {
  const auto parameters = mlp.named_parameters();
  MlpWeights result;
  const auto add = [&](const std::string& layer) {
    result.weights.push_back(effective_weight(parameters, layer));
    result.biases.push_back(effective_bias(parameters, layer));
  };
  for (int i = 0;; ++i) {
    const std::string layer = fmt::format("layer{}", i);
    const bool there = parameters.contains(layer + ".weight") ||
                       parameters.contains(layer + ".original_layer.weight");
    if (!there) break;
    add(layer);
  }
  add("output_layer");
  return result;
}

Bend bend_of(double beta, double c) {
  return {at::full({1}, beta, at::kFloat), at::full({1}, c, at::kFloat)};
}

Jet activation_jet(const at::Tensor& x, const Bend& bend) {
  if (bend.beta.ge(1.0).all().item<bool>()) {
    return {at::relu(x), x.gt(0).to(x.scalar_type()), at::zeros_like(x)};
  }
  const at::Tensor& c = bend.c;
  const at::Tensor q = 1.0 - bend.beta + 1e-6;
  const at::Tensor u = x / q;
  const at::Tensor s1 = at::sigmoid(bend.beta * u);
  const at::Tensor s2 = at::sigmoid(u);
  const at::Tensor d1 = s1 * (1.0 - s1);
  const at::Tensor t = bend.beta * u;
  Jet jet;
  jet.value = c * s1 * x + (1.0 - c) * q * at::softplus(u);
  jet.slope = c * (s1 + t * d1) + (1.0 - c) * s2;
  jet.curvature =
      (c * bend.beta * d1 * (2.0 + t * (1.0 - 2.0 * s1)) + (1.0 - c) * s2 * (1.0 - s2)) / q;
  const at::Tensor relu = bend.beta.ge(1.0);
  if (!relu.any().item<bool>()) return jet;
  jet.value = at::where(relu, at::relu(x), jet.value);
  jet.slope = at::where(relu, x.gt(0).to(x.scalar_type()), jet.slope);
  jet.curvature = at::where(relu, at::zeros_like(x), jet.curvature);
  return jet;
}

// With z = W a + b: dz = W da, ddz = W dda. With a = phi(z): da = phi' dz and
// dda_ij = phi' ddz_ij + phi'' dz_i dz_j.
Surface surface_of(const MlpWeights& weights, const Bend& bend, const at::Tensor& inputs) {
  const at::NoGradGuard no_gradient;
  const std::int64_t dimensions = inputs.size(1);
  const std::int64_t count = inputs.size(0);
  const auto pairs = dimensions * (dimensions + 1) / 2;
  // Rows of one matrix, block by block: value, first derivatives, second ones. So a layer is one
  // product.
  at::Tensor blocks;
  for (std::size_t layer = 0; layer < weights.weights.size(); ++layer) {
    const at::Tensor weight = weights.weights[layer];
    if (layer == 0) {
      blocks = at::zeros({1 + dimensions + pairs, count, weight.size(0)}, weight.options());
      blocks[0].copy_(at::linear(inputs, weight, weights.biases[0]));
      for (std::int64_t d = 0; d < dimensions; ++d) blocks[1 + d].copy_(weight.select(1, d));
    } else {
      blocks = at::matmul(blocks, weight.t());
      blocks[0].add_(weights.biases[layer]);
    }
    if (layer + 1 == weights.weights.size()) break;

    const Jet jet = activation_jet(blocks[0], bend);
    at::Tensor next = at::empty_like(blocks);
    next[0].copy_(jet.value);
    const std::int64_t first = 1;
    for (std::int64_t d = 0; d < dimensions; ++d) {
      next[first + d].copy_(jet.slope * blocks[first + d]);
    }
    std::int64_t pair = first + dimensions;
    for (std::int64_t i = 0; i < dimensions; ++i) {
      for (std::int64_t j = i; j < dimensions; ++j, ++pair) {
        next[pair].copy_(jet.slope * blocks[pair] +
                         jet.curvature * blocks[first + i] * blocks[first + j]);
      }
    }
    blocks = next;
  }
  const at::Tensor out = blocks.squeeze(2);  // [1 + d + pairs, n]
  Surface surface;
  surface.value = out[0];
  surface.gradient = out.slice(0, 1, 1 + dimensions).t().contiguous();
  surface.hessian = at::empty({count, dimensions, dimensions}, out.options());
  std::int64_t pair = 1 + dimensions;
  for (std::int64_t i = 0; i < dimensions; ++i) {
    for (std::int64_t j = i; j < dimensions; ++j, ++pair) {
      surface.hessian.select(1, i).select(1, j).copy_(out[pair]);
      surface.hessian.select(1, j).select(1, i).copy_(out[pair]);
    }
  }
  return surface;
}

at::Tensor Surface::hessian_norm() const {
  return hessian.square().sum({1, 2}).sqrt();
}

at::Tensor Surface::normal_curvature() const {
  const at::Tensor along = at::matmul(hessian, gradient.unsqueeze(2)).squeeze(2);
  const at::Tensor square = gradient.square().sum(1);
  return (along * gradient).sum(1) / square.clamp_min(1e-12);
}

}  // namespace assay::curvature_tuning
