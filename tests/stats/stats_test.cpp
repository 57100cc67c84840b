// Statistics against closed forms, published examples and values computed with 40 digits (mpmath).
#include "core/stats/stats.h"

#include <QTest>
#include <cmath>
#include <numbers>
#include <random>

using namespace assay;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

#define VERIFY_NEAR(actual, expected, tolerance)                                              \
  do {                                                                                        \
    const double actual_value = (actual);                                                     \
    const double expected_value = (expected);                                                 \
    QVERIFY2(std::abs(actual_value - expected_value) <= (tolerance)*std::abs(expected_value), \
             qPrintable(QString("%1 instead of %2")                                           \
                            .arg(actual_value, 0, 'g', 17)                                    \
                            .arg(expected_value, 0, 'g', 17)));                               \
  } while (false)

// Student's own example (Biometrika 1908, the "sleep" data of R): hours of extra sleep by two
// drugs.
const std::vector<double> first_drug = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const std::vector<double> second_drug = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

std::vector<double> normal_values(std::size_t count, double mean, unsigned seed) {
  // Not std::normal_distribution: its values differ between libraries.
  std::mt19937 generator(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = -6.0;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(generator()) / 4294967296.0;
    values.push_back(mean + sum);
  }
  return values;
}

}  // namespace

class StatsTest : public QObject {
  Q_OBJECT

 private slots:
  void incomplete_beta_of_closed_forms();
  void incomplete_beta_of_reference_values();
  void incomplete_beta_has_its_symmetry();
  void t_cdf_of_closed_forms();
  void t_cdf_of_reference_values();
  void t_quantile_of_reference_values();
  void t_quantile_is_the_inverse();
  void t_outside_its_domain();
  void summary_of_known_samples();
  void summary_of_few_or_broken_values();
  void summary_keeps_digits_around_a_large_mean();
  void the_interval_covers_as_often_as_it_says();
  void paired_test_of_students_sleep_data();
  void paired_test_has_its_symmetries();
  void paired_test_without_spread();
  void paired_test_of_few_or_broken_values();
  void permutation_of_all_signs();
  void holm_of_a_worked_example();
  void holm_properties();
  void smoothing();
};

void StatsTest::incomplete_beta_of_closed_forms() {
  for (const double x : {1e-9, 0.01, 0.3, 0.5, 0.77, 0.999}) {
    VERIFY_NEAR(incomplete_beta(1.0, 1.0, x), x, 1e-14);
    VERIFY_NEAR(incomplete_beta(3.5, 1.0, x), std::pow(x, 3.5), 1e-13);
    VERIFY_NEAR(incomplete_beta(1.0, 4.0, x), -std::expm1(4.0 * std::log1p(-x)), 1e-13);
    // The arcsine law.
    VERIFY_NEAR(incomplete_beta(0.5, 0.5, x), 2.0 / std::numbers::pi * std::asin(std::sqrt(x)),
                1e-13);
    // Two successes or more in four trials (DLMF 8.17.5).
    const double y = 1.0 - x;
    VERIFY_NEAR(incomplete_beta(2.0, 3.0, x), 6 * x * x * y * y + 4 * x * x * x * y + x * x * x * x,
                1e-13);
  }
  QCOMPARE(incomplete_beta(2.0, 3.0, 0.0), 0.0);
  QCOMPARE(incomplete_beta(2.0, 3.0, 1.0), 1.0);
  QVERIFY(std::isnan(incomplete_beta(0.0, 3.0, 0.5)));
  QVERIFY(std::isnan(incomplete_beta(1.0, -1.0, 0.5)));
  QVERIFY(std::isnan(incomplete_beta(1.0, 1.0, nan_value)));
}

void StatsTest::incomplete_beta_of_reference_values() {
  // mpmath.betainc(..., regularized=True) with 40 digits.
  VERIFY_NEAR(incomplete_beta(2.5, 0.5, 0.9), 0.48958974456442750367, 1e-13);
  VERIFY_NEAR(incomplete_beta(30, 70, 0.3), 0.51162510455860921764, 1e-12);
  VERIFY_NEAR(incomplete_beta(500, 500, 0.5001), 0.50252248503489094719, 1e-11);
  VERIFY_NEAR(incomplete_beta(1e5, 0.5, 0.99999), 0.15729868816148119257, 1e-10);
  VERIFY_NEAR(incomplete_beta(0.01, 3, 0.001), 0.94728102432547395824, 1e-13);
  VERIFY_NEAR(incomplete_beta(1000, 2000, 0.34), 0.78121509116064189302, 1e-11);
}

