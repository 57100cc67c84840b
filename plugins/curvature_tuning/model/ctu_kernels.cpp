// The scalar kernels: every type, every machine.
#include "plugins/curvature_tuning/model/ctu_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::curvature_tuning {
namespace {

// Beyond this |u| every exponential is zero; keeps u*u finite in float32.
template <class Real>
constexpr Real largest_argument = Real(1e18);
// Above it softplus is linear, as in the released code.
template <class Real>
constexpr Real softplus_threshold = Real(20);

template <class Real>
struct Parts {
  Real size;            // |x|, finite
  Real t, u;            // |beta x / q|, |x / q|
  Real e1, r1, e2, r2;  // exponentials and 1 / (1 + exponential)
  Real l;               // log(1 + e2)
};

template <class Real>
Real keep_finite(Real value, Real limit) {
  return value > limit ? limit : value;  // NaN stays NaN
}

template <class Real>
Parts<Real> parts_of(const CtuUnits<Real>& units, std::size_t unit, Real x) {
  Parts<Real> p;
  p.size = keep_finite(std::abs(x), std::numeric_limits<Real>::max());
  p.t = keep_finite(p.size * units.eta[unit], largest_argument<Real>);
  p.u = keep_finite(p.size * units.inverse_q[unit], largest_argument<Real>);
  p.e1 = std::exp(-p.t);
  p.r1 = Real(1) / (Real(1) + p.e1);
  p.e2 = std::exp(-p.u);
  if (x > 0 && p.u > softplus_threshold<Real>) p.e2 = 0;
  p.r2 = Real(1) / (Real(1) + p.e2);
  p.l = std::log1p(p.e2);
  return p;
}

template <class Real>
Real value_of(const CtuUnits<Real>& units, std::size_t unit, Real x) {
  const Real ramp = x < 0 ? Real(0) : x;
  if (units.beta[unit] >= units.relu_from) return ramp;
  const Parts<Real> p = parts_of(units, unit, x);
  const Real c = units.c[unit];
  return ramp - c * p.size * p.e1 * p.r1 + (Real(1) - c) * units.q[unit] * p.l;
}

template <class Real>
struct Slopes {
  Real x, beta, c;
};

template <class Real>
Slopes<Real> slopes_of(const CtuUnits<Real>& units, std::size_t unit, Real x) {
  if (units.beta[unit] >= units.relu_from) return {x <= 0 ? Real(0) : Real(1), 0, 0};
  const Parts<Real> p = parts_of(units, unit, x);
  const Real c = units.c[unit];
  const bool negative = x < 0;
  const Real bump = p.e1 * p.r1 * p.r1;  // sigma(t) (1 - sigma(t))
  const Real sigma1 = negative ? p.e1 * p.r1 : p.r1;
  const Real sigma2 = negative ? p.e2 * p.r2 : p.r2;
  const Real signed_t = negative ? -p.t : p.t;
  Slopes<Real> s;
  s.x = c * (sigma1 + signed_t * bump) + (Real(1) - c) * sigma2;
  s.beta = c * bump * p.u * p.u * (units.q[unit] + units.beta[unit]) -
           (Real(1) - c) * (p.u * p.e2 * p.r2 + p.l);
  s.c = -(p.size * p.e1 * p.r1 + units.q[unit] * p.l);
  return s;
}

template <class Real>
void forward_run(const CtuUnits<Real>& units, const CtuRun<Real>& run) {
  const auto unit = static_cast<std::size_t>(run.unit);
  for (std::int64_t i = 0; i < run.n; ++i) run.out[i] = value_of(units, unit, run.x[i]);
}

template <class Real>
void backward_run(const CtuUnits<Real>& units, const CtuRun<Real>& run, const CtuSums& sums) {
  const auto unit = static_cast<std::size_t>(run.unit);
  double beta = 0.0, c = 0.0;
  for (std::int64_t i = 0; i < run.n; ++i) {
    const Slopes<Real> s = slopes_of(units, unit, run.x[i]);
    const Real g = run.gradient[i];
    run.out[i] = g * s.x;
    beta += static_cast<double>(g * s.beta);
    c += static_cast<double>(g * s.c);
  }
  if (sums.beta == nullptr) return;
  *sums.beta += beta;
  *sums.c += c;
}

template <class Real>
void forward_rows(const CtuUnits<Real>& units, const CtuRows<Real>& rows) {
  const std::int64_t count = units.count();
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    for (std::int64_t u = 0; u < count; ++u) {
      const std::int64_t i = row * count + u;
      rows.out[i] = value_of(units, static_cast<std::size_t>(u), rows.x[i]);
    }
  }
}

template <class Real>
void backward_rows(const CtuUnits<Real>& units, const CtuRows<Real>& rows, const CtuSums& sums) {
  const std::int64_t count = units.count();
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    for (std::int64_t u = 0; u < count; ++u) {
      const std::int64_t i = row * count + u;
      const Slopes<Real> s = slopes_of(units, static_cast<std::size_t>(u), rows.x[i]);
      const Real g = rows.gradient[i];
      rows.out[i] = g * s.x;
      if (sums.beta == nullptr) continue;
      sums.beta[u] += static_cast<double>(g * s.beta);
      sums.c[u] += static_cast<double>(g * s.c);
    }
  }
}

template <class Real>
constexpr CtuKernels<Real> scalar{"scalar", &forward_run<Real>, &backward_run<Real>,
                                  &forward_rows<Real>, &backward_rows<Real>};

}  // namespace

template <class Real>
CtuUnits<Real>::CtuUnits(const Real* beta_in, const Real* c_in, std::int64_t count,
                         bool relu_at_one)
    : beta(beta_in, beta_in + count),
      c(c_in, c_in + count),
      relu_from(relu_at_one ? Real(1) : std::numeric_limits<Real>::infinity()) {
  const auto size = static_cast<std::size_t>(count);
  q.resize(size);
  inverse_q.resize(size);
  eta.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    q[i] = (Real(1) - beta[i]) + Real(1e-6);  // in this order and type: float32 rounds near beta 1
    inverse_q[i] = Real(1) / q[i];
    eta[i] = beta[i] / q[i];
  }
}
template struct CtuUnits<float>;
template struct CtuUnits<double>;

const CtuKernels<float>& scalar_kernels_f32() {
  return scalar<float>;
}
const CtuKernels<double>& scalar_kernels_f64() {
  return scalar<double>;
}

}  // namespace assay::curvature_tuning
