// Several runs against each other: groups, what differs, results with intervals and paired tests.
// No Qt: the Compare page and the reports show the same numbers because they come from here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/log/log.h"
#include "core/stats/stats.h"

namespace assay {

struct ComparedRun {
  Run run;
  std::map<std::string, Value> parameters;
  std::vector<MetricSummary> metrics;
  const MetricSummary* metric(const std::string& key) const;  // nullptr: has none
};

// Reads runs by public id, in the order given, each once. Throws Error.
std::vector<ComparedRun> read_compared(Log& log, const std::vector<std::string>& ids);

struct RunGroup {
  std::string name;               // "trainable_ct, 0.1"
  std::vector<std::size_t> runs;  // indices, by seed
};

// What runs may be grouped by: parameter keys; "experiment" and "name" are the run's own; "run"
// keeps each run by itself.
std::vector<std::string> grouping_choices(const std::vector<ComparedRun>& runs);
// Parameters (and "experiment") whose values are not the same in all runs. A value that is not set
// differs from every set one. Seeds are no parameters and never here.
std::vector<std::string> differing(const std::vector<ComparedRun>& runs);
// Runs with the same values of all keys form a group; groups stand in the order of their first run.
// With no key there is one group.
std::vector<RunGroup> group_runs(const std::vector<ComparedRun>& runs,
                                 const std::vector<std::string>& keys);

struct DifferenceRow {
  std::string key;
  std::vector<std::string> values;  // per group; several different ones joined by " | "
  std::vector<bool> set;            // false: no run of the group has it
  bool equal = true;
};
std::vector<DifferenceRow> differences(const std::vector<ComparedRun>& runs,
                                       const std::vector<RunGroup>& groups);

enum class MetricValue { last, best };
struct ResultRow {
  std::size_t group = 0;
  Summary summary;                    // over the runs that have a finite value
  std::size_t missing = 0;            // runs without the metric or with a value that is not finite
  std::optional<PairedTest> against;  // baseline; over the seeds that both have
  double p_corrected = 1.0;           // Holm, over all tests of all tables made together
  bool best = false;
  std::vector<std::pair<std::uint64_t, double>> values;  // seed, value
};
struct ResultTable {
  std::string metric;
  Better better = Better::neither;
  std::size_t baseline = 0;
  std::vector<ResultRow> rows;  // one per group
  bool small_sample = false;    // fewer than five pairs somewhere
};
std::vector<ResultTable> results(const std::vector<ComparedRun>& runs,
                                 const std::vector<RunGroup>& groups,
                                 const std::vector<std::pair<std::string, Better>>& metrics,
                                 std::size_t baseline, MetricValue value = MetricValue::last);

// Mean and 95 % interval over runs, at the steps that all of them have (or any, when none is
// common).
struct MeanCurve {
  std::vector<double> step, mean, low, high;
  std::size_t runs = 0;
};
MeanCurve mean_curve(const std::vector<std::vector<MetricPoint>>& curves);

}  // namespace assay
