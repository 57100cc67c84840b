// What the experiment log holds, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/process.h"
#include "core/study/parameters.h"

namespace assay {

enum class RunState {
  queued,  // asked for, not begun
  running,
  paused,  // its process checkpointed and went
  finished,
  stopped,  // asked for; exit 130
  failed,   // exit 2 or 3, with a reason
  killed,   // we terminated it after it ignored a stop
  crashed,  // its process is gone without a word (kill -9, out of memory, power)
};
std::string to_string(RunState state);
std::optional<RunState> run_state_from(const std::string& text);
inline bool is_over(RunState state) {
  return state != RunState::queued && state != RunState::running && state != RunState::paused;
}

struct NewRun {
  std::string name;  // empty: made from experiment and seed
  std::string plugin;
  std::string experiment;  // without the plugin: "transfer"
  int version = 1;         // of the experiment's parameters
  std::string preset;
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores of the machine that runs it
  ParameterSet parameters;
  std::string parent;  // public id of the run it was copied from, or empty
  std::string group;   // free text that ties runs together ("claims of 2026-12-01")
  std::vector<std::string> tags;
};

struct Run {
  std::int64_t id = 0;
  std::string public_id;  // 10 characters
  std::string name;
  std::string plugin, experiment, preset, parent, group;
  int version = 1;
  RunState state = RunState::queued;
  std::string reason;  // of a failure, crash or kill
  std::uint64_t seed = 1;
  int threads = 0;
  double created = 0.0;  // seconds since 1970
  std::optional<double> started, ended;
  double seconds = 0.0;  // of work, over all attempts
  std::optional<int> exit_code, signal;
  ProcessIdentity process;  // of the latest attempt; pid 0: none yet
  double heartbeat = 0.0;
  std::int64_t progress_done = 0, progress_total = 0;  // total 0: unknown
  std::string progress_text;
  double steps_per_second = 0.0;
  std::optional<double> eta_seconds;
  std::int64_t queue_position = 0;
  std::string state_sha256;
  std::string notes;
  bool starred = false;
  std::optional<double> trashed;
  std::vector<std::string> tags;
  Json provenance;                         // only from LogReader::run()
  bool heartbeat_late(double now) const {  // 10 s without a sign of life
    return state == RunState::running && now - heartbeat > 10.0;
  }
};

struct MetricPoint {
  std::int64_t step = 0;
  double value = 0.0;    // may be NaN or infinite
  double seconds = 0.0;  // since the run started (work time)
};

struct MetricSummary {
  std::string key;
  double last = 0.0;
  std::optional<double> best;  // none when neither direction is better, or never finite
  std::int64_t step = 0;       // of last
  std::int64_t best_step = 0;
  std::int64_t first_step = 0;  // smallest step
};

enum class EventLevel { info, warning, error };
struct Event {
  std::int64_t id = 0;
  double time = 0.0;
  EventLevel level = EventLevel::info;
  std::string text;
};

struct Artifact {
  std::int64_t id = 0;
  std::string key;   // "decision_boundary"
  std::string kind;  // image, table, tensor, text, volume, molecules
  std::int64_t step = 0;
  std::string path;  // relative to the log directory
  std::uint64_t bytes = 0;
  std::string sha256;
  Json meta;
};

struct Request {
  enum class Kind { stop, pause, resume } kind = Kind::stop;
  double time = 0.0;
};

struct StoredClaim {
  std::string plugin, claim, preset;
  double time = 0.0;
  Json result;  // to_json(ClaimResult)
};

}  // namespace assay
