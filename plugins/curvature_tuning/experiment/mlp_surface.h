// A perceptron's output together with its first and second derivatives in the input, carried
// forward through the layers: no graph, one pass for thousands of points.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace torch::nn {
class Module;
}

namespace assay::curvature_tuning {

// Effective weights of an nn::Mlp, whatever stands in its places: plain or with LoRA of scale 1.
struct MlpWeights {
  std::vector<at::Tensor> weights, biases;  // the output layer is the last
};
MlpWeights weights_of(const torch::nn::Module& mlp);

// What the activations do; one element each, or one a unit. ReLU where beta is 1 or more.
struct Bend {
  at::Tensor beta, c;
};
Bend bend_of(double beta, double c);

// phi, phi', phi'' by their closed forms (float32): for the same x three tensors of its shape.
struct Jet {
  at::Tensor value, slope, curvature;
};
Jet activation_jet(const at::Tensor& x, const Bend& bend);

// For inputs [n, d]: the output [n], gradient [n, d] and Hessian [n, d, d].
struct Surface {
  at::Tensor value, gradient, hessian;
  at::Tensor hessian_norm() const;      // [n], Frobenius
  at::Tensor normal_curvature() const;  // [n], second derivative along the gradient's direction
};
Surface surface_of(const MlpWeights& weights, const Bend& bend, const at::Tensor& inputs);

}  // namespace assay::curvature_tuning
