// The log: rate of the writer, and what a table of 10,000 runs with 10 million points costs.
#include <SQLiteCpp/SQLiteCpp.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "bench/bench_row.h"
#include "bench/make_log.h"
#include "core/log/log.h"
#include "core/log/writer.h"

namespace fs = std::filesystem;
using namespace assay;

namespace {

constexpr std::int64_t written_rows = 500'000;
constexpr int repeats = 3;
constexpr int query_repeats = 7;
constexpr double listing_bar_ms = 100.0;

class Folder {
 public:
  Folder() : path_((fs::temp_directory_path() / "assay-bench-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path() const { return path_; }

 private:
  std::string path_;
};

double noisy(std::int64_t step) {
  return std::exp(-1e-5 * static_cast<double>(step)) +
         0.01 * std::sin(static_cast<double>(step * step % 1009));
}

std::int64_t claimed_run(Log& log, std::uint64_t seed) {
  NewRun run;
  run.plugin = "sample";
  run.experiment = "descent";
  run.seed = seed;
  const std::int64_t id = log.insert(run).id;
  log.claim(id, {RunState::queued}, this_process(), 1);
  return id;
}

void write_by_writer(const fs::path& directory, std::int64_t run) {
  RunWriter::MetricDirections directions;
  directions.better["loss"] = Better::lower;
  directions.better["accuracy"] = Better::higher;
  RunWriter writer(directory, run, directions);
  for (std::int64_t step = 0; step < written_rows / 2; ++step) {
    const double value = noisy(step);
    writer.metric("loss", step, value, 0.001 * static_cast<double>(step));
    writer.metric("accuracy", step, 1.0 - value, 0.001 * static_cast<double>(step));
  }
  writer.close();
}

void write_bare(Log& log, std::int64_t run) {
  SQLite::Transaction transaction(log.database(), SQLite::TransactionBehavior::IMMEDIATE);
  SQLite::Statement insert(log.database(), "INSERT INTO metric VALUES (?, ?, ?, ?, ?)");
  insert.bind(1, run);
  const auto row = [&](std::int64_t key, std::int64_t step, double value) {
    insert.bind(2, key);
    insert.bind(3, step);
    insert.bind(4, value);
    insert.bind(5, 0.001 * static_cast<double>(step));
    insert.exec();
    insert.reset();
  };
  for (std::int64_t step = 0; step < written_rows / 2; ++step) {
    const double value = noisy(step);
    row(1, step, value);
    row(2, step, 1.0 - value);
  }
  transaction.commit();
}

// In turns, so that a busy moment of the machine hits both.
BenchRow measure_writer() {
  const Folder folder;
  Log log(folder.path());
  double ours = 1e30, theirs = 1e30;
  std::uint64_t seed = 0;
  for (int i = 0; i < repeats; ++i) {
    const std::int64_t by_writer = claimed_run(log, ++seed), bare = claimed_run(log, ++seed);
    ours = std::min(ours, time_of([&] { write_by_writer(folder.path(), by_writer); }, 1).fastest);
    theirs = std::min(theirs, time_of([&] { write_bare(log, bare); }, 1).fastest);
    if (log.curve(by_writer, "loss").size() != written_rows / 2) {
      throw std::runtime_error("the writer has lost rows");
    }
  }
  const double rows = static_cast<double>(written_rows);
  return {"log.write", rows / ours,   rows / theirs, "bare prepared inserts, one transaction",
          "rows/s",    theirs / ours, ">= 0.5",      theirs / ours >= 0.5};
}

BenchRow against_bar(const std::string& name, const std::function<void()>& work) {
  work();
  const double ms = 1000.0 * time_of(work, query_repeats).median;
  return {name,           ms,
          listing_bar_ms, "the bar for 10,000 runs, 10 million points",
          "ms",           listing_bar_ms / ms,
          ">= 1",         ms <= listing_bar_ms};
}

RunQuery shown_table() {
  RunQuery query;
  query.parameters = {"learning_rate", "optimizer", "epochs"};
  query.metrics = {"test/accuracy", "test/loss", "train/loss"};
  return query;
}

void open_and_ask(const fs::path& directory) {
  Log log(directory);
  RunQuery page = shown_table();
  page.limit = 100;
  log.state_counts();
  log.runs_per_plugin();
  if (log.runs(page).empty()) throw std::runtime_error("no runs");
}

BenchRow measure_opening(const fs::path& big) {
  const Folder folder;
  BigLog without_points;
  without_points.points_per_run = 4;
  without_points.long_run_points = 0;
  make_big_log(folder.path() / "log", without_points);
  const fs::path few = folder.path() / "log";
  open_and_ask(few);
  open_and_ask(big);
  const double ours = 1000.0 * time_of([&] { open_and_ask(big); }, query_repeats).median;
  const double theirs = 1000.0 * time_of([&] { open_and_ask(few); }, query_repeats).median;
  return {"log.open", ours,          theirs,    "the same runs with a point a curve",
          "ms",       theirs / ours, ">= 0.67", theirs / ours >= 0.67};
}

// The rows of a long curve against the same select through the plain wrapper.
BenchRow measure_curve(Log& log) {
  const std::int64_t run = log.find("long run").id;
  const double ours = 1000.0 * time_of([&] { log.curve(run, "train/loss"); }, query_repeats).median;
  const double theirs =
      1000.0 *
      time_of(
          [&] {
            SQLite::Statement select(log.database(),
                                     "SELECT step, value, seconds FROM metric WHERE run = ? "
                                     "ORDER BY key, step");
            select.bind(1, run);
            double sum = 0.0;
            while (select.executeStep()) {
              sum += select.getColumn(0).getDouble() + select.getColumn(1).getDouble() +
                     select.getColumn(2).getDouble();
            }
            if (!(sum > 0.0)) throw std::runtime_error("no rows");
          },
          query_repeats)
          .median;
  return {
      "log.curve_1m_points", ours, theirs, "bare prepared select", "ms", theirs / ours, ">= 0.5",
      theirs / ours >= 0.5};
}

std::vector<BenchRow> measure() {
  std::vector<BenchRow> rows{measure_writer()};
  const Folder folder;
  const fs::path big = folder.path() / "log";
  const double making = time_of([&] { make_big_log(big); }, 1).fastest;
  rows.push_back(
      {"log.make_10m_points", making, 60.0, "the bar", "s", 60.0 / making, ">= 1", making <= 60.0});
  rows.push_back(measure_opening(big));
  Log log(big);
  rows.push_back(against_bar("log.list", [&] { log.runs(shown_table()); }));
  RunQuery by_metric = shown_table();
  by_metric.sort = "metric:test/accuracy";
  rows.push_back(against_bar("log.sort_by_metric", [&] { log.runs(by_metric); }));
  RunQuery by_parameter = shown_table();
  by_parameter.sort = "param:learning_rate";
  by_parameter.limit = 200;
  rows.push_back(against_bar("log.sort_by_parameter_page", [&] { log.runs(by_parameter); }));
  RunQuery filtered = shown_table();
  filtered.filter = "sweep learning_rate<0.01 test/accuracy>0.9 state:finished";
  rows.push_back(against_bar("log.filter", [&] { log.runs(filtered); }));
  rows.push_back(against_bar("log.count_states", [&] {
    log.state_counts();
    log.runs_per_plugin();
    log.metric_keys();
    log.parameter_keys();
    log.all_tags();
  }));
  rows.push_back(measure_curve(log));
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  return bench_main(argc, argv, measure);
}
