// Verdicts: by the interval over seeds, by the tolerance, and undecided when the runs can't tell.
#include "core/study/claims.h"

#include <QTest>
#include <cmath>

#include "support/error_message.h"

using namespace assay;

namespace {

ClaimSpec greater(double margin = 0.0) {
  ClaimSpec claim;
  claim.id = "left_is_greater";
  claim.comparison = ClaimSpec::Comparison::greater;
  claim.margin = margin;
  return claim;
}

ClaimSpec equal(double tolerance) {
  ClaimSpec claim;
  claim.id = "equal";
  claim.comparison = ClaimSpec::Comparison::equal;
  claim.tolerance = tolerance;
  return claim;
}

std::vector<ClaimPair> pairs_of(const std::vector<double>& left, const std::vector<double>& right) {
  std::vector<ClaimPair> pairs;
  for (std::size_t i = 0; i < left.size(); ++i) {
    pairs.push_back({i + 1, left[i], right[i], "left", "right"});
  }
  return pairs;
}

// Student's sleep data: interval [0.7001, 2.4599], p 0.002833 (R's t.test).
const std::vector<ClaimPair> sleep_data =
    pairs_of({1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4},
             {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0});

}  // namespace

class ClaimsTest : public QObject {
  Q_OBJECT

 private slots:
  void reproduced_when_the_interval_is_above();
  void not_reproduced_when_it_is_below();
  void undecided_when_it_holds_the_margin();
  void few_seeds_are_undecided_with_their_interval();
  void a_seed_counts_once();
  void broken_values_are_undecided();
  void equal_by_the_tolerance();
  void a_constant_stands_in();
  void corrects_the_tested_ones();
  void as_json();
};

void ClaimsTest::reproduced_when_the_interval_is_above() {
  const ClaimResult result = decide(greater(), sleep_data);
  QCOMPARE(result.verdict, Verdict::reproduced);
  QCOMPARE(
      result.reason,
      std::string("95 % interval of the difference [0.7001, 2.46] over 10 seeds lies above 0"));
  QVERIFY(std::abs(result.difference - 1.58) < 1e-12);
  QVERIFY(std::abs(result.left_mean - 2.33) < 1e-12);
  QVERIFY(std::abs(result.right_mean - 0.75) < 1e-12);
  QVERIFY(std::abs(result.p_value - 0.0028328901973842727) < 1e-12);
  QVERIFY(std::abs(result.effect_size - 1.2845575625910544) < 1e-12);
  QVERIFY(result.tested);
  QCOMPARE(result.pairs.size(), std::size_t{10});
  // A negative margin: not worse by more than.
  QCOMPARE(decide(greater(-1.0), sleep_data).verdict, Verdict::reproduced);
  QCOMPARE(decide(greater(0.70), sleep_data).verdict, Verdict::reproduced);
}

void ClaimsTest::not_reproduced_when_it_is_below() {
  ClaimSpec claim = greater(2.5);
  claim.unit = "h";
  const ClaimResult result = decide(claim, sleep_data);
  QCOMPARE(result.verdict, Verdict::not_reproduced);
  QCOMPARE(result.reason, std::string("95 % interval of the difference [0.7001, 2.46] h over 10 "
                                      "seeds lies at or below 2.5"));
  // The interval is of the difference itself, whatever the margin.
  QVERIFY(std::abs(result.interval_low - 0.70011423672301720) < 1e-12);
  // No difference at all is not greater.
  const std::vector<double> same = {1, 2, 3, 4, 5};
  QCOMPARE(decide(greater(), pairs_of(same, same)).verdict, Verdict::not_reproduced);
}

void ClaimsTest::undecided_when_it_holds_the_margin() {
  const ClaimResult result = decide(greater(0.71), sleep_data);
  QCOMPARE(result.verdict, Verdict::undecided);
  VERIFY_HOLDS(result.reason, "[0.7001, 2.46] over 10 seeds holds 0.71");
  QVERIFY(result.p_value > 0.05);
  QCOMPARE(decide(greater(2.45), sleep_data).verdict, Verdict::undecided);
}

