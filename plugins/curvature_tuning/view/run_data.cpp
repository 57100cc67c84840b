#include "plugins/curvature_tuning/view/run_data.h"

#include <algorithm>
#include <map>

namespace assay::curvature_tuning {

Series over_beta(Log& log, const Run& run, const std::string& beta_key, const std::string& key) {
  std::map<std::int64_t, double> betas;
  for (const MetricPoint& point : log.curve(run.id, beta_key)) betas[point.step] = point.value;
  std::vector<std::pair<double, double>> pairs;
  for (const MetricPoint& point : log.curve(run.id, key)) {
    if (const auto beta = betas.find(point.step); beta != betas.end()) {
      pairs.emplace_back(beta->second, point.value);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  Series series;
  for (const auto& [beta, value] : pairs) {
    series.x.push_back(beta);
    series.y.push_back(value);
  }
  return series;
}

std::optional<double> last_value(const std::vector<MetricSummary>& metrics,
                                 const std::string& key) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const MetricSummary& metric) { return metric.key == key; });
  if (found == metrics.end()) return std::nullopt;
  return found->last;
}

std::vector<Picture> pictures(Log& log, const Run& run, const std::string& key) {
  std::vector<Picture> found;
  for (const Artifact& artifact : log.artifacts(run.id)) {
    if (artifact.key == key && artifact.kind == "image") {
      found.push_back({artifact.step, (log.directory() / artifact.path).string()});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Picture& a, const Picture& b) { return a.step < b.step; });
  return found;
}

QImage load(const Picture& picture) {
  return QImage(QString::fromStdString(picture.file));
}

}  // namespace assay::curvature_tuning
