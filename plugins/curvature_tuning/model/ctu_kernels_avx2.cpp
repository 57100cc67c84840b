// The float32 kernels for AVX2 with FMA, chosen at run time; compiled by function attributes, so
// the rest of the program still runs on any x86-64.
#include "plugins/curvature_tuning/model/ctu_kernels.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#include <algorithm>
#include <limits>

#define ASSAY_AVX2 __attribute__((target("avx2,fma")))
#define ASSAY_AVX2_INLINE __attribute__((target("avx2,fma"), always_inline)) inline

namespace assay::curvature_tuning {
namespace {

constexpr int lanes = 8;
// Float sums are emptied into double ones every so many vectors, so their error stays near 1e-6.
constexpr std::int64_t vectors_per_flush = 64;

ASSAY_AVX2_INLINE __m256 set(float value) {
  return _mm256_set1_ps(value);
}

// exp(-a) for a >= 0; zero from 87 on; NaN stays. Relative error below 2e-7: range reduction by
// ln 2 in two pieces, then 1 + r + r^2 p(r) with p fitted at Chebyshev nodes on |r| <= ln(2)/2.
ASSAY_AVX2_INLINE __m256 exp_of_minus(__m256 a) {
  const __m256 x = _mm256_max_ps(set(-87.3F), _mm256_sub_ps(_mm256_setzero_ps(), a));
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, set(1.44269504F)),
                                   _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m256 r = _mm256_fnmadd_ps(n, set(0.693359375F), x);
  r = _mm256_fnmadd_ps(n, set(-2.12194440e-4F), r);
  __m256 p = set(0.001392625082629135F);
  p = _mm256_fmadd_ps(p, r, set(0.008363232883653583F));
  p = _mm256_fmadd_ps(p, r, set(0.04166655421304025F));
  p = _mm256_fmadd_ps(p, r, set(0.16666576666120123F));
  p = _mm256_fmadd_ps(p, r, set(0.5F));
  const __m256 e = _mm256_add_ps(_mm256_fmadd_ps(_mm256_mul_ps(r, r), p, r), set(1.0F));
  const __m256i power =
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  const __m256 scaled = _mm256_mul_ps(e, _mm256_castsi256_ps(power));
  return _mm256_andnot_ps(_mm256_cmp_ps(a, set(87.0F), _CMP_GT_OQ), scaled);
}

struct Unit {
  __m256 beta, c, one_minus_c, q, inverse_q, eta, relu;  // relu: all bits where the unit is one
};

ASSAY_AVX2_INLINE Unit derived(const CtuUnits<float>& units, __m256 beta, __m256 c, __m256 q,
                               __m256 inverse_q, __m256 eta) {
  const __m256 relu = _mm256_cmp_ps(beta, set(units.relu_from), _CMP_GE_OQ);
  return {beta, c, _mm256_sub_ps(set(1.0F), c), q, inverse_q, eta, relu};
}

ASSAY_AVX2_INLINE Unit one_unit(const CtuUnits<float>& units, std::int64_t index) {
  const auto i = static_cast<std::size_t>(index);
  return derived(units, set(units.beta[i]), set(units.c[i]), set(units.q[i]),
                 set(units.inverse_q[i]), set(units.eta[i]));
}

ASSAY_AVX2_INLINE Unit eight_units(const CtuUnits<float>& units, std::int64_t first, __m256i mask) {
  const auto i = static_cast<std::size_t>(first);
  return derived(units, _mm256_maskload_ps(&units.beta[i], mask),
                 _mm256_maskload_ps(&units.c[i], mask), _mm256_maskload_ps(&units.q[i], mask),
                 _mm256_maskload_ps(&units.inverse_q[i], mask),
                 _mm256_maskload_ps(&units.eta[i], mask));
}

ASSAY_AVX2_INLINE __m256i first_lanes(std::int64_t count) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lane);
}

struct Parts {
  __m256 size, t, u, e1, r1, e2, sum2;  // sum2 = 1 + e2
};

