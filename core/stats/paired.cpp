// The paired t test with effect size, the exact sign-flip test beside it, Holm's correction.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/stats/stats.h"

namespace assay {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_flipped = 16;

// Under the null hypothesis each difference's sign is a coin: the share of all 2^n sign patterns
// whose sum is at least as far from zero as the observed one.
double sign_flip_p(const std::vector<double>& differences) {
  const std::size_t n = differences.size();
  if (n > most_flipped) return not_a_number;
  double observed = 0.0;
  double scale = 0.0;
  for (const double difference : differences) {
    observed += difference;
    scale += std::abs(difference);
  }
  // Equal sums in another order of addition differ in the last bits.
  const double bound = std::abs(observed) - 1e-12 * scale;
  const std::uint32_t patterns = std::uint32_t{1} << n;
  std::uint32_t extreme = 0;
  for (std::uint32_t pattern = 0; pattern < patterns; ++pattern) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += ((pattern >> i) & 1U) != 0 ? -differences[i] : differences[i];
    }
    if (std::abs(sum) >= bound) ++extreme;
  }
  return static_cast<double>(extreme) / static_cast<double>(patterns);
}

// All differences the same: no spread to compare the mean with.
void fill_without_spread(PairedTest& test) {
  const double mean = test.mean_difference;
  test.t = mean == 0.0 ? 0.0 : std::copysign(infinity, mean);
  test.effect_size = test.t;
  test.p = mean == 0.0 ? 1.0 : 0.0;
}

}  // namespace

PairedTest paired_test(std::span<const double> a, std::span<const double> b, double confidence) {
  assert(a.size() == b.size());
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  const Summary summary = summarize(differences, confidence);
  PairedTest test;
  test.count = summary.count;
  test.mean_difference = summary.mean;
  test.low = summary.low;
  test.high = summary.high;
  if (std::isnan(summary.deviation)) {
    // Fewer than two values, or one that is no number: no evidence either way.
    test.t = test.effect_size = not_a_number;
    return test;
  }
  test.p_permutation = sign_flip_p(differences);
  if (summary.deviation == 0.0) {
    fill_without_spread(test);
    return test;
  }
  test.t = summary.mean / summary.standard_error;
  test.effect_size = summary.mean / summary.deviation;
  test.p = 2.0 * student_t_cdf(-std::abs(test.t), static_cast<double>(summary.count) - 1.0);
  return test;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto known = [&](std::size_t i) { return std::isnan(p[i]) ? 1.0 : p[i]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t left, std::size_t right) { return known(left) < known(right); });
  std::vector<double> adjusted(p.size());
  double largest = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto left = static_cast<double>(p.size() - rank);
    largest = std::max(largest, std::min(1.0, left * known(order[rank])));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace assay
