// Groups, differences, results: the numbers of the Compare page and of reports.
#include "app/report/comparison.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace assay;

namespace {

ComparedRun made(const std::string& method, std::uint64_t seed, double accuracy,
                 std::optional<std::int64_t> rank = {}) {
  ComparedRun run;
  run.run.id = static_cast<std::int64_t>(seed) + (method == "a" ? 100 : 200);
  run.run.public_id = method + std::to_string(seed);
  run.run.name = run.run.public_id;
  run.run.plugin = "p";
  run.run.experiment = "e";
  run.run.seed = seed;
  run.parameters["method"] = method;
  run.parameters["rate"] = 0.1;
  if (rank) run.parameters["rank"] = *rank;
  MetricSummary metric;
  metric.key = "accuracy";
  metric.last = accuracy;
  metric.best = accuracy + 0.01;
  run.metrics = {metric};
  return run;
}

std::vector<ComparedRun> six() {
  return {made("a", 2, 0.82),    made("a", 1, 0.80),    made("a", 3, 0.84),
          made("b", 1, 0.70, 4), made("b", 3, 0.75, 4), made("b", 2, 0.71, 4)};
}

}  // namespace

class ComparisonTest : public QObject {
  Q_OBJECT
 private slots:
  void differingLeavesOutSeedsAndEqualOnes() {
    QCOMPARE(differing(six()), (std::vector<std::string>{"method", "rank"}));
    QVERIFY(differing({}).empty());
    QVERIFY(differing({made("a", 1, 0), made("a", 2, 0)}).empty());
  }

  void missingIsNotEqualToAnyValue() {
    auto runs = six();
    const auto groups = group_runs(runs, {"method"});
    const auto rows = differences(runs, groups);
    bool seen = false;
    for (const DifferenceRow& row : rows) {
      if (row.key != "rank") continue;
      seen = true;
      QVERIFY(!row.equal);
      QCOMPARE(row.values, (std::vector<std::string>{"not set", "4"}));
      QCOMPARE(row.set, (std::vector<bool>{false, true}));
    }
    QVERIFY(seen);
    // The text "not set" as a value is set.
    runs[0].parameters["rank"] = std::string("not set");
    QCOMPARE(group_runs(runs, {"rank"}).size(), std::size_t{3});
  }

  void groupsKeepOrderAndSortSeeds() {
    const auto runs = six();
    const auto groups = group_runs(runs, {"method"});
    QCOMPARE(groups.size(), std::size_t{2});
    QCOMPARE(groups[0].name, std::string("a"));
    QCOMPARE(groups[0].runs, (std::vector<std::size_t>{1, 0, 2}));
    QCOMPARE(group_runs(runs, {}).size(), std::size_t{1});
    QCOMPARE(group_runs(runs, {"run"}).size(), std::size_t{6});
    QVERIFY(group_runs({}, {"method"}).empty());
  }

  void groupsAreNamedByWhatTellsThemApart() {
    auto runs = six();
    ComparedRun other = made("c", 1, 0.5);
    other.run.experiment = "elsewhere";
    other.parameters = {{"depth", std::int64_t{3}}};
    runs.push_back(other);
    const auto groups = group_runs(runs, differing(runs));
    QCOMPARE(groups.size(), std::size_t{3});
    QCOMPARE(groups[0].name, std::string("e, a"));
    QCOMPARE(groups[1].name, std::string("e, b, 4"));
    QCOMPARE(groups[2].name, std::string("elsewhere"));
  }

