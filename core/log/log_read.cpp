// Reading one run: parameters, curves, events, artifacts; and what the log holds as a whole.
#include <fmt/format.h>

#include <limits>

#include "core/log/log_state.h"
#include "core/log/run_columns.h"
#include "core/log/stored_value.h"

namespace assay {
namespace {

std::vector<std::string> first_column(SQLite::Statement statement) {
  std::vector<std::string> texts;
  while (statement.executeStep()) texts.push_back(statement.getColumn(0).getString());
  return texts;
}

EventLevel level_from(int number) {
  if (number <= 0) return EventLevel::info;
  return number == 1 ? EventLevel::warning : EventLevel::error;
}

}  // namespace

std::map<std::string, Value> Log::parameters(std::int64_t id) {
  const ParameterSet set = parameter_set(id);
  std::map<std::string, Value> values;
  for (const auto& [key, parameter] : set.all()) values.emplace(key, parameter.value);
  return values;
}

ParameterSet Log::parameter_set(std::int64_t id) {
  return state_->read([&] {
    SQLite::Statement select =
        state_->prepare("SELECT key, type, number, text, origin FROM parameter WHERE run = ?");
    select.bind(1, id);
    ParameterSet set;
    while (select.executeStep()) {
      set.set(select.getColumn(0).getString(), read_value(select, 1),
              origin_from(select.getColumn(4).getString()));
    }
    return set;
  });
}

std::vector<MetricSummary> Log::metrics(std::int64_t id) {
  return state_->read([&] {
    SQLite::Statement select = state_->prepare(
        "SELECT metric_key.name, last, best, step, best_step, first_step FROM metric_latest JOIN "
        "metric_key ON metric_key.id = key WHERE run = ? ORDER BY metric_key.name");
    select.bind(1, id);
    std::vector<MetricSummary> metrics;
    while (select.executeStep()) {
      MetricSummary metric;
      metric.key = select.getColumn(0).getString();
      metric.last = real_or_nan(select.getColumn(1));
      metric.best = optional_real(select.getColumn(2));
      metric.step = select.getColumn(3).getInt64();
      metric.best_step = select.getColumn(4).getInt64();
      metric.first_step = select.getColumn(5).getInt64();
      metrics.push_back(std::move(metric));
    }
    return metrics;
  });
}

std::vector<MetricPoint> Log::curve(std::int64_t id, const std::string& key,
                                    std::optional<std::int64_t> after_step) {
  return state_->read([&] {
    SQLite::Statement select =
        state_->prepare(fmt::format("SELECT step, value, seconds FROM metric WHERE run = ? AND key "
                                    "= (SELECT id FROM metric_key "
                                    "WHERE name = ?) {} ORDER BY step",
                                    after_step ? "AND step > ?" : ""));
    select.bind(1, id);
    select.bind(2, key);
    if (after_step) select.bind(3, *after_step);
    std::vector<MetricPoint> points;
    while (select.executeStep()) {
      points.push_back({select.getColumn(0).getInt64(), real_or_nan(select.getColumn(1)),
                        select.getColumn(2).getDouble()});
    }
    return points;
  });
}

std::vector<Event> Log::events(std::int64_t id, std::int64_t after_event, std::int64_t limit) {
  return state_->read([&] {
    SQLite::Statement select = state_->prepare(
        "SELECT id, time, level, text FROM event WHERE run = ? AND id > ? ORDER BY id LIMIT ?");
    select.bind(1, id);
    select.bind(2, after_event);
    select.bind(3, limit);
    std::vector<Event> events;
    while (select.executeStep()) {
      events.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getDouble(),
                        level_from(select.getColumn(2).getInt()), select.getColumn(3).getString()});
    }
    return events;
  });
}

std::vector<Artifact> Log::artifacts(std::int64_t id, std::int64_t after_artifact) {
  return state_->read([&] {
    SQLite::Statement select = state_->prepare(
        "SELECT id, key, kind, step, path, bytes, sha256, meta FROM artifact WHERE "
        "run = ? AND id > ? ORDER BY id");
    select.bind(1, id);
    select.bind(2, after_artifact);
    std::vector<Artifact> artifacts;
    while (select.executeStep()) {
      Artifact artifact;
      artifact.id = select.getColumn(0).getInt64();
      artifact.key = select.getColumn(1).getString();
      artifact.kind = select.getColumn(2).getString();
      artifact.step = select.getColumn(3).getInt64();
      artifact.path = select.getColumn(4).getString();
      artifact.bytes = static_cast<std::uint64_t>(select.getColumn(5).getInt64());
      artifact.sha256 = select.getColumn(6).getString();
      artifact.meta = Json::parse(select.getColumn(7).getString());
      artifacts.push_back(std::move(artifact));
    }
    return artifacts;
  });
}

std::map<std::string, double> Log::timings(std::int64_t id) {
  return state_->read([&] {
    SQLite::Statement select = state_->prepare("SELECT key, seconds FROM timing WHERE run = ?");
    select.bind(1, id);
    std::map<std::string, double> timings;
    while (select.executeStep()) {
      timings.emplace(select.getColumn(0).getString(), select.getColumn(1).getDouble());
    }
    return timings;
  });
}

std::vector<std::string> Log::metric_keys() {
  return state_->read([&] {
    return first_column(state_->prepare(
        "SELECT name FROM metric_key WHERE EXISTS (SELECT 1 FROM metric_latest JOIN run ON run.id "
        "= "
        "metric_latest.run WHERE metric_latest.key = metric_key.id AND run.trashed IS NULL) "
        "ORDER BY name"));
  });
}

std::vector<std::string> Log::parameter_keys() {
  // From key to key along the primary key, instead of over all rows.
  return state_->read([&] {
    return first_column(state_->prepare(
        "WITH RECURSIVE known(key) AS (SELECT min(key) FROM parameter UNION ALL SELECT (SELECT "
        "min(key) FROM parameter WHERE key > known.key) FROM known WHERE known.key IS NOT NULL) "
        "SELECT key FROM known WHERE EXISTS (SELECT 1 FROM parameter JOIN run ON run.id = "
        "parameter.run WHERE parameter.key = known.key AND run.trashed IS NULL)"));
  });
}

std::map<RunState, std::int64_t> Log::state_counts() {
  return state_->read([&] {
    SQLite::Statement select =
        state_->prepare("SELECT state, count(*) FROM run WHERE trashed IS NULL GROUP BY state");
    std::map<RunState, std::int64_t> counts;
    while (select.executeStep()) {
      const auto state = run_state_from(select.getColumn(0).getString());
      if (state) counts[*state] = select.getColumn(1).getInt64();
    }
    return counts;
  });
}

std::map<std::string, std::int64_t> Log::runs_per_plugin() {
  return state_->read([&] {
    SQLite::Statement select =
        state_->prepare("SELECT plugin, count(*) FROM run WHERE trashed IS NULL GROUP BY plugin");
    std::map<std::string, std::int64_t> counts;
    while (select.executeStep()) {
      counts[select.getColumn(0).getString()] = select.getColumn(1).getInt64();
    }
    return counts;
  });
}

}  // namespace assay
