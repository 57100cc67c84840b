// Runs of this plugin's experiments for tests: the real runner, the built plugin.
#pragma once

#include "runner/harness.h"

namespace assay::test {

// A workplace that sees the built plugins instead of the test ones.
class PluginPlace : public Workplace {
 public:
  PluginPlace();
  // `assay-run run curvature_tuning.EXPERIMENT --preset quick --json --seed 1`, each setting by
  // --set. Waits up to four minutes.
  Ended run(const std::string& experiment, const Words& settings);
  std::unique_ptr<QProcess> start_run(const std::string& experiment, const Words& settings);
  Json show(const std::string& id);
};

// The file of one artifact; empty when there is none.
std::string artifact_file(const std::string& log, const Json& shown, const std::string& key,
                          std::int64_t step);
bool has_artifact(const Json& shown, const std::string& key);
double last(const Json& run, const std::string& metric);  // NaN when there is none

inline constexpr int four_minutes = 240000;

}  // namespace assay::test
