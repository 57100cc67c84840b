// What a RunWriter has collected since its last commit, and the statements that store it. For
// core/log only.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/log/latest_values.h"
#include "core/log/records.h"

namespace assay {

struct MetricKey {
  std::string name;
  Better better = Better::neither;
};

struct Batch {
  struct Line {
    std::int64_t ordinal = -1;
    double time = 0.0;
    EventLevel level = EventLevel::info;
    std::string text;
  };
  struct Progress {
    std::int64_t done = 0, total = 0;
    std::string text;
    double steps_per_second = 0.0;
    std::optional<double> eta_seconds;
  };
  std::vector<MetricKey> new_keys;  // in the order of their indices
  std::vector<MetricRow> metrics;
  std::vector<Line> lines;
  std::vector<Artifact> artifacts;
  std::map<std::string, double> timings;
  std::optional<Progress> progress;
  std::optional<double> work_seconds;
  std::optional<std::string> provenance;

  std::size_t rows() const { return metrics.size() + lines.size() + artifacts.size(); }
  bool empty() const {
    return rows() == 0 && new_keys.empty() && timings.empty() && !progress && !work_seconds &&
           !provenance;
  }
};

// Stores batches of one run through one connection, one immediate transaction each. After a fault
// it is of no use any more: what it keeps in memory knows rows that were rolled back.
class BatchStore {
 public:
  BatchStore(SQLite::Database& database, std::int64_t run);

  // All of it or, when it throws, nothing. Always leaves a heartbeat. `keys`: all of the run so
  // far, the batch's new ones included. `durable`: what is committed also survives a power cut.
  void commit(const Batch& batch, const std::vector<MetricKey>& keys, bool durable);
  struct Asked {
    bool stop = false, pause = false;
  };
  Asked requests();

 private:
  void store(const Batch& batch, const std::vector<MetricKey>& keys);
  void metrics(const std::vector<MetricRow>& rows);
  void line(const Batch::Line& line);
  void artifact(const Artifact& artifact);
  void timing(const std::string& key, double seconds);
  void run_row(const Batch& batch);
  void provenance(const std::string& json);

  SQLite::Database& database_;
  std::int64_t run_;
  LatestValues latest_;
  SQLite::Statement metric_, line_, artifact_, timing_, run_row_, provenance_, requests_;
};

}  // namespace assay
