// Mean, deviation and interval of a sample; smoothing of a curve.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/stats/stats.h"

namespace assay {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  if (values.size() % 2 == 1) return values[half];
  return values[half - 1] + (values[half] - values[half - 1]) / 2.0;
}

// Two passes: the deviations of values around a large mean keep their digits, and the mean of equal
// values is that value.
double mean_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double rough = sum / count;
  double rest = 0.0;
  for (const double value : values) rest += value - rough;
  return rough + rest / count;
}

}  // namespace

Summary summarize(std::span<const double> values, double confidence) {
  assert(confidence > 0.0 && confidence < 1.0);
  Summary summary;
  summary.count = values.size();
  summary.mean = summary.deviation = summary.standard_error = not_a_number;
  summary.low = summary.high = not_a_number;
  summary.minimum = summary.maximum = summary.median = not_a_number;
  const bool finite =
      std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (values.empty() || !finite) return summary;

  const auto [minimum, maximum] = std::minmax_element(values.begin(), values.end());
  summary.minimum = *minimum;
  summary.maximum = *maximum;
  summary.median = median_of({values.begin(), values.end()});
  summary.mean = *minimum == *maximum ? *minimum : mean_of(values);
  if (values.size() < 2) return summary;

  double squares = 0.0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  const auto count = static_cast<double>(values.size());
  summary.deviation = std::sqrt(squares / (count - 1.0));
  summary.standard_error = summary.deviation / std::sqrt(count);
  const double half =
      student_t_quantile(0.5 + confidence / 2.0, count - 1.0) * summary.standard_error;
  summary.low = summary.mean - half;
  summary.high = summary.mean + half;
  return summary;
}

std::vector<double> smooth(std::span<const double> values, double weight) {
  assert(weight >= 0.0 && weight < 1.0);
  std::vector<double> smoothed;
  smoothed.reserve(values.size());
  double average = 0.0;
  double faded = 1.0;  // weight^k after k values
  for (const double value : values) {
    if (!std::isfinite(value)) {
      smoothed.push_back(value);  // a gap stays a gap
      continue;
    }
    faded *= weight;
    // The debiased average s_k / (1 - weight^k), written as a step towards the value: a constant
    // series stays exactly constant.
    average += (value - average) * ((1.0 - weight) / (1.0 - faded));
    smoothed.push_back(average);
  }
  return smoothed;
}

}  // namespace assay
