// Last and best value of every metric of one run, kept in memory by its writer and written once a
// batch. For core/log only.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/log/writer.h"

namespace assay {

struct MetricRow {
  int key = 0;  // index of the writer's own list of keys
  std::int64_t step = 0;
  double value = 0.0;
  double seconds = 0.0;
};

Better direction_of(const RunWriter::MetricDirections& directions, const std::string& key);

// The rules, so that any order of the same final rows gives the same table:
//   last = the value at the largest step; best = the best finite value, the earliest step on ties.
// A row that replaces the best one by a worse value makes the best unknown: it is then looked up
// among the stored rows, once a batch.
class LatestValues {
 public:
  LatestValues(SQLite::Database& database, std::int64_t run);

  // Makes the key known: its id in the log, and what earlier attempts of the run have left.
  void add_key(const std::string& name, Better better);
  std::int64_t key_id(int key) const { return entries_[static_cast<std::size_t>(key)].key_id; }
  std::size_t key_count() const { return entries_.size(); }
  // After the row is stored.
  void update(const MetricRow& row) {
    Entry& entry = entries_[static_cast<std::size_t>(row.key)];
    entry.changed = true;
    if (entry.empty) return begin(entry, row);
    if (row.step >= entry.step) {
      entry.step = row.step;
      entry.last = row.value;
    } else if (row.step < entry.first_step) {
      entry.first_step = row.step;
    }
    if (entry.sign != 0.0) update_best(entry, row);
  }
  // Writes what has changed since the last call.
  void store();

 private:
  struct Entry {
    std::int64_t key_id = 0;
    double sign = 0.0;  // +1 higher is better, -1 lower, 0 neither
    bool empty = true;
    bool changed = false;
    bool best_unknown = false;
    bool has_best = false;
    double last = 0.0, best = 0.0;
    std::int64_t step = 0, best_step = 0, first_step = 0;
  };

  static void begin(Entry& entry, const MetricRow& row);
  static void update_best(Entry& entry, const MetricRow& row);
  void look_up_best(Entry& entry);

  SQLite::Database& database_;
  std::int64_t run_;
  std::vector<Entry> entries_;
  SQLite::Statement intern_, find_, load_, store_;
};

}  // namespace assay
