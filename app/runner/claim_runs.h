// Getting the runs that a plan needs: reused from the log, gone on with, or started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/runner/claim_plan.h"
#include "app/runner/console.h"
#include "core/log/log.h"

namespace assay {

struct GatheredRun {
  Run run;
  bool reused = false;
};

class RunGatherer {
 public:
  RunGatherer(Log& log, const Manifest& plugin, int threads);

  // A finished run with the same experiment, version, parameters and seed is reused. One that is
  // under way is waited for, one that was interrupted goes on, else a new one is made. Each works
  // in a process of its own, one after the other, so that a crash costs one run. Returns with the
  // run over, in whatever state; none once this process was told to stop.
  std::optional<GatheredRun> gather(const NeededRun& needed);

 private:
  std::optional<Run> best_match(const NeededRun& needed);
  Run insert(const NeededRun& needed);
  ProcessIdentity start(const Run& run);
  // Until the child is gone and nobody else works on the run. False: told to stop.
  bool wait_for_end(const Run& run, std::optional<ProcessIdentity> child);

  Log& log_;
  const Manifest& plugin_;
  int threads_;
  std::string group_;
  Console console_;
};

}  // namespace assay
