// What the run views read from the log: curves over beta, final values, stored pictures.
#pragma once

#include <QImage>
#include <optional>
#include <string>
#include <vector>

#include "core/log/log.h"

namespace assay::curvature_tuning {

struct Series {
  std::vector<double> x, y;  // in order of x
};

// Joins two metrics that share their index: beta against what was measured at it.
Series over_beta(Log& log, const Run& run, const std::string& beta_key, const std::string& key);
std::optional<double> last_value(const std::vector<MetricSummary>& metrics, const std::string& key);

struct Picture {
  std::int64_t step = 0;
  std::string file;  // absolute
};
std::vector<Picture> pictures(Log& log, const Run& run, const std::string& key);
QImage load(const Picture& picture);  // null when the file is missing or damaged

}  // namespace assay::curvature_tuning