ASSAY_AVX2_INLINE Parts parts_of(const Unit& unit, __m256 x) {
  Parts p;
  const __m256 magnitude = _mm256_andnot_ps(set(-0.0F), x);
  // min and max give their second operand for NaN: it must be the data.
  p.size = _mm256_min_ps(set(std::numeric_limits<float>::max()), magnitude);
  p.t = _mm256_min_ps(set(1e18F), _mm256_mul_ps(p.size, unit.eta));
  p.u = _mm256_min_ps(set(1e18F), _mm256_mul_ps(p.size, unit.inverse_q));
  p.e1 = exp_of_minus(p.t);
  p.r1 = _mm256_div_ps(set(1.0F), _mm256_add_ps(set(1.0F), p.e1));
  p.e2 = exp_of_minus(p.u);
  p.sum2 = _mm256_add_ps(set(1.0F), p.e2);
  return p;
}

// log(1 + e) = 2 atanh(z), z = e / (2 + e) in [0, 1/3]; the series in z^2 fitted on [0, 1/9],
// relative error 4e-9 before rounding, and none of the cancellation of log(1 + small).
ASSAY_AVX2_INLINE __m256 log_of_one_plus(__m256 z) {
  const __m256 w = _mm256_mul_ps(z, z);
  __m256 p = set(0.1407888918330113F);
  p = _mm256_fmadd_ps(p, w, set(0.13982578872278584F));
  p = _mm256_fmadd_ps(p, w, set(0.20012297615355928F));
  p = _mm256_fmadd_ps(p, w, set(0.33333160820690017F));
  p = _mm256_fmadd_ps(p, w, set(1.0F));
  return _mm256_mul_ps(_mm256_add_ps(z, z), p);
}

ASSAY_AVX2_INLINE __m256 value_of(const Unit& unit, __m256 x) {
  const Parts p = parts_of(unit, x);
  const __m256 l = log_of_one_plus(_mm256_div_ps(p.e2, _mm256_add_ps(set(1.0F), p.sum2)));
  const __m256 ramp = _mm256_max_ps(_mm256_setzero_ps(), x);
  const __m256 gap1 = _mm256_mul_ps(unit.c, _mm256_mul_ps(p.size, _mm256_mul_ps(p.e1, p.r1)));
  const __m256 gap2 = _mm256_mul_ps(unit.one_minus_c, _mm256_mul_ps(unit.q, l));
  const __m256 y = _mm256_add_ps(_mm256_sub_ps(ramp, gap1), gap2);
  return _mm256_blendv_ps(y, ramp, unit.relu);
}

struct Slopes {
  __m256 x, beta, c;
};

template <bool with_parameters>
ASSAY_AVX2_INLINE Slopes slopes_of(const Unit& unit, __m256 x) {
  const Parts p = parts_of(unit, x);
  const __m256 er1 = _mm256_mul_ps(p.e1, p.r1);
  const __m256 bump = _mm256_mul_ps(er1, p.r1);
  const __m256 sign = _mm256_and_ps(set(-0.0F), x);
  const __m256 sigma1 = _mm256_blendv_ps(p.r1, er1, x);  // by the sign bit of x
  // One division for both 1 / (1 + e2) and e2 / (2 + e2).
  const __m256 next = _mm256_add_ps(set(1.0F), p.sum2);
  __m256 r2, l;
  if constexpr (with_parameters) {
    const __m256 both = _mm256_div_ps(set(1.0F), _mm256_mul_ps(p.sum2, next));
    r2 = _mm256_mul_ps(both, next);
    l = log_of_one_plus(_mm256_mul_ps(p.e2, _mm256_mul_ps(both, p.sum2)));
  } else {
    r2 = _mm256_div_ps(set(1.0F), p.sum2);
    l = _mm256_setzero_ps();
  }
  const __m256 er2 = _mm256_mul_ps(p.e2, r2);
  const __m256 sigma2 = _mm256_blendv_ps(r2, er2, x);
  const __m256 signed_t = _mm256_or_ps(p.t, sign);
  const __m256 zero = _mm256_setzero_ps();
  Slopes s;
  s.x = _mm256_mul_ps(unit.c, _mm256_fmadd_ps(signed_t, bump, sigma1));
  s.x = _mm256_fmadd_ps(unit.one_minus_c, sigma2, s.x);
  const __m256 step = _mm256_and_ps(_mm256_cmp_ps(x, zero, _CMP_NLE_UQ), set(1.0F));
  s.x = _mm256_blendv_ps(s.x, step, unit.relu);
  if constexpr (with_parameters) {
    const __m256 bend = _mm256_mul_ps(_mm256_mul_ps(bump, _mm256_mul_ps(p.u, p.u)),
                                      _mm256_add_ps(unit.q, unit.beta));
    const __m256 soft = _mm256_fmadd_ps(p.u, er2, l);
    s.beta = _mm256_fmsub_ps(unit.c, bend, _mm256_mul_ps(unit.one_minus_c, soft));
    s.c = _mm256_sub_ps(zero, _mm256_fmadd_ps(p.size, er1, _mm256_mul_ps(unit.q, l)));
    s.beta = _mm256_andnot_ps(unit.relu, s.beta);
    s.c = _mm256_andnot_ps(unit.relu, s.c);
  } else {
    s.beta = s.c = zero;
  }
  return s;
}

