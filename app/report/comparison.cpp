// See comparison.h.
#include "app/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace assay {
namespace {

// The text of a grouping key's value; none: not set.
std::optional<std::string> value_of(const ComparedRun& run, const std::string& key) {
  if (key == "experiment") return run.run.plugin + "." + run.run.experiment;
  if (key == "name") return run.run.name;
  if (key == "run") return run.run.public_id;
  const auto found = run.parameters.find(key);
  if (found == run.parameters.end()) return std::nullopt;
  return to_text(found->second);
}

std::set<std::string> all_keys(const std::vector<ComparedRun>& runs) {
  std::set<std::string> keys;
  for (const ComparedRun& run : runs) {
    for (const auto& [key, value] : run.parameters) keys.insert(key);
  }
  return keys;
}

bool differs(const std::vector<ComparedRun>& runs, const std::string& key) {
  return std::any_of(runs.begin(), runs.end(), [&](const ComparedRun& run) {
    return value_of(run, key) != value_of(runs.front(), key);
  });
}

constexpr std::size_t most_named = 3;  // values in a group's name; the table of differences has all

using Identity = std::vector<std::optional<std::string>>;

// A group is named by what tells it from the others of its experiment, as short as that may be.
std::string group_name(const std::vector<Identity>& identities, std::size_t g,
                       const std::vector<std::string>& keys) {
  const Identity& own = identities[g];
  std::size_t experiment = keys.size();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k] == "experiment") experiment = k;
  }
  std::string name;
  std::size_t named = 0;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    bool needed = k == experiment || identities.size() == 1;
    for (const Identity& other : identities) {
      const bool rival = experiment == keys.size() || other[experiment] == own[experiment];
      needed = needed || (rival && other[k] != own[k]);
    }
    if (!needed || !own[k] || own[k]->empty()) continue;
    if (++named > most_named) return name + ", ...";
    std::string value = *own[k];
    if (k == experiment) value = value.substr(value.find('.') + 1);
    name += (name.empty() ? "" : ", ") + value;
  }
  return name;
}

void name_groups(std::vector<RunGroup>& groups, const std::vector<Identity>& identities,
                 const std::vector<std::string>& keys, const std::vector<ComparedRun>& runs) {
  std::map<std::string, int> seen;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Run& run = runs[groups[g].runs.front()].run;
    std::string& name = groups[g].name;
    if (keys == std::vector<std::string>{"run"}) {
      name = run.name;
    } else {
      name = group_name(identities, g, keys);
    }
    if (name.empty()) name = keys.empty() ? run.experiment : "not set";
    const int times = ++seen[name];
    if (times > 1) name += " (" + std::to_string(times) + ")";
  }
}

}  // namespace

const MetricSummary* ComparedRun::metric(const std::string& key) const {
  for (const MetricSummary& summary : metrics) {
    if (summary.key == key) return &summary;
  }
  return nullptr;
}

std::vector<ComparedRun> read_compared(Log& log, const std::vector<std::string>& ids) {
  std::vector<ComparedRun> runs;
  for (const std::string& id : ids) {
    ComparedRun entry;
    entry.run = log.run(log.find(id).id);
    const bool known = std::any_of(runs.begin(), runs.end(), [&entry](const ComparedRun& other) {
      return other.run.id == entry.run.id;
    });
    if (known) continue;
    entry.parameters = log.parameters(entry.run.id);
    entry.metrics = log.metrics(entry.run.id);
    runs.push_back(std::move(entry));
  }
  return runs;
}

std::vector<std::string> grouping_choices(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> choices{"experiment", "name", "run"};
  for (const std::string& key : all_keys(runs)) choices.push_back(key);
  return choices;
}

std::vector<std::string> differing(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> keys;
  if (runs.empty()) return keys;
  if (differs(runs, "experiment")) keys.emplace_back("experiment");
  for (const std::string& key : all_keys(runs)) {
    if (differs(runs, key)) keys.push_back(key);
  }
  return keys;
}

std::vector<RunGroup> group_runs(const std::vector<ComparedRun>& runs,
                                 const std::vector<std::string>& keys) {
  std::vector<RunGroup> groups;
  std::vector<std::vector<std::optional<std::string>>> identities;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<std::optional<std::string>> identity;
    for (const std::string& key : keys) identity.push_back(value_of(runs[i], key));
    const auto found = std::find(identities.begin(), identities.end(), identity);
    if (found != identities.end()) {
      groups[static_cast<std::size_t>(found - identities.begin())].runs.push_back(i);
      continue;
    }
    RunGroup group;
    group.runs.push_back(i);
    groups.push_back(std::move(group));
    identities.push_back(std::move(identity));
  }
  name_groups(groups, identities, keys, runs);
  for (RunGroup& group : groups) {
    std::stable_sort(group.runs.begin(), group.runs.end(), [&runs](std::size_t a, std::size_t b) {
      return runs[a].run.seed < runs[b].run.seed;
    });
  }
  return groups;
}