void StatsTest::incomplete_beta_has_its_symmetry() {
  double earlier = 0.0;
  for (int i = 1; i < 200; ++i) {
    const double x = i / 200.0;
    const double value = incomplete_beta(2.3, 7.1, x);
    QVERIFY(std::abs(value + incomplete_beta(7.1, 2.3, 1.0 - x) - 1.0) < 1e-13);
    QVERIFY(value >= earlier);
    earlier = value;
  }
}

void StatsTest::t_cdf_of_closed_forms() {
  for (const double t : {-50.0, -3.0, -0.5, 0.0, 1e-8, 0.7, 2.0, 12.0}) {
    const double square = t * t;
    const double one = 0.5 + std::atan(t) / std::numbers::pi;
    const double two = 0.5 + t / (2.0 * std::sqrt(2.0 + square));
    const double root = t / std::sqrt(3.0);
    const double three = 0.5 + (root / (1.0 + square / 3.0) + std::atan(root)) / std::numbers::pi;
    // The closed forms themselves lose digits in the far tail.
    QVERIFY(std::abs(student_t_cdf(t, 1.0) - one) < 1e-14);
    QVERIFY(std::abs(student_t_cdf(t, 2.0) - two) < 1e-14);
    QVERIFY(std::abs(student_t_cdf(t, 3.0) - three) < 1e-14);
  }
}

void StatsTest::t_cdf_of_reference_values() {
  // mpmath with 40 digits; tails to their relative precision.
  VERIFY_NEAR(student_t_cdf(0.1, 5), 0.53788492942266981486, 1e-14);
  VERIFY_NEAR(student_t_cdf(1, 5), 0.8183912661754386872, 1e-14);
  VERIFY_NEAR(student_t_cdf(-2.5, 4), 0.033383272405994072519, 1e-13);
  VERIFY_NEAR(student_t_cdf(3, 1.5), 0.93322612287254336731, 1e-14);
  VERIFY_NEAR(student_t_cdf(2.5, 29), 0.99083732783078696154, 1e-14);
  VERIFY_NEAR(student_t_cdf(-8, 9), 0.00001106740840470007684, 1e-12);
  VERIFY_NEAR(student_t_cdf(1.96, 1000), 0.97486340752212564078, 1e-12);
  VERIFY_NEAR(student_t_cdf(1.96, 100000), 0.97500071840284918098, 1e-11);
  VERIFY_NEAR(student_t_cdf(-40, 3), 0.000017190340394579264142, 1e-12);
  VERIFY_NEAR(student_t_cdf(-12, 200), 1.2110680026233157097e-25, 1e-11);
  // The normal distribution's 97.5 % point.
  VERIFY_NEAR(student_t_cdf(1.9599639845400542355, std::numeric_limits<double>::infinity()), 0.975,
              1e-14);
}

void StatsTest::t_quantile_of_reference_values() {
  // mpmath with 40 digits; the first four stand in every table (12.706, 2.776, 2.262, 2.042).
  VERIFY_NEAR(student_t_quantile(0.975, 1), 12.706204736174704646, 1e-12);
  VERIFY_NEAR(student_t_quantile(0.975, 4), 2.7764451051977943578, 1e-12);
  VERIFY_NEAR(student_t_quantile(0.975, 9), 2.2621571627982055426, 1e-12);
  VERIFY_NEAR(student_t_quantile(0.975, 30), 2.04227245630123831, 1e-12);
  VERIFY_NEAR(student_t_quantile(0.995, 2), 9.9248432009182931147, 1e-12);
  VERIFY_NEAR(student_t_quantile(0.975, 1000), 1.962339080826408485, 1e-12);
  VERIFY_NEAR(student_t_quantile(0.9995, 5), 6.8688266258811102474, 1e-11);
}

