// The statements that store what a RunWriter has collected.
#include "core/log/batch.h"

#include "core/base/process.h"
#include "core/log/connection.h"
#include "core/log/run_columns.h"

namespace assay {

BatchStore::BatchStore(SQLite::Database& database, std::int64_t run)
    : database_(database),
      run_(run),
      latest_(database, run),
      metric_(database,
              "INSERT OR REPLACE INTO metric(run, key, step, value, seconds) "
              "VALUES (?, ?, ?, ?, ?)"),
      // A replayed line keeps its place; those who have read it need not read it again.
      line_(database,
            "INSERT INTO event(run, ordinal, time, level, text) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT(run, ordinal) DO UPDATE SET time = excluded.time, level = excluded.level, "
            "text = excluded.text WHERE text <> excluded.text OR level <> excluded.level"),
      artifact_(database,
                "INSERT OR REPLACE INTO artifact(run, key, kind, step, path, bytes, sha256, meta) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      timing_(database, "INSERT OR REPLACE INTO timing(run, key, seconds) VALUES (?, ?, ?)"),
      run_row_(database,
               "UPDATE run SET heartbeat = ?, seconds = coalesce(?, seconds), progress_done = "
               "coalesce(?, progress_done), progress_total = coalesce(?, progress_total), "
               "progress_text = coalesce(?, progress_text), steps_per_second = coalesce(?, "
               "steps_per_second), eta_seconds = iif(?, ?, eta_seconds) WHERE id = ?"),
      provenance_(database, "INSERT OR REPLACE INTO provenance(run, json) VALUES (?, ?)"),
      requests_(database, "SELECT kind FROM request WHERE run = ?") {}

void BatchStore::commit(const Batch& batch, const std::vector<MetricKey>& keys, bool durable) {
  if (durable) database_.exec("PRAGMA synchronous=FULL");
  in_transaction(database_, [&] { store(batch, keys); });
  if (durable) database_.exec("PRAGMA synchronous=NORMAL");
}

BatchStore::Asked BatchStore::requests() {
  requests_.bind(1, run_);
  Asked asked;
  while (requests_.executeStep()) {
    const std::string kind = requests_.getColumn(0).getString();
    asked.stop = asked.stop || kind == "stop";
    asked.pause = asked.pause || kind == "pause";
  }
  requests_.reset();
  return asked;
}

void BatchStore::store(const Batch& batch, const std::vector<MetricKey>& keys) {
  for (std::size_t i = latest_.key_count(); i < keys.size(); ++i) {
    latest_.add_key(keys[i].name, keys[i].better);
  }
  metrics(batch.metrics);
  for (const Batch::Line& each : batch.lines) line(each);
  for (const Artifact& each : batch.artifacts) artifact(each);
  for (const auto& [key, seconds] : batch.timings) timing(key, seconds);
  if (batch.provenance) provenance(*batch.provenance);
  run_row(batch);
}

void BatchStore::metrics(const std::vector<MetricRow>& rows) {
  if (rows.empty()) return;
  metric_.bind(1, run_);
  for (const MetricRow& row : rows) {
    metric_.bind(2, latest_.key_id(row.key));
    metric_.bind(3, row.step);
    metric_.bind(4, row.value);  // NaN becomes NULL
    metric_.bind(5, row.seconds);
    metric_.exec();
    metric_.reset();
    latest_.update(row);
  }
  latest_.store();
}

void BatchStore::line(const Batch::Line& line) {
  line_.bind(1, run_);
  if (line.ordinal >= 0) {
    line_.bind(2, line.ordinal);
  } else {
    line_.bind(2);
  }
  line_.bind(3, line.time);
  line_.bind(4, static_cast<int>(line.level));
  line_.bind(5, line.text);
  line_.exec();
  line_.reset();
}

void BatchStore::artifact(const Artifact& artifact) {
  artifact_.bind(1, run_);
  artifact_.bind(2, artifact.key);
  artifact_.bind(3, artifact.kind);
  artifact_.bind(4, artifact.step);
  artifact_.bind(5, artifact.path);
  artifact_.bind(6, static_cast<std::int64_t>(artifact.bytes));
  artifact_.bind(7, artifact.sha256);
  artifact_.bind(8, artifact.meta.dump(-1, ' ', false, Json::error_handler_t::replace));
  artifact_.exec();
  artifact_.reset();
}

void BatchStore::timing(const std::string& key, double seconds) {
  timing_.bind(1, run_);
  timing_.bind(2, key);
  timing_.bind(3, seconds);
  timing_.exec();
  timing_.reset();
}

void BatchStore::run_row(const Batch& batch) {
  run_row_.clearBindings();  // NULL: stays as it is
  run_row_.bind(1, now_seconds());
  bind_optional(run_row_, 2, batch.work_seconds);
  run_row_.bind(7, batch.progress ? 1 : 0);
  if (batch.progress) {
    run_row_.bind(3, batch.progress->done);
    run_row_.bind(4, batch.progress->total);
    run_row_.bind(5, batch.progress->text);
    run_row_.bind(6, batch.progress->steps_per_second);
    bind_optional(run_row_, 8, batch.progress->eta_seconds);
  }
  run_row_.bind(9, run_);
  run_row_.exec();
  run_row_.reset();
}

void BatchStore::provenance(const std::string& json) {
  provenance_.bind(1, run_);
  provenance_.bind(2, json);
  provenance_.exec();
  provenance_.reset();
}

}  // namespace assay
