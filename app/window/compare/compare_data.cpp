// See compare_data.h.
#include "app/window/compare/compare_data.h"

#include <algorithm>

namespace assay {

namespace {

// How much a metric says: more runs first, then what the manifest says of it.
int worth(const std::vector<Manifest>& plugins, const std::vector<ComparedRun>& runs,
          const std::string& key) {
  int count = 0, said = 0;
  for (const ComparedRun& run : runs) {
    if (run.metric(key) == nullptr) continue;
    ++count;
    for (const Manifest& plugin : plugins) {
      const ExperimentSpec* experiment =
          plugin.id == run.run.plugin ? plugin.experiment(run.run.experiment) : nullptr;
      const MetricSpec* spec = experiment != nullptr ? experiment->metric(key) : nullptr;
      if (spec == nullptr) continue;
      const int better = spec->better == Better::higher ? 4 : spec->better == Better::lower ? 3 : 0;
      said = std::max(said, (spec->shown ? 8 : 0) + better);
    }
  }
  return count * 16 + said;
}

}  // namespace

CompareData read_compare(Log& log, const std::vector<Manifest>& plugins,
                         const std::vector<std::string>& ids, std::string metric) {
  CompareData data;
  data.runs = read_compared(log, ids);
  bool known = false;
  std::string chosen;
  int most = -1;
  for (const ComparedRun& run : data.runs) {
    known = known || run.metric(metric) != nullptr;
    for (const MetricSummary& summary : run.metrics) {
      const int points = worth(plugins, data.runs, summary.key);
      // Of equals the later one: "test_accuracy" after "best_epoch".
      if (points > most || (points == most && summary.key > chosen)) {
        most = points;
        chosen = summary.key;
      }
    }
  }
  data.metric = known ? metric : chosen;
  for (const ComparedRun& run : data.runs) {
    if (run.metric(data.metric) != nullptr) {
      data.curves.emplace(run.run.id, log.curve(run.run.id, data.metric));
    }
    data.artifacts.emplace(run.run.id, log.artifacts(run.run.id));
  }
  return data;
}

}  // namespace assay
