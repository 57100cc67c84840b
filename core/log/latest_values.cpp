// Last and best value of every metric of one run.
#include "core/log/latest_values.h"

#include <cmath>

#include "core/log/run_columns.h"

namespace assay {
namespace {

double sign_of(Better better) {
  if (better == Better::neither) return 0.0;
  return better == Better::higher ? 1.0 : -1.0;
}

}  // namespace

Better direction_of(const RunWriter::MetricDirections& directions, const std::string& key) {
  const auto exact = directions.better.find(key);
  if (exact != directions.better.end()) return exact->second;
  for (const auto& [prefix, better] : directions.prefixes) {
    if (key.starts_with(prefix)) return better;
  }
  return Better::neither;
}

LatestValues::LatestValues(SQLite::Database& database, std::int64_t run)
    : database_(database),
      run_(run),
      intern_(database, "INSERT OR IGNORE INTO metric_key(name) VALUES (?)"),
      find_(database, "SELECT id FROM metric_key WHERE name = ?"),
      load_(database,
            "SELECT last, step, best, best_step, first_step, better FROM metric_latest WHERE key = "
            "? AND run = ?"),
      store_(database,
             "INSERT OR REPLACE INTO metric_latest(key, run, last, step, best, best_step, "
             "first_step, better) VALUES (?, ?, ?, ?, ?, ?, ?, ?)") {}

void LatestValues::add_key(const std::string& name, Better better) {
  intern_.bind(1, name);
  intern_.exec();
  intern_.reset();
  find_.bind(1, name);
  find_.executeStep();
  Entry entry;
  entry.key_id = find_.getColumn(0).getInt64();
  find_.reset();
  entry.sign = sign_of(better);
  load_.bind(1, entry.key_id);
  load_.bind(2, run_);
  if (load_.executeStep()) {
    entry.empty = false;
    entry.last = real_or_nan(load_.getColumn(0));
    entry.step = load_.getColumn(1).getInt64();
    entry.has_best = !load_.getColumn(2).isNull();
    entry.best = load_.getColumn(2).getDouble();
    entry.best_step = load_.getColumn(3).getInt64();
    entry.first_step = load_.getColumn(4).getInt64();
    // The plugin may have changed its mind about the direction since.
    if (load_.getColumn(5).getInt() != static_cast<int>(entry.sign)) {
      entry.has_best = false;
      entry.best_unknown = entry.sign != 0.0;
    }
  }
  load_.reset();
  entries_.push_back(entry);
}

void LatestValues::begin(Entry& entry, const MetricRow& row) {
  entry.empty = false;
  entry.last = row.value;
  entry.step = entry.first_step = row.step;
  if (entry.sign != 0.0) update_best(entry, row);
}

void LatestValues::update_best(Entry& entry, const MetricRow& row) {
  if (entry.best_unknown) return;  // looked up before it is stored
  const bool finite = std::isfinite(row.value);
  if (!entry.has_best) {
    if (!finite) return;
    entry.has_best = true;
    entry.best = row.value;
    entry.best_step = row.step;
    return;
  }
  const double gain = finite ? (row.value - entry.best) * entry.sign : -1.0;
  if (gain > 0.0) {
    entry.best = row.value;
    entry.best_step = row.step;
  } else if (gain == 0.0) {
    if (row.step < entry.best_step) entry.best_step = row.step;
  } else if (row.step == entry.best_step) {
    entry.best_unknown = true;
  }
}

void LatestValues::look_up_best(Entry& entry) {
  // Beyond these bounds a value is infinite: finite doubles end at 1.8e308.
  SQLite::Statement select(
      database_, std::string("SELECT value, step FROM metric WHERE run = ? AND key = ? AND value > "
                             "-9e999 AND value < 9e999 ORDER BY value ") +
                     (entry.sign > 0.0 ? "DESC" : "ASC") + ", step LIMIT 1");
  select.bind(1, run_);
  select.bind(2, entry.key_id);
  entry.has_best = select.executeStep();
  if (entry.has_best) {
    entry.best = select.getColumn(0).getDouble();
    entry.best_step = select.getColumn(1).getInt64();
  }
  entry.best_unknown = false;
}

void LatestValues::store() {
  for (Entry& entry : entries_) {
    if (!entry.changed) continue;
    if (entry.best_unknown) look_up_best(entry);
    store_.bind(1, entry.key_id);
    store_.bind(2, run_);
    store_.bind(3, entry.last);  // NaN becomes NULL
    store_.bind(4, entry.step);
    if (entry.has_best) {
      store_.bind(5, entry.best);
      store_.bind(6, entry.best_step);
    } else {
      store_.bind(5);
      store_.bind(6);
    }
    store_.bind(7, entry.first_step);
    store_.bind(8, static_cast<int>(entry.sign));
    store_.exec();
    store_.reset();
    entry.changed = false;
  }
}

}  // namespace assay
