// Makes a large log quickly, by prepared inserts.
#include "bench/make_log.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/log/log.h"

namespace assay {
namespace {

constexpr std::size_t runs_per_chunk = 1000;
constexpr double first_run_time = 1.7e9;

struct Metric {
  const char* key;
  bool lower_is_better;
};
constexpr std::array<Metric, 4> metrics{{{"train/loss", true},
                                         {"train/accuracy", false},
                                         {"test/loss", true},
                                         {"test/accuracy", false}}};

// Small and quick; its quality is enough for noise.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  double uniform() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<double>(state_ >> 11U) * 0x1p-53;
  }
  // About normal: the sum of four uniforms.
  double normal() { return (uniform() + uniform() + uniform() + uniform() - 2.0) * 1.732; }

 private:
  std::uint64_t state_;
};

// A falling loss or a rising accuracy with its own rate, floor, noise and now and then a spike.
class Course {
 public:
  Course(Noise& noise, const Metric& metric, std::int64_t length)
      : noise_(noise),
        falls_(metric.lower_is_better),
        rate_((3.0 + 5.0 * noise.uniform()) / static_cast<double>(length)),
        end_(0.05 + 0.3 * noise.uniform()) {}

  double at(std::int64_t step) {
    const double rest = std::exp(-rate_ * static_cast<double>(step));
    const double spike = noise_.uniform() < 0.002 ? 0.5 : 0.0;
    const double loss = end_ + (2.3 - end_) * rest + 0.05 * (0.2 + rest) * noise_.normal() + spike;
    return falls_ ? loss : std::clamp(1.0 - loss / 2.5, 0.0, 1.0);
  }

 private:
  Noise& noise_;
  bool falls_;
  double rate_, end_;
};

NewRun new_run(const BigLog& options, int number, Noise& noise) {
  constexpr std::array optimizers{"sgd", "adam", "adamw"};
  NewRun run;
  run.plugin = options.plugin;
  run.experiment = options.experiment;
  run.preset = number % 3 == 0 ? "standard" : "quick";
  run.seed = static_cast<std::uint64_t>(number % 10 + 1);
  run.name = fmt::format("sweep {} run {}", number / 10, number);
  run.group = fmt::format("sweep {}", number / 10);
  run.threads = 2;
  run.parameters.set("learning_rate", std::pow(10.0, -4.0 + 3.0 * noise.uniform()), Origin::set);
  run.parameters.set("weight_decay", std::pow(10.0, -6.0 + 3.0 * noise.uniform()), Origin::set);
  run.parameters.set("epochs", std::int64_t{5 + number % 20}, Origin::preset);
  run.parameters.set("batch_size", std::int64_t{32} << (number % 4), Origin::preset);
  run.parameters.set("optimizer", std::string(optimizers.at(static_cast<std::size_t>(number) % 3)),
                     Origin::default_value);
  run.parameters.set("augment", number % 2 == 0, Origin::default_value);
  if (number % 7 == 0) run.tags.emplace_back("baseline");
  if (number % 11 == 0) run.tags.emplace_back("candidate");
  return run;
}

class Maker {
 public:
  Maker(Log& log, const BigLog& options)
      : log_(log),
        options_(options),
        metric_(log.database(), "INSERT INTO metric VALUES (?, ?, ?, ?, ?)"),
        latest_(log.database(),
                "INSERT INTO metric_latest(key, run, last, step, best, best_step, first_step, "
                "better) VALUES (?, ?, ?, ?, ?, ?, 0, ?)") {}

  std::int64_t key_id(const std::string& key) {
    SQLite::Statement insert(log_.database(), "INSERT OR IGNORE INTO metric_key(name) VALUES (?)");
    insert.bind(1, key);
    insert.exec();
    SQLite::Statement find(log_.database(), "SELECT id FROM metric_key WHERE name = ?");
    find.bind(1, key);
    find.executeStep();
    return find.getColumn(0).getInt64();
  }