  void resultsPairBySeed() {
    const auto runs = six();
    const auto groups = group_runs(runs, {"method"});
    const auto tables = results(runs, groups, {{"accuracy", Better::higher}}, 1);
    const ResultTable& table = tables.front();
    QVERIFY(table.rows[0].best && !table.rows[1].best);
    QVERIFY(!table.rows[1].against);
    QCOMPARE(table.rows[0].against->count, std::size_t{3});
    // By seed: 0.80-0.70, 0.82-0.71, 0.84-0.75.
    QVERIFY(std::abs(table.rows[0].against->mean_difference - 0.10) < 1e-12);
    QVERIFY(table.small_sample);
    const PairedTest direct =
        paired_test(std::vector<double>{0.80, 0.82, 0.84}, std::vector<double>{0.70, 0.71, 0.75});
    QCOMPARE(table.rows[0].against->p, direct.p);
    QCOMPARE(table.rows[0].p_corrected, direct.p);  // one test: nothing to correct
  }

  void unpairedSeedsAreLeftOut() {
    auto runs = six();
    runs.pop_back();  // b has no seed 2 any more
    const auto groups = group_runs(runs, {"method"});
    const auto tables = results(runs, groups, {{"accuracy", Better::higher}}, 1);
    QCOMPARE(tables[0].rows[0].summary.count, std::size_t{3});
    QCOMPARE(tables[0].rows[0].against->count, std::size_t{2});
  }

  void holmIsOverAllTables() {
    auto runs = six();
    for (auto& run : runs) {
      MetricSummary other = run.metrics[0];
      other.key = "other";
      run.metrics.push_back(other);
    }
    const auto groups = group_runs(runs, {"method"});
    const auto one = results(runs, groups, {{"accuracy", Better::higher}}, 1);
    const auto two =
        results(runs, groups, {{"accuracy", Better::higher}, {"other", Better::higher}}, 1);
    QCOMPARE(two[0].rows[0].p_corrected, std::min(1.0, 2 * one[0].rows[0].p_corrected));
  }

  void valuesThatAreNotFiniteAreCountedNotUsed() {
    auto runs = six();
    runs[0].metrics[0].last = std::numeric_limits<double>::quiet_NaN();
    runs[1].metrics.clear();
    const auto groups = group_runs(runs, {"method"});
    const auto tables = results(runs, groups, {{"accuracy", Better::higher}}, 1);
    QCOMPARE(tables[0].rows[0].missing, std::size_t{2});
    QCOMPARE(tables[0].rows[0].summary.count, std::size_t{1});
    QVERIFY(std::isfinite(tables[0].rows[0].summary.mean));
  }

  void lowerIsBetterToo() {
    const auto runs = six();
    const auto groups = group_runs(runs, {"method"});
    const auto tables = results(runs, groups, {{"accuracy", Better::lower}}, 0);
    QVERIFY(!tables[0].rows[0].best && tables[0].rows[1].best);
    const auto neither = results(runs, groups, {{"accuracy", Better::neither}}, 0);
    QVERIFY(!neither[0].rows[0].best && !neither[0].rows[1].best);
    QCOMPARE(results(runs, groups, {{"accuracy", Better::higher}}, 0, MetricValue::best)[0]
                 .rows[0]
                 .summary.maximum,
             0.85);
  }

  void meanCurveOverCommonSteps() {
    const auto curve = [](std::vector<std::pair<int, double>> points) {
      std::vector<MetricPoint> result;
      for (const auto& [step, value] : points) result.push_back({step, value, 0.0});
      return result;
    };
    const MeanCurve mean =
        mean_curve({curve({{0, 1}, {1, 2}, {2, 3}}), curve({{0, 3}, {1, 4}}), {}});
    QCOMPARE(mean.runs, std::size_t{2});
    QCOMPARE(mean.step, (std::vector<double>{0, 1}));  // step 2 would jump: only one run has it
    QCOMPARE(mean.mean, (std::vector<double>{2, 3}));
    QVERIFY(mean.low[0] < 1.0 && mean.high[0] > 3.0);
    const MeanCurve apart = mean_curve({curve({{0, 1}}), curve({{5, 3}})});
    QCOMPARE(apart.step, (std::vector<double>{0, 5}));
    QVERIFY(mean_curve({}).step.empty());
  }
};

QTEST_APPLESS_MAIN(ComparisonTest)
#include "comparison_test.moc"
