// What is known of one run as JSON: `assay-run run|show --json`.
#include "core/engine/engine.h"

namespace assay {
namespace {

Json optional_number(const std::optional<double>& value) {
  return value ? number_to_json(*value) : Json(nullptr);
}

Json metrics_of(Log& log, const Run& run) {
  Json metrics = Json::object();
  for (const MetricSummary& metric : log.metrics(run.id)) {
    metrics[metric.key] = Json{{"last", number_to_json(metric.last)},
                               {"best", optional_number(metric.best)},
                               {"step", metric.step}};
  }
  return metrics;
}

Json timings_of(Log& log, const Run& run) {
  Json timings = Json::object();
  for (const auto& [key, seconds] : log.timings(run.id)) timings[key] = number_to_json(seconds);
  return timings;
}

const char* name_of(EventLevel level) {
  if (level == EventLevel::warning) return "warning";
  return level == EventLevel::error ? "error" : "info";
}

void add_details(Json& json, Log& log, const Run& run) {
  Json parameters = Json::object();
  for (const auto& [key, value] : log.parameters(run.id)) parameters[key] = to_json(value);
  json["parameters"] = std::move(parameters);
  json["provenance"] = run.provenance;
  Json events = Json::array();
  for (const Event& event : log.events(run.id)) {
    events.push_back({{"time", event.time}, {"level", name_of(event.level)}, {"text", event.text}});
  }
  json["events"] = std::move(events);
  Json artifacts = Json::array();
  for (const Artifact& artifact : log.artifacts(run.id)) {
    artifacts.push_back({{"key", artifact.key},
                         {"kind", artifact.kind},
                         {"step", artifact.step},
                         {"path", artifact.path},
                         {"bytes", artifact.bytes},
                         {"sha256", artifact.sha256},
                         {"meta", artifact.meta}});
  }
  json["artifacts"] = std::move(artifacts);
}

}  // namespace

Json describe_run(Log& log, const Run& run, bool full) {
  const Run now = log.run(run.id);
  Json json;
  json["run"] = now.public_id;
  json["name"] = now.name;
  json["plugin"] = now.plugin;
  json["experiment"] = now.experiment;
  json["preset"] = now.preset;
  json["seed"] = now.seed;
  json["threads"] = now.threads;
  json["state"] = to_string(now.state);
  json["reason"] = now.reason;
  json["exit_code"] = now.exit_code ? Json(*now.exit_code) : Json(nullptr);
  json["metrics"] = metrics_of(log, now);
  json["state_sha256"] = now.state_sha256;
  json["seconds"] = now.seconds;
  json["timings"] = timings_of(log, now);
  json["log"] = log.directory().string();
  if (full) add_details(json, log, now);
  return json;
}

}  // namespace assay
