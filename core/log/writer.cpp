// The writer of one running run: collects on the caller's thread, commits on its own.
#include "core/log/writer.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include "core/base/process.h"
#include "core/log/batch.h"
#include "core/log/connection.h"
#include "core/log/faults.h"

namespace assay {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto batch_interval = 200ms;
constexpr std::size_t batch_rows = 2000;
constexpr auto heartbeat_interval = 2s;
// A caller that is faster than the disk waits here, so that memory stays bounded (some 10 MB).
constexpr std::size_t most_rows_waiting = 200'000;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
using KeyIndex = std::unordered_map<std::string, int, TextHash, std::equal_to<>>;

template <typename Item>
void prepend(std::vector<Item>& later, std::vector<Item>&& earlier) {
  later.insert(later.begin(), std::make_move_iterator(earlier.begin()),
               std::make_move_iterator(earlier.end()));
}

// `earlier` could not be stored and goes in front of what has been collected since.
void put_back(Batch& later, Batch&& earlier) {
  prepend(later.new_keys, std::move(earlier.new_keys));
  prepend(later.metrics, std::move(earlier.metrics));
  prepend(later.lines, std::move(earlier.lines));
  prepend(later.artifacts, std::move(earlier.artifacts));
  later.timings.merge(earlier.timings);  // the later ones win
  if (!later.progress) later.progress = std::move(earlier.progress);
  if (!later.work_seconds) later.work_seconds = earlier.work_seconds;
  if (!later.provenance) later.provenance = std::move(earlier.provenance);
}

}  // namespace

struct RunWriter::State {
  State(std::filesystem::path directory_of_log, std::int64_t id, MetricDirections all_directions)
      : directory(std::move(directory_of_log)),
        run(id),
        directions(std::move(all_directions)),
        database(open_log(directory, Log::Mode::read_write)) {
    make_store();
    thread = std::thread([this] { work(); });
  }

  void make_store() {
    with_clear_faults(database.get(), log_file(directory),
                      [this] { store = std::make_unique<BatchStore>(*database, run); });
  }

  // Locks, throws what went wrong earlier, and lets `add` put something into the batch.
  template <typename Add>
  void collect(Add&& add) {
    std::unique_lock lock(mutex);
    throw_fault();
    add(batch);
    const std::size_t rows = batch.rows();
    if (rows >= batch_rows && !woken) wake();
    if (rows < most_rows_waiting) return;
    stored.wait(lock, [this] { return batch.rows() < most_rows_waiting || fault || ended; });
    throw_fault();
  }

  void throw_fault() const {
    if (fault) throw *fault;
  }

  void wake() {
    woken = true;
    changed.notify_one();
  }

  int index_of(std::string_view key) {
    const auto known = key_index.find(key);
    if (known != key_index.end()) return known->second;
    const int index = static_cast<int>(key_index.size());
    std::string name(key);
    batch.new_keys.push_back({name, direction_of(directions, name)});
    key_index.emplace(std::move(name), index);
    return index;
  }

  // Returns when everything up to now is committed for good, or throws.
  void flush() {
    std::unique_lock lock(mutex);
    throw_fault();
    const std::uint64_t mine = ++flushes_asked;
    wake();
    stored.wait(lock, [&] { return flushes_done >= mine || fault || ended; });
    throw_fault();
  }

  void close() {
    {
      const std::lock_guard lock(mutex);
      ending = true;
      wake();
    }
    if (thread.joinable()) thread.join();
    const std::lock_guard lock(mutex);
    throw_fault();
  }

  // --- the writer's thread ---

  void work() {
    auto last_commit = Clock::now() - heartbeat_interval;
    while (true) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, batch_interval, [this] { return woken || ending; });
      woken = false;
      const bool last = ending;
      const std::uint64_t flush_number = flushes_asked;
      const bool durable = last || flush_number > flushes_done;
      Batch taken = std::exchange(batch, {});
      const bool tried_before = fault.has_value();
      lock.unlock();

      const bool due =
          !taken.empty() || durable || Clock::now() - last_commit >= heartbeat_interval;
      // After a fault there is one more attempt, at the end: there may be room again by then.
      if (due && (!tried_before || last)) {
        if (commit(taken, durable)) last_commit = Clock::now();
      } else if (!taken.empty()) {
        keep(std::move(taken));
      }
      look_for_requests();

