// The arithmetic of the fused activation on plain arrays: no LibTorch, so that it can be read,
// tested and compiled alone. Private to the plugin's model.
//
// With r = 1 / (1 + exp(-|z|)) and e = exp(-|z|), sigmoid(z) is r for z >= 0 and e r below; writing
// both parts of phi as their gap to max(x, 0) removes every cancellation:
//   phi      = max(x,0) - c |x| e1 r1 + (1-c) q l          t = beta x / q, e1, r1 of t
//   phi'     = c (sigma(t) + t e1 r1^2) + (1-c) sigma(u)   u = x / q,      e2, r2 of u
//   dphi/dc  = -(|x| e1 r1 + q l)                          l = log(1 + e2)
//   dphi/dbeta = c e1 r1^2 u^2 (q + beta) - (1-c) (|u| e2 r2 + l)      (dq/dbeta = -1)
#pragma once

#include <cstdint>
#include <vector>

namespace assay::curvature_tuning {

// beta, c and what follows from them, one entry a unit. Units of beta >= `relu_from` are ReLU.
template <class Real>
struct CtuUnits {
  std::vector<Real> beta, c, q, inverse_q, eta;
  Real relu_from = 0;
  CtuUnits(const Real* beta, const Real* c, std::int64_t count, bool relu_at_one);
  std::int64_t count() const { return static_cast<std::int64_t>(beta.size()); }
};

// A run: `n` neighbouring elements of one unit.
template <class Real>
struct CtuRun {
  const Real* x;
  const Real* gradient;  // of y; unused forward
  Real* out;             // y forward, the gradient of x backward
  std::int64_t n;
  std::int64_t unit;
};
// Rows of one element a unit each: element (row, unit) at row * units.count() + unit.
template <class Real>
struct CtuRows {
  const Real* x;
  const Real* gradient;
  Real* out;
  std::int64_t rows;
};
// Where a backward pass adds the parameters' gradients: one element for a run, one a unit for rows;
// null when nobody asked for them.
struct CtuSums {
  double* beta = nullptr;
  double* c = nullptr;
};

template <class Real>
struct CtuKernels {
  const char* name;
  void (*forward_run)(const CtuUnits<Real>&, const CtuRun<Real>&);
  void (*backward_run)(const CtuUnits<Real>&, const CtuRun<Real>&, const CtuSums&);
  void (*forward_rows)(const CtuUnits<Real>&, const CtuRows<Real>&);
  void (*backward_rows)(const CtuUnits<Real>&, const CtuRows<Real>&, const CtuSums&);
};

const CtuKernels<float>& scalar_kernels_f32();
const CtuKernels<double>& scalar_kernels_f64();
// Null where the machine (or the compiler) has no AVX2 with FMA.
const CtuKernels<float>* avx2_kernels_f32();

}  // namespace assay::curvature_tuning