std::vector<DifferenceRow> differences(const std::vector<ComparedRun>& runs,
                                       const std::vector<RunGroup>& groups) {
  std::vector<DifferenceRow> rows;
  if (runs.empty()) return rows;
  std::vector<std::string> keys{"experiment"};
  for (const std::string& key : all_keys(runs)) keys.push_back(key);
  for (const std::string& key : keys) {
    DifferenceRow row;
    row.key = key;
    row.equal = !differs(runs, key);
    for (const RunGroup& group : groups) {
      std::vector<std::string> seen;
      bool set = false;
      for (const std::size_t i : group.runs) {
        const auto value = value_of(runs[i], key);
        set = set || value.has_value();
        const std::string text = value.value_or("not set");
        if (std::find(seen.begin(), seen.end(), text) == seen.end()) seen.push_back(text);
      }
      std::string joined;
      for (const std::string& text : seen) joined += (joined.empty() ? "" : " | ") + text;
      row.values.push_back(joined);
      row.set.push_back(set);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

// One value for each seed: runs of one group that share a seed are averaged.
std::map<std::uint64_t, double> by_seed(const ResultRow& row) {
  std::map<std::uint64_t, std::pair<double, int>> sums;
  for (const auto& [seed, value] : row.values) {
    sums[seed].first += value;
    ++sums[seed].second;
  }
  std::map<std::uint64_t, double> means;
  for (const auto& [seed, sum] : sums) means[seed] = sum.first / sum.second;
  return means;
}

ResultRow result_row(const std::vector<ComparedRun>& runs, const RunGroup& group,
                     std::size_t number, const std::string& metric, MetricValue which) {
  ResultRow row;
  row.group = number;
  std::vector<double> values;
  for (const std::size_t i : group.runs) {
    const MetricSummary* summary = runs[i].metric(metric);
    double value = std::nan("");
    if (summary != nullptr) {
      value = which == MetricValue::best ? summary->best.value_or(std::nan("")) : summary->last;
    }
    if (!std::isfinite(value)) {
      ++row.missing;
      continue;
    }
    row.values.emplace_back(runs[i].run.seed, value);
    values.push_back(value);
  }
  row.summary = summarize(values);
  return row;
}

void compare_with_baseline(ResultTable& table) {
  const auto base = by_seed(table.rows[table.baseline]);
  for (std::size_t g = 0; g < table.rows.size(); ++g) {
    if (g == table.baseline) continue;
    std::vector<double> ours, theirs;
    for (const auto& [seed, value] : by_seed(table.rows[g])) {
      const auto pair = base.find(seed);
      if (pair == base.end()) continue;
      ours.push_back(value);
      theirs.push_back(pair->second);
    }
    if (ours.size() < 5) table.small_sample = true;
    if (!ours.empty()) table.rows[g].against = paired_test(ours, theirs);
  }
}

void mark_best(ResultTable& table) {
  if (table.better == Better::neither || table.rows.size() < 2) return;
  const double sign = table.better == Better::higher ? 1.0 : -1.0;
  double best = -std::numeric_limits<double>::infinity();
  int rivals = 0;
  for (const ResultRow& row : table.rows) {
    if (row.summary.count == 0) continue;
    ++rivals;
    best = std::max(best, sign * row.summary.mean);
  }
  if (rivals < 2) return;
  for (ResultRow& row : table.rows) {
    row.best = row.summary.count > 0 && sign * row.summary.mean == best;
  }
}

}  // namespace

std::vector<ResultTable> results(const std::vector<ComparedRun>& runs,
                                 const std::vector<RunGroup>& groups,
                                 const std::vector<std::pair<std::string, Better>>& metrics,
                                 std::size_t baseline, MetricValue value) {
  std::vector<ResultTable> tables;
  if (groups.empty()) return tables;
  for (const auto& [metric, better] : metrics) {
    ResultTable table;
    table.metric = metric;
    table.better = better;
    table.baseline = std::min(baseline, groups.size() - 1);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      table.rows.push_back(result_row(runs, groups[g], g, metric, value));
    }
    compare_with_baseline(table);
    mark_best(table);
    tables.push_back(std::move(table));
  }
  std::vector<double> p;
  std::vector<ResultRow*> tested;
  for (ResultTable& table : tables) {
    for (ResultRow& row : table.rows) {
      if (!row.against || row.against->count < 2) continue;
      p.push_back(row.against->p);
      tested.push_back(&row);
    }
  }
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < tested.size(); ++i) tested[i]->p_corrected = corrected[i];
  return tables;
}

MeanCurve mean_curve(const std::vector<std::vector<MetricPoint>>& curves) {
  MeanCurve result;
  std::map<std::int64_t, std::vector<double>> at;
  for (const auto& curve : curves) {
    if (!curve.empty()) ++result.runs;
    for (const MetricPoint& point : curve) at[point.step].push_back(point.value);
  }
  const bool common = std::any_of(at.begin(), at.end(), [&result](const auto& entry) {
    return entry.second.size() == result.runs;
  });
  for (const auto& [step, values] : at) {
    if (common && values.size() != result.runs) continue;
    const Summary summary = summarize(values);
    result.step.push_back(static_cast<double>(step));
    result.mean.push_back(summary.mean);
    result.low.push_back(summary.low);
    result.high.push_back(summary.high);
  }
  return result;
}

}  // namespace assay
