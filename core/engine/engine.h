// Executes one run: the loop, checkpoints, stop and pause, failure, resume, the final digest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/engine/experiment.h"
#include "core/engine/progress_meter.h"
#include "core/log/log.h"

namespace assay {

struct EngineOptions {
  double checkpoint_seconds = 10.0;  // $ASSAY_CHECKPOINT_SECONDS overrides (tests)
  int threads = 0;                   // 0: the run's own, else all cores
  std::string device = "cpu";
  // Called with log lines, for standard error.
  std::function<void(const std::string&)> say;
  // Called with progress, at most every 200 ms.
  std::function<void(const ProgressReport&)> progress;
  // True once this process was told to stop by a signal: like a stop request.
  std::function<bool()> stop_signalled;
};

struct Outcome {
  RunState state = RunState::failed;
  int exit_code = 3;  // 0 finished or paused, 2 or 3 failed, 130 stopped
  std::string reason;
};

// `run` must have been claimed by this process. With a checkpoint in its folder it goes on from
// there ("resumed from step N"), else it begins. Throws only when the log itself can't be written.
// The plugin has been configured with the same number of threads. SQLite's and the file system's
// faults fail the run like any other; rows that were committed and the last checkpoint stay.
Outcome execute(Log& log, const Run& run, const Manifest& manifest, const ExperimentSpec& spec,
                Plugin& plugin, const EngineOptions& options);

// One JSON object for a run: run, state, metrics {last, best, step}, state_sha256, seconds,
// timings, log; `full` adds parameters, provenance, events, artifacts. (`assay-run run|show
// --json`)
Json describe_run(Log& log, const Run& run, bool full);

}  // namespace assay