      lock.lock();
      flushes_done = flush_number;
      ended = last;
      stored.notify_all();
      if (last) return;
    }
  }

  bool commit(Batch& taken, bool durable) {
    try {
      if (!store) make_store();
      std::vector<MetricKey> all = keys;
      all.insert(all.end(), taken.new_keys.begin(), taken.new_keys.end());
      with_clear_faults(database.get(), log_file(directory),
                        [&] { store->commit(taken, all, durable); });
      keys = std::move(all);
      return true;
    } catch (const Error& error) {
      store.reset();
      keep(std::move(taken));
      note(error);
      return false;
    }
  }

  void keep(Batch&& taken) {
    const std::lock_guard lock(mutex);
    put_back(batch, std::move(taken));
  }

  void note(const Error& error) {
    const std::lock_guard lock(mutex);
    if (!fault) fault = error;
  }

  void look_for_requests() {
    if (!store) return;
    try {
      const BatchStore::Asked asked = with_clear_faults(database.get(), log_file(directory),
                                                        [this] { return store->requests(); });
      if (asked.stop) stop = true;
      if (asked.pause) pause = true;
    } catch (const Error& error) {
      note(error);
    }
  }

  const std::filesystem::path directory;
  const std::int64_t run;
  const MetricDirections directions;

  // Shared, under `mutex`.
  std::mutex mutex;
  std::condition_variable changed;  // for the writer's thread
  std::condition_variable stored;   // for callers
  Batch batch;
  KeyIndex key_index;
  std::optional<Error> fault;
  bool woken = false, ending = false, ended = false;
  bool has_sent_first = false;
  std::uint64_t flushes_asked = 0, flushes_done = 0;
  std::atomic<bool> stop{false}, pause{false};

  // The writer's thread only.
  std::unique_ptr<SQLite::Database> database;
  std::unique_ptr<BatchStore> store;
  std::vector<MetricKey> keys;
  std::thread thread;
};

RunWriter::RunWriter(const std::filesystem::path& log_directory, std::int64_t run_id,
                     MetricDirections directions)
    : state_(std::make_unique<State>(log_directory, run_id, std::move(directions))) {}

RunWriter::~RunWriter() {
  try {
    state_->close();
  } catch (const std::exception&) {
    // Told by close() to those who ask for it.
  }
}

void RunWriter::metric(std::string_view key, std::int64_t step, double value, double seconds) {
  state_->collect([&](Batch& batch) {
    batch.metrics.push_back({state_->index_of(key), step, value, seconds});
    if (state_->has_sent_first) return;
    state_->has_sent_first = true;
    state_->wake();
  });
}

void RunWriter::event(EventLevel level, std::string_view text, std::int64_t ordinal) {
  const double now = now_seconds();
  state_->collect([&](Batch& batch) {
    batch.lines.push_back({ordinal, now, level, std::string(text)});
  });
}

void RunWriter::artifact(const Artifact& artifact) {
  state_->collect([&](Batch& batch) { batch.artifacts.push_back(artifact); });
}

void RunWriter::timing(std::string_view key, double seconds) {
  state_->collect([&](Batch& batch) { batch.timings.insert_or_assign(std::string(key), seconds); });
}

void RunWriter::progress(std::int64_t done, std::int64_t total, std::string_view text,
                         double steps_per_second, std::optional<double> eta_seconds) {
  state_->collect([&](Batch& batch) {
    batch.progress = {done, total, std::string(text), steps_per_second, eta_seconds};
  });
}

void RunWriter::provenance(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  state_->collect([&](Batch& batch) { batch.provenance = std::move(text); });
}

void RunWriter::work_seconds(double seconds) {
  state_->collect([&](Batch& batch) { batch.work_seconds = seconds; });
}

void RunWriter::flush() {
  state_->flush();
}

void RunWriter::close() {
  state_->close();
}

bool RunWriter::stop_requested() const {
  return state_->stop;
}

bool RunWriter::pause_requested() const {
  return state_->pause;
}

}  // namespace assay
