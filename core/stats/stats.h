// Means with intervals, paired tests with effect sizes, corrections for several comparisons.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

struct Summary {
  std::size_t count = 0;
  double mean = 0.0;
  double deviation = 0.0;        // sample standard deviation (n - 1); NaN for n < 2
  double standard_error = 0.0;   // NaN for n < 2
  double low = 0.0, high = 0.0;  // 95 % interval by Student's t; NaN for n < 2
  double minimum = 0.0, maximum = 0.0, median = 0.0;
};
// Non-finite values make every field but count NaN. Empty: count 0, the rest NaN.
Summary summarize(std::span<const double> values, double confidence = 0.95);

struct PairedTest {
  std::size_t count = 0;
  double mean_difference = 0.0;
  double low = 0.0, high = 0.0;  // interval of the mean difference, Student's t
  double t = 0.0;
  double p = 1.0;              // two-sided; exact sign-flip permutation test for n <= 16 beside it
  double p_permutation = 1.0;  // NaN for n > 16
  double effect_size = 0.0;    // Cohen's d_z; mean over the deviation of the differences
};
// `a` and `b` have the same length (asserted). n < 2: intervals and p are NaN and 1. All
// differences equal and not zero: p 0 by t, interval of no width. Non-finite values: p 1, rest NaN.
PairedTest paired_test(std::span<const double> a, std::span<const double> b,
                       double confidence = 0.95);

// Holm's step-down adjusted p values, in the order given; NaN counts as 1.
std::vector<double> holm(std::span<const double> p);

double student_t_cdf(double t, double degrees);
double student_t_quantile(double probability, double degrees);
double incomplete_beta(double a, double b, double x);  // regularized, I_x(a, b)

// Exponential moving average with the start-up bias removed (as in Adam), for curve smoothing:
// weight in [0,1). A constant series stays constant; non-finite values stay where they are and do
// not touch the average.
std::vector<double> smooth(std::span<const double> values, double weight);

}  // namespace assay
