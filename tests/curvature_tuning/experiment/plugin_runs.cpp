#include "curvature_tuning/experiment/plugin_runs.h"

#include <cmath>
#include <filesystem>
#include <limits>

namespace assay::test {

PluginPlace::PluginPlace() {
  set("ASSAY_PLUGINS", ASSAY_TEST_BUILD_DIR "/plugins");
}

std::unique_ptr<QProcess> PluginPlace::start_run(const std::string& experiment,
                                                 const Words& settings) {
  Words words = {"run", "curvature_tuning." + experiment, "--json", "--preset", "quick", "--seed",
                 "1"};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return start(std::move(words));
}

Ended PluginPlace::run(const std::string& experiment, const Words& settings) {
  const auto process = start_run(experiment, settings);
  process->closeWriteChannel();
  return wait(*process, four_minutes);
}

Json PluginPlace::show(const std::string& id) {
  return call({"show", id, "--json"}).json();
}

std::string artifact_file(const std::string& log, const Json& shown, const std::string& key,
                          std::int64_t step) {
  for (const Json& artifact : shown.at("artifacts")) {
    if (artifact.at("key") == key && artifact.at("step") == step) {
      return (std::filesystem::path(log) / artifact.at("path").get<std::string>()).string();
    }
  }
  return {};
}

bool has_artifact(const Json& shown, const std::string& key) {
  for (const Json& artifact : shown.at("artifacts")) {
    if (artifact.at("key") == key) return true;
  }
  return false;
}

double last(const Json& run, const std::string& metric) {
  const Json& metrics = run.at("metrics");
  if (!metrics.contains(metric)) return std::numeric_limits<double>::quiet_NaN();
  const Json& value = metrics.at(metric).at("last");
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace assay::test