// Eight double sums, filled from floats in a fixed order.
struct Sum {
  __m256d low, high;
};
ASSAY_AVX2_INLINE void flush(Sum& sum, __m256& part) {
  sum.low = _mm256_add_pd(sum.low, _mm256_cvtps_pd(_mm256_castps256_ps128(part)));
  sum.high = _mm256_add_pd(sum.high, _mm256_cvtps_pd(_mm256_extractf128_ps(part, 1)));
  part = _mm256_setzero_ps();
}
ASSAY_AVX2_INLINE void store(const Sum& sum, double* values) {
  _mm256_storeu_pd(values, sum.low);
  _mm256_storeu_pd(values + 4, sum.high);
}
ASSAY_AVX2_INLINE double total(const Sum& sum) {
  double values[lanes];
  store(sum, values);
  double all = 0.0;
  for (const double value : values) all += value;
  return all;
}

ASSAY_AVX2 void forward_run(const CtuUnits<float>& units, const CtuRun<float>& run) {
  const Unit unit = one_unit(units, run.unit);
  std::int64_t i = 0;
  for (; i + lanes <= run.n; i += lanes) {
    _mm256_storeu_ps(run.out + i, value_of(unit, _mm256_loadu_ps(run.x + i)));
  }
  if (i == run.n) return;
  const __m256i mask = first_lanes(run.n - i);
  _mm256_maskstore_ps(run.out + i, mask, value_of(unit, _mm256_maskload_ps(run.x + i, mask)));
}

template <bool with_parameters>
ASSAY_AVX2 void backward_run_as(const CtuUnits<float>& units, const CtuRun<float>& run,
                                const CtuSums& sums) {
  const Unit unit = one_unit(units, run.unit);
  Sum beta{_mm256_setzero_pd(), _mm256_setzero_pd()}, c = beta;
  __m256 beta_part = _mm256_setzero_ps(), c_part = beta_part;
  std::int64_t i = 0;
  while (i + lanes <= run.n) {
    const std::int64_t end = std::min(run.n - lanes + 1, i + vectors_per_flush * lanes);
    for (; i < end; i += lanes) {
      const Slopes s = slopes_of<with_parameters>(unit, _mm256_loadu_ps(run.x + i));
      const __m256 g = _mm256_loadu_ps(run.gradient + i);
      _mm256_storeu_ps(run.out + i, _mm256_mul_ps(g, s.x));
      if constexpr (with_parameters) {
        beta_part = _mm256_fmadd_ps(g, s.beta, beta_part);
        c_part = _mm256_fmadd_ps(g, s.c, c_part);
      }
    }
    if constexpr (with_parameters) {
      flush(beta, beta_part);
      flush(c, c_part);
    }
  }
  if (i < run.n) {
    const __m256i mask = first_lanes(run.n - i);
    const Slopes s = slopes_of<with_parameters>(unit, _mm256_maskload_ps(run.x + i, mask));
    const __m256 g = _mm256_maskload_ps(run.gradient + i, mask);  // zero beyond the end
    _mm256_maskstore_ps(run.out + i, mask, _mm256_mul_ps(g, s.x));
    if constexpr (with_parameters) {
      beta_part = _mm256_mul_ps(g, s.beta);
      c_part = _mm256_mul_ps(g, s.c);
      flush(beta, beta_part);
      flush(c, c_part);
    }
  }
  if constexpr (with_parameters) {
    *sums.beta += total(beta);
    *sums.c += total(c);
  }
}

