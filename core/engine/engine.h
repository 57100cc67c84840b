// Executes one run: the loop, checkpoints, stop and pause, failure, resume, the final digest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/engine/experiment.h"
#include "core/log/log.h"

namespace assay {

struct EngineOptions {
  double checkpoint_seconds = 10.0;  // $ASSAY_CHECKPOINT_SECONDS overrides (tests)
  int threads = 0;                   // 0: all cores
  // Called with log lines and progress, for standard error.
  std::function<void(const std::string&)> say;
};

struct Outcome {
  RunState state = RunState::failed;
  int exit_code = 3;  // 0 finished or paused, 3 failed, 130 stopped
  std::string reason;
};

// `run` must have been claimed by this process. With a checkpoint in its folder it goes on from
// there ("resumed from step N"), else it begins. Throws only when the log itself can't be written.
Outcome execute(Log& log, const Run& run, const Manifest& manifest, const ExperimentSpec& spec,
                Plugin& plugin, const EngineOptions& options);

// One JSON object for a run: run, state, metrics {last, best, step}, state_sha256, seconds, timings,
// log; `full` adds parameters, provenance, events, artifacts. (`assay-run run|show --json`)
Json describe_run(Log& log, const Run& run, bool full);

}  // namespace assay
