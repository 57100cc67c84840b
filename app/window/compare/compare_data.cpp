// See compare_data.h.
#include "app/window/compare/compare_data.h"

#include <algorithm>

namespace assay {

CompareData read_compare(Log& log, const std::vector<std::string>& ids, std::string metric) {
  CompareData data;
  data.runs = read_compared(log, ids);
  std::map<std::string, int> counts;
  for (const ComparedRun& run : data.runs) {
    for (const MetricSummary& summary : run.metrics) ++counts[summary.key];
  }
  if (!counts.contains(metric)) {
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    metric = most == counts.end() ? std::string() : most->first;
  }
  data.metric = metric;
  for (const ComparedRun& run : data.runs) {
    if (run.metric(metric) != nullptr) {
      data.curves.emplace(run.run.id, log.curve(run.run.id, metric));
    }
    data.artifacts.emplace(run.run.id, log.artifacts(run.run.id));
  }
  return data;
}

}  // namespace assay
