// The activation of Curvature Tuning (arXiv 2502.07783, section 3):
//   phi(x) = c sigmoid(beta x / q) x + (1 - c) softplus(x / q) q,   q = 1 - beta + 1e-6,
// softplus linear above 20. One fused pass forward and one backward; only x is kept in between.
#pragma once

#include <ATen/core/Tensor.h>

namespace assay::curvature_tuning {

// What beta >= 1 means: the limit (ReLU), or the formula, whose 1e-6 keeps it finite.
enum class AtOne { relu, formula };

// beta and c are broadcast against x and of x's type: one element each, or one for each place of
// one axis (shapes as [1,C,1,1], [1,C], [1,1,C]; both alike). Float32 and float64 on the CPU take
// the fused path, anything else the composed one. Differentiable in x, beta and c, any number of
// times.
at::Tensor ctu(const at::Tensor& x, const at::Tensor& beta, const at::Tensor& c,
               AtOne at_one = AtOne::relu);

// The same formula out of LibTorch operations: the reference and the benchmark's peer.
at::Tensor ctu_composed(const at::Tensor& x, const at::Tensor& beta, const at::Tensor& c);

// For tests and benchmarks: which kernels run ("avx2" or "scalar"), and a switch to force scalar
// ones.
const char* ctu_kernels();
void force_scalar_kernels(bool force);

}  // namespace assay::curvature_tuning