void StatsTest::t_quantile_is_the_inverse() {
  for (const double degrees : {0.7, 1.0, 2.0, 5.0, 19.0, 250.0}) {
    for (const double p : {1e-12, 1e-4, 0.025, 0.3, 0.49, 0.51, 0.9, 0.9999}) {
      const double t = student_t_quantile(p, degrees);
      VERIFY_NEAR(student_t_cdf(t, degrees), p, 1e-12);
      // 1 - p is rounded, and the tail of few degrees of freedom is steep in it.
      if (p > 1e-6) VERIFY_NEAR(student_t_quantile(1.0 - p, degrees), -t, 1e-8);
    }
  }
  QCOMPARE(student_t_quantile(0.5, 7.0), 0.0);
}

void StatsTest::t_outside_its_domain() {
  QVERIFY(std::isnan(student_t_cdf(nan_value, 3.0)));
  QVERIFY(std::isnan(student_t_cdf(1.0, 0.0)));
  QVERIFY(std::isnan(student_t_quantile(-0.1, 3.0)));
  QVERIFY(std::isnan(student_t_quantile(1.1, 3.0)));
  QVERIFY(std::isnan(student_t_quantile(nan_value, 3.0)));
  QVERIFY(std::isnan(student_t_quantile(0.5, -1.0)));
  QVERIFY(std::isinf(student_t_quantile(1.0, 3.0)));
  QCOMPARE(student_t_cdf(std::numeric_limits<double>::infinity(), 3.0), 1.0);
  QCOMPARE(student_t_cdf(-std::numeric_limits<double>::infinity(), 3.0), 0.0);
}

