// The writer of one running run: batches rows, keeps the heartbeat, looks for requests.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/log/records.h"

namespace assay {

class Log;

// Own connection, own thread: one transaction per 200 ms or 2,000 rows, whichever is first; the
// very first row goes at once. The same thread writes the heartbeat every 2 s and reads requests
// every 200 ms, however long a step takes. Thread-safe. A storage fault (disk full, ...) is kept
// and thrown by the next call of any function, and by close().
class RunWriter {
 public:
  struct MetricDirections {
    std::map<std::string, Better> better;                  // exact keys
    std::vector<std::pair<std::string, Better>> prefixes;  // "loss/" -> lower, from "loss/*"
  };
  RunWriter(const std::filesystem::path& log_directory, std::int64_t run_id,
            MetricDirections directions);
  ~RunWriter();  // flushes; never throws

  // (key, step) is replaced when it exists; last and best follow the final rows, so a run that is
  // replayed from a checkpoint ends with the same tables as an uninterrupted one.
  void metric(std::string_view key, std::int64_t step, double value, double seconds);
  // `ordinal` >= 0: the experiment's own lines, replaced by ordinal on replay; -1: the engine's.
  void event(EventLevel level, std::string_view text, std::int64_t ordinal = -1);
  // Registers a file of the run; (key, step) is replaced.
  void artifact(const Artifact& artifact);
  void timing(std::string_view key, double seconds);
  void progress(std::int64_t done, std::int64_t total, std::string_view text,
                double steps_per_second, std::optional<double> eta_seconds);
  void provenance(const Json& json);
  void work_seconds(double seconds);  // Run::seconds
  void flush();                       // returns when everything so far is committed
  void close();                       // flush, stop the thread; throws what went wrong

  bool stop_requested() const;
  bool pause_requested() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