  void curve(std::int64_t run, std::int64_t key, const Metric& metric, std::int64_t length) {
    Course course(noise_, metric, length);
    double best = 0.0, last = 0.0;
    std::int64_t best_step = 0;
    metric_.bind(1, run);
    metric_.bind(2, key);
    for (std::int64_t step = 0; step < length; ++step) {
      last = course.at(step);
      if (step == 0 || (metric.lower_is_better ? last < best : last > best)) {
        best = last;
        best_step = step;
      }
      metric_.bind(3, step);
      metric_.bind(4, last);
      metric_.bind(5, 0.01 * static_cast<double>(step));
      metric_.exec();
      metric_.reset();
    }
    latest_.bind(1, key);
    latest_.bind(2, run);
    latest_.bind(3, last);
    latest_.bind(4, length - 1);
    latest_.bind(5, best);
    latest_.bind(6, best_step);
    latest_.bind(7, metric.lower_is_better ? -1 : 1);
    latest_.exec();
    latest_.reset();
  }

  void end(const Run& run, int number) {
    const bool failed = number % 50 == 7, crashed = number % 50 == 17, stopped = number % 50 == 27;
    const double created = first_run_time + 60.0 * number;
    const double seconds = 20.0 + 100.0 * noise_.uniform();
    const char* const state =
        failed ? "failed" : (crashed ? "crashed" : (stopped ? "stopped" : "finished"));
    SQLite::Statement update(log_.database(),
                             "UPDATE run SET state = ?, reason = ?, exit_code = ?, created = ?, "
                             "started = ?, ended = ?, seconds = ?, progress_done = 100, "
                             "progress_total = 100, queue_position = 0 WHERE id = ?");
    update.bind(1, state);
    update.bind(2, failed ? "the loss is not finite" : "");
    update.bind(3, failed ? 3 : (stopped ? 130 : 0));
    update.bind(4, created);
    update.bind(5, created + 1.0);
    update.bind(6, created + 1.0 + seconds);
    update.bind(7, seconds);
    update.bind(8, run.id);
    update.exec();
  }

  void make_chunk(int from, int to) {
    std::vector<NewRun> wanted;
    for (int number = from; number < to; ++number) {
      wanted.push_back(new_run(options_, number, noise_));
    }
    const std::vector<Run> runs = log_.insert(wanted);
    SQLite::Transaction transaction(log_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    const auto length = options_.points_per_run / static_cast<std::int64_t>(metrics.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      for (const Metric& metric : metrics) {
        if (length > 0) curve(runs[i].id, key_id(metric.key), metric, length);
      }
      end(runs[i], from + static_cast<int>(i));
    }
    transaction.commit();
  }

  void make_long_run() {
    NewRun wanted = new_run(options_, options_.runs, noise_);
    wanted.name = "long run";
    const Run run = log_.insert(wanted);
    SQLite::Transaction transaction(log_.database(), SQLite::TransactionBehavior::IMMEDIATE);
    curve(run.id, key_id(metrics[0].key), metrics[0], options_.long_run_points);
    end(run, 0);
    transaction.commit();
  }

 private:
  Log& log_;
  const BigLog& options_;
  Noise noise_{20261201};
  SQLite::Statement metric_, latest_;
};

}  // namespace

void make_big_log(const std::filesystem::path& directory, const BigLog& options) {
  Log log(directory);
  // Nobody else looks yet, and a log that is lost in a power cut is simply made again.
  log.database().exec("PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF; PRAGMA cache_size=-64000");
  Maker maker(log, options);
  const int chunk = static_cast<int>(runs_per_chunk);
  for (int from = 0; from < options.runs; from += chunk) {
    maker.make_chunk(from, std::min(from + chunk, options.runs));
  }
  if (options.long_run_points > 0) maker.make_long_run();
}

}  // namespace assay
