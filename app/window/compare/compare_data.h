// What the Compare page shows, read off the window's thread.
#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <vector>

#include "app/report/comparison.h"

namespace assay {

struct CompareData {
  std::vector<ComparedRun> runs;
  std::map<std::int64_t, std::vector<MetricPoint>> curves;  // of the metric asked for
  std::string metric;
  std::map<std::int64_t, std::vector<Artifact>> artifacts;
};

// `metric` empty or unknown to all runs: of those that most runs have, one that the manifest shows
// and that has a better direction, a higher one first.
CompareData read_compare(Log& log, const std::vector<Manifest>& plugins,
                         const std::vector<std::string>& ids, std::string metric);

}  // namespace assay