void ClaimsTest::few_seeds_are_undecided_with_their_interval() {
  const std::vector<ClaimPair> four = pairs_of({5, 6, 7, 8}, {1, 2, 3, 3.9});
  const ClaimResult result = decide(greater(), four);
  QCOMPARE(result.verdict, Verdict::undecided);
  VERIFY_HOLDS(result.reason, "over 4 seeds; a verdict needs at least 5");
  QVERIFY(result.interval_low > 3.0 && result.interval_high < 5.0);
  // One more seed decides.
  QCOMPARE(decide(greater(), pairs_of({5, 6, 7, 8, 9}, {1, 2, 3, 3.9, 5})).verdict,
           Verdict::reproduced);
  const ClaimResult one = decide(greater(), pairs_of({2}, {1}));
  QCOMPARE(one.verdict, Verdict::undecided);
  QCOMPARE(one.reason, std::string("difference 1 over 1 seed; a verdict needs at least 5"));
  QVERIFY(!one.tested && std::isnan(one.interval_low));
  const ClaimResult none = decide(greater(), {});
  QCOMPARE(none.verdict, Verdict::undecided);
  QCOMPARE(none.reason, std::string("no finished runs"));
}

void ClaimsTest::a_seed_counts_once() {
  std::vector<ClaimPair> pairs = pairs_of({5, 6, 7, 8}, {1, 2, 3, 3.9});
  pairs.push_back(pairs.front());
  const ClaimResult result = decide(greater(), pairs);
  QCOMPARE(result.pairs.size(), std::size_t{4});
  QCOMPARE(result.verdict, Verdict::undecided);
}

void ClaimsTest::broken_values_are_undecided() {
  std::vector<ClaimPair> pairs = sleep_data;
  pairs[2].right = std::nan("");
  const ClaimResult result = decide(greater(), pairs);
  QCOMPARE(result.verdict, Verdict::undecided);
  QCOMPARE(result.reason, std::string("seed 3: the right side is no finite number"));
  QCOMPARE(result.p_value, 1.0);
  pairs = sleep_data;
  pairs[0].left = HUGE_VAL;
  QCOMPARE(decide(equal(1.0), pairs).verdict, Verdict::undecided);
}

void ClaimsTest::equal_by_the_tolerance() {
  // One seed is enough: a parameter count is no sample.
  QCOMPARE(decide(equal(0.0), pairs_of({3968}, {3968})).verdict, Verdict::reproduced);
  const ClaimResult off = decide(equal(0.0), pairs_of({3968, 3969}, {3968, 3968}));
  QCOMPARE(off.verdict, Verdict::not_reproduced);
  QCOMPARE(off.reason, std::string("largest difference 1 over 2 seeds is above the tolerance 0"));
  const ClaimResult near = decide(equal(0.5), pairs_of({1.5, 0.75}, {1.0, 1.0}));
  QCOMPARE(near.verdict, Verdict::reproduced);
  QCOMPARE(near.interval_low, -0.25);
  QCOMPARE(near.interval_high, 0.5);
  QVERIFY(!near.tested);
}

void ClaimsTest::a_constant_stands_in() {
  ClaimSpec claim = equal(0.0);
  claim.constant = 3968.0;
  const ClaimResult result = decide(claim, pairs_of({3968}, {0}));
  QCOMPARE(result.verdict, Verdict::reproduced);
  QCOMPARE(result.right_mean, 3968.0);
  QCOMPARE(result.pairs[0].right, 3968.0);
}

void ClaimsTest::corrects_the_tested_ones() {
  std::vector<ClaimResult> results(4);
  results[0].p_value = 0.01;
  results[1].p_value = 1.0;  // an "equal" claim: no test, not counted
  results[2].p_value = 0.04;
  results[3].p_value = 0.03;
  for (const std::size_t i : {0U, 2U, 3U}) results[i].tested = true;
  correct_for_several(results);
  QVERIFY(std::abs(results[0].p_corrected - 0.03) < 1e-15);
  QCOMPARE(results[1].p_corrected, 1.0);
  QVERIFY(std::abs(results[2].p_corrected - 0.06) < 1e-15);
  QVERIFY(std::abs(results[3].p_corrected - 0.06) < 1e-15);
}

void ClaimsTest::as_json() {
  const Json json = to_json(decide(greater(), sleep_data));
  QCOMPARE(json["claim"].get<std::string>(), std::string("left_is_greater"));
  QCOMPARE(json["verdict"].get<std::string>(), std::string("reproduced"));
  QCOMPARE(json["pairs"].size(), std::size_t{10});
  QCOMPARE(json["pairs"][1]["seed"].get<int>(), 2);
  QCOMPARE(json["interval"].size(), std::size_t{2});
  // NaN is written, not lost.
  QCOMPARE(to_json(decide(greater(), {}))["difference"].get<std::string>(), std::string("nan"));
  QCOMPARE(to_string(Verdict::not_reproduced), std::string("not reproduced"));
}

QTEST_APPLESS_MAIN(ClaimsTest)
#include "claims_test.moc"