void backward_run(const CtuUnits<float>& units, const CtuRun<float>& run, const CtuSums& sums) {
  if (sums.beta != nullptr) {
    backward_run_as<true>(units, run, sums);
  } else {
    backward_run_as<false>(units, run, sums);
  }
}

ASSAY_AVX2 void forward_rows(const CtuUnits<float>& units, const CtuRows<float>& rows) {
  const std::int64_t count = units.count();
  for (std::int64_t first = 0; first < count; first += lanes) {
    const __m256i mask = first_lanes(count - first);
    const Unit unit = eight_units(units, first, mask);
    for (std::int64_t row = 0; row < rows.rows; ++row) {
      const std::int64_t i = row * count + first;
      _mm256_maskstore_ps(rows.out + i, mask, value_of(unit, _mm256_maskload_ps(rows.x + i, mask)));
    }
  }
}

template <bool with_parameters>
ASSAY_AVX2 void backward_rows_as(const CtuUnits<float>& units, const CtuRows<float>& rows,
                                 const CtuSums& sums) {
  const std::int64_t count = units.count();
  for (std::int64_t first = 0; first < count; first += lanes) {
    const __m256i mask = first_lanes(count - first);
    const Unit unit = eight_units(units, first, mask);
    Sum beta{_mm256_setzero_pd(), _mm256_setzero_pd()}, c = beta;
    __m256 beta_part = _mm256_setzero_ps(), c_part = beta_part;
    for (std::int64_t row = 0; row < rows.rows; ++row) {
      const std::int64_t i = row * count + first;
      const Slopes s = slopes_of<with_parameters>(unit, _mm256_maskload_ps(rows.x + i, mask));
      const __m256 g = _mm256_maskload_ps(rows.gradient + i, mask);
      _mm256_maskstore_ps(rows.out + i, mask, _mm256_mul_ps(g, s.x));
      if constexpr (with_parameters) {
        beta_part = _mm256_fmadd_ps(g, s.beta, beta_part);
        c_part = _mm256_fmadd_ps(g, s.c, c_part);
        if (row % vectors_per_flush == vectors_per_flush - 1) {
          flush(beta, beta_part);
          flush(c, c_part);
        }
      }
    }
    if constexpr (with_parameters) {
      flush(beta, beta_part);
      flush(c, c_part);
      double beta_values[lanes], c_values[lanes];
      store(beta, beta_values);
      store(c, c_values);
      for (std::int64_t lane = 0; lane < std::min<std::int64_t>(lanes, count - first); ++lane) {
        sums.beta[first + lane] += beta_values[lane];
        sums.c[first + lane] += c_values[lane];
      }
    }
  }
}

void backward_rows(const CtuUnits<float>& units, const CtuRows<float>& rows, const CtuSums& sums) {
  if (sums.beta != nullptr) {
    backward_rows_as<true>(units, rows, sums);
  } else {
    backward_rows_as<false>(units, rows, sums);
  }
}

constexpr CtuKernels<float> kernels{"avx2", &forward_run, &backward_run, &forward_rows,
                                    &backward_rows};

}  // namespace

const CtuKernels<float>* avx2_kernels_f32() {
  static const bool here = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return here ? &kernels : nullptr;
}

}  // namespace assay::curvature_tuning

#else

namespace assay::curvature_tuning {
const CtuKernels<float>* avx2_kernels_f32() {
  return nullptr;
}
}  // namespace assay::curvature_tuning

#endif
