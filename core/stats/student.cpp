// Student's t distribution by the regularized incomplete beta function.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/stats/stats.h"

namespace assay {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// The continued fraction of DLMF 8.17.22, evaluated by the modified Lentz method; converges fast
// for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  constexpr double precision = 1e-16;
  constexpr int most_terms = 1'000'000;
  const auto kept_off_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };

  double c = 1.0;
  double d = 1.0 / kept_off_zero(1.0 - (a + b) * x / (a + 1.0));
  double fraction = d;
  for (int m = 1; m < most_terms; ++m) {
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    d = 1.0 / kept_off_zero(1.0 + even * d);
    c = kept_off_zero(1.0 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    d = 1.0 / kept_off_zero(1.0 + odd * d);
    c = kept_off_zero(1.0 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1.0) < precision) break;
  }
  return fraction;
}

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);  // std::lgamma writes a global
}

// ln B(a, b). With two large terms of nearly equal size the difference of log-gammas loses digits;
// the asymptotic series (DLMF 5.11.1) of the pair does not.
double log_beta(double a, double b) {
  const double large = std::max(a, b);
  const double small = std::min(a, b);
  if (large < 100.0) return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
  const auto tail = [](double z) {
    const double z2 = z * z;
    return (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * z2)) / z2) / z2) / z;
  };
  // ln G(large) - ln G(large + small)
  const double ratio = -(large - 0.5) * std::log1p(small / large) -
                       small * std::log(large + small) + small + tail(large) - tail(large + small);
  return log_gamma(small) + ratio;
}

// I_x(a, b) with y = 1 - x given too, so that neither end loses digits to the subtraction.
double beta_ratio(double a, double b, double x, double y) {
  if (x <= 0.0) return 0.0;
  if (y <= 0.0) return 1.0;
  const double log_front = a * std::log(x) + b * std::log(y) - log_beta(a, b);
  if (x < (a + 1.0) / (a + b + 2.0)) return std::exp(log_front) * beta_fraction(a, b, x) / a;
  return 1.0 - std::exp(log_front) * beta_fraction(b, a, y) / b;
}

// P(T > t) for t >= 0: small tails keep their relative precision.
double upper_tail(double t, double degrees) {
  if (std::isinf(degrees)) return 0.5 * std::erfc(t / std::sqrt(2.0));
  const double ratio = t / std::sqrt(degrees);
  const double square = ratio * ratio;
  const double x = 1.0 / (1.0 + square);  // degrees / (degrees + t^2)
  const double y = std::isinf(square) ? 1.0 : square / (1.0 + square);
  return 0.5 * beta_ratio(degrees / 2.0, 0.5, x, y);
}

// t > 0 with upper_tail(t) == tail, for 0 < tail < 0.5, by bisection: about 100 cheap steps, no
// starting value to get wrong.
double tail_quantile(double tail, double degrees) {
  double low = 0.0;
  double high = 1.0;
  while (upper_tail(high, degrees) > tail && high < 1e300) {
    low = high;
    high *= 2.0;
  }
  while (true) {
    const double middle = low + (high - low) / 2.0;
    if (middle <= low || middle >= high) return middle;
    (upper_tail(middle, degrees) > tail ? low : high) = middle;
  }
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (!(a > 0.0) || !(b > 0.0) || std::isnan(x)) return not_a_number;
  return beta_ratio(a, b, x, 1.0 - x);
}

double student_t_cdf(double t, double degrees) {
  if (std::isnan(t) || !(degrees > 0.0)) return not_a_number;
  if (t <= 0.0) return upper_tail(-t, degrees);
  return 1.0 - upper_tail(t, degrees);
}

double student_t_quantile(double probability, double degrees) {
  const bool valid = probability >= 0.0 && probability <= 1.0 && degrees > 0.0;
  if (!valid) return not_a_number;
  if (probability == 0.0) return -infinity;
  if (probability == 1.0) return infinity;
  if (probability == 0.5) return 0.0;
  if (probability < 0.5) return -tail_quantile(probability, degrees);
  return tail_quantile(1.0 - probability, degrees);
}

}  // namespace assay