void StatsTest::summary_of_known_samples() {
  // Mean 5, sum of squares 32: deviation sqrt(32 / 7).
  const Summary summary = summarize(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  QCOMPARE(summary.count, std::size_t{8});
  QCOMPARE(summary.mean, 5.0);
  VERIFY_NEAR(summary.deviation, std::sqrt(32.0 / 7.0), 1e-15);
  VERIFY_NEAR(summary.standard_error, std::sqrt(32.0 / 56.0), 1e-15);
  QCOMPARE(summary.minimum, 2.0);
  QCOMPARE(summary.maximum, 9.0);
  QCOMPARE(summary.median, 4.5);
  const double half = student_t_quantile(0.975, 7) * std::sqrt(32.0 / 56.0);
  VERIFY_NEAR(summary.low, 5.0 - half, 1e-14);
  VERIFY_NEAR(summary.high, 5.0 + half, 1e-14);
  QCOMPARE(summarize(std::vector<double>{3, 1, 2}).median, 2.0);
  // Equal values are their own mean, and the interval has no width.
  const Summary equal = summarize(std::vector<double>(7, 0.1));
  QCOMPARE(equal.mean, 0.1);
  QCOMPARE(equal.deviation, 0.0);
  QCOMPARE(equal.low, 0.1);
}

void StatsTest::summary_of_few_or_broken_values() {
  const Summary none = summarize({});
  QCOMPARE(none.count, std::size_t{0});
  QVERIFY(std::isnan(none.mean) && std::isnan(none.median) && std::isnan(none.low));
  const Summary one = summarize(std::vector<double>{4.0});
  QCOMPARE(one.mean, 4.0);
  QCOMPARE(one.median, 4.0);
  QVERIFY(std::isnan(one.deviation) && std::isnan(one.low) && std::isnan(one.high));
  const Summary broken = summarize(std::vector<double>{1.0, nan_value, 2.0});
  QCOMPARE(broken.count, std::size_t{3});
  QVERIFY(std::isnan(broken.mean) && std::isnan(broken.minimum) && std::isnan(broken.maximum));
}

void StatsTest::summary_keeps_digits_around_a_large_mean() {
  // NIST StRD "NumAcc4": 10000000.2 and 1001 more around it; deviation exactly 0.1.
  std::vector<double> values = {10000000.2};
  for (int i = 0; i < 500; ++i) {
    values.push_back(10000000.1);
    values.push_back(10000000.3);
  }
  const Summary summary = summarize(values);
  VERIFY_NEAR(summary.mean, 10000000.2, 1e-15);
  VERIFY_NEAR(summary.deviation, 0.1, 1e-7);  // what the input's own rounding leaves
}

void StatsTest::the_interval_covers_as_often_as_it_says() {
  int covered = 0;
  constexpr int repeats = 4000;
  for (unsigned seed = 0; seed < repeats; ++seed) {
    const Summary summary = summarize(normal_values(5, 3.0, seed));
    if (summary.low <= 3.0 && 3.0 <= summary.high) ++covered;
  }
  // 95 % of 4000 within four standard errors (13.8).
  QVERIFY2(std::abs(covered - 3800) < 56, qPrintable(QString::number(covered)));
}

void StatsTest::paired_test_of_students_sleep_data() {
  // R: t.test(extra ~ group, data = sleep, paired = TRUE): t = -4.0621, df = 9, p = 0.002833, 95 %
  // interval [-2.4598858, -0.7001142]. More digits by mpmath.
  const PairedTest test = paired_test(second_drug, first_drug);
  QCOMPARE(test.count, std::size_t{10});
  VERIFY_NEAR(test.mean_difference, 1.58, 1e-14);
  VERIFY_NEAR(test.t, 4.0621276833820361097, 1e-12);
  VERIFY_NEAR(test.p, 0.0028328901973842727403, 1e-11);
  VERIFY_NEAR(test.low, 0.70011423672301720129, 1e-12);
  VERIFY_NEAR(test.high, 2.4598857632769827987, 1e-12);
  VERIFY_NEAR(test.effect_size, 1.2845575625910544381, 1e-12);
  // All differences but one zero are positive: extreme are all signs equal, twice for the zero.
  QCOMPARE(test.p_permutation, 4.0 / 1024.0);
}

void StatsTest::paired_test_has_its_symmetries() {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::vector<double> a = normal_values(3 + seed % 8, 0.4, seed);
    const std::vector<double> b = normal_values(3 + seed % 8, 0.0, seed + 1000);
    const PairedTest test = paired_test(a, b);
    const PairedTest swapped = paired_test(b, a);
    QCOMPARE(swapped.t, -test.t);
    QCOMPARE(swapped.p, test.p);
    QCOMPARE(swapped.p_permutation, test.p_permutation);
    QCOMPARE(swapped.low, -test.high);
    // The interval holds zero just when the test is not significant.
    QCOMPARE(test.low > 0.0 || test.high < 0.0, test.p < 0.05);
    VERIFY_NEAR(test.effect_size * std::sqrt(static_cast<double>(test.count)), test.t, 1e-12);
    QVERIFY(test.p_permutation >= 2.0 / std::pow(2.0, static_cast<double>(test.count)));
    QVERIFY(test.p_permutation <= 1.0);
  }
}

void StatsTest::paired_test_without_spread() {
  const std::vector<double> a = {2, 3, 4, 5, 6};
  const PairedTest shifted = paired_test(a, std::vector<double>{1, 2, 3, 4, 5});
  QCOMPARE(shifted.p, 0.0);
  QVERIFY(std::isinf(shifted.t) && shifted.t > 0.0);
  QCOMPARE(shifted.low, 1.0);
  QCOMPARE(shifted.high, 1.0);
  QCOMPARE(shifted.p_permutation, 2.0 / 32.0);
  const PairedTest same = paired_test(a, a);
  QCOMPARE(same.p, 1.0);
  QCOMPARE(same.t, 0.0);
  QCOMPARE(same.effect_size, 0.0);
  QCOMPARE(same.p_permutation, 1.0);
}

void StatsTest::paired_test_of_few_or_broken_values() {
  const PairedTest none = paired_test({}, {});
  QCOMPARE(none.p, 1.0);
  QVERIFY(std::isnan(none.low));
  const PairedTest one = paired_test(std::vector<double>{2}, std::vector<double>{1});
  QCOMPARE(one.mean_difference, 1.0);
  QCOMPARE(one.p, 1.0);
  QVERIFY(std::isnan(one.low) && std::isnan(one.high));
  const PairedTest broken =
      paired_test(std::vector<double>{2, 3, nan_value}, std::vector<double>{1, 1, 1});
  QCOMPARE(broken.p, 1.0);
  QVERIFY(std::isnan(broken.mean_difference) && std::isnan(broken.t));
}

void StatsTest::permutation_of_all_signs() {
  // Differences 1, 2, 4: every sum is another; |sum| >= 3 for 7, 5, 3 and their negatives.
  const std::vector<double> zeros(3, 0.0);
  QCOMPARE(paired_test(std::vector<double>{1, 2, 4}, zeros).p_permutation, 2.0 / 8.0);
  QCOMPARE(paired_test(std::vector<double>{-1, 2, 4}, zeros).p_permutation, 4.0 / 8.0);
  QCOMPARE(paired_test(std::vector<double>{1, -2, 4}, zeros).p_permutation, 6.0 / 8.0);
  // Equal in another order of addition, but for rounding.
  QCOMPARE(paired_test(std::vector<double>{0.1, 0.2, -0.3}, zeros).p_permutation, 1.0);
  const std::vector<double> sixteen = normal_values(16, 5.0, 1);
  QCOMPARE(paired_test(sixteen, std::vector<double>(16, 0.0)).p_permutation, 2.0 / 65536.0);
  const std::vector<double> seventeen = normal_values(17, 5.0, 1);
  QVERIFY(std::isnan(paired_test(seventeen, std::vector<double>(17, 0.0)).p_permutation));
}

void StatsTest::holm_of_a_worked_example() {
  // 0.005 * 4, 0.01 * 3, 0.03 * 2 and then the larger of 0.04 and the one before.
  const std::vector<double> adjusted = holm(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  VERIFY_NEAR(adjusted[0], 0.03, 1e-15);
  VERIFY_NEAR(adjusted[1], 0.06, 1e-15);
  VERIFY_NEAR(adjusted[2], 0.06, 1e-15);
  VERIFY_NEAR(adjusted[3], 0.02, 1e-15);
  QVERIFY(holm({}).empty());
  QCOMPARE(holm(std::vector<double>{0.2}), std::vector<double>{0.2});
  QCOMPARE(holm(std::vector<double>{0.9, 0.8}), (std::vector<double>{1.0, 1.0}));
  QCOMPARE(holm(std::vector<double>{nan_value, 0.01}), (std::vector<double>{1.0, 0.02}));
}

void StatsTest::holm_properties() {
  std::mt19937 generator(3);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<double> p(1 + generator() % 9);
    for (double& value : p) value = static_cast<double>(generator() % 1000) / 1000.0;
    const std::vector<double> adjusted = holm(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      QVERIFY(adjusted[i] >= p[i] && adjusted[i] <= 1.0);
      // Never stricter than Bonferroni, and in the same order.
      QVERIFY(adjusted[i] <= std::min(1.0, p[i] * static_cast<double>(p.size())) + 1e-15);
      for (std::size_t j = 0; j < p.size(); ++j) {
        if (p[i] < p[j]) QVERIFY(adjusted[i] <= adjusted[j]);
      }
    }
  }
}

void StatsTest::smoothing() {
  const std::vector<double> constant(100, 0.1);
  QCOMPARE(smooth(constant, 0.97), constant);
  const std::vector<double> values = {1.0, 2.0, 4.0};
  QCOMPARE(smooth(values, 0.0), values);
  // Weight 1/2: 1; (1/4 + 2/2) / (3/4); (1/8 + 2/4 + 4/2) / (7/8).
  const std::vector<double> half = smooth(values, 0.5);
  QCOMPARE(half[0], 1.0);
  VERIFY_NEAR(half[1], 5.0 / 3.0, 1e-15);
  VERIFY_NEAR(half[2], 3.0, 1e-15);
  const std::vector<double> gap = smooth(std::vector<double>{1.0, nan_value, 2.0, 4.0}, 0.5);
  QVERIFY(std::isnan(gap[1]));
  VERIFY_NEAR(gap[2], 5.0 / 3.0, 1e-15);
  VERIFY_NEAR(gap[3], 3.0, 1e-15);
  QVERIFY(smooth({}, 0.5).empty());
}

QTEST_APPLESS_MAIN(StatsTest)
#include "stats_test.moc"
