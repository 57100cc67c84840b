#include "app/runner/claim_runs.h"

#include <fmt/core.h>
#include <signal.h>

#include <thread>

#include "app/runner/signals.h"
#include "core/base/files.h"
#include "core/base/process.h"

namespace assay {
namespace {

using namespace std::chrono_literals;

// What is worth more: a result, then work under way, then work begun. A failure is not repeated
// with the same settings by going on with it: it may have failed in the middle of a step.
int rank(RunState state) {
  switch (state) {
    case RunState::finished:
      return 4;
    case RunState::running:
      return 3;
    case RunState::paused:
    case RunState::stopped:
    case RunState::crashed:
    case RunState::killed:
      return 2;
    case RunState::queued:
      return 1;
    case RunState::failed:
      return 0;
  }
  return 0;
}

}  // namespace

RunGatherer::RunGatherer(Log& log, const Manifest& plugin, int threads)
    : log_(log),
      plugin_(plugin),
      threads_(threads),
      group_("claims of " + date_text(now_seconds())) {}

std::optional<GatheredRun> RunGatherer::gather(const NeededRun& needed) {
  if (stop_signalled()) return std::nullopt;
  log_.reap();
  std::optional<Run> run = best_match(needed);
  if (run && run->state == RunState::finished) return GatheredRun{*run, true};
  if (!run) run = insert(needed);
  console_.say(
      fmt::format("{}  {}.{} seed {}", run->public_id, run->plugin, run->experiment, run->seed));
  std::optional<ProcessIdentity> child;
  if (run->state != RunState::running) child = start(*run);
  if (!wait_for_end(*run, child)) return std::nullopt;
  return GatheredRun{log_.run(run->id), false};
}

std::optional<Run> RunGatherer::best_match(const NeededRun& needed) {
  const Json wanted = needed.parameters.to_json();
  RunQuery query;
  query.filter =
      fmt::format("paper:{} experiment:{} seed:{}", plugin_.id, needed.experiment->id, needed.seed);
  std::optional<Run> best;
  for (const RunRow& row : log_.runs(query)) {  // newest first
    const int worth = rank(row.run.state);
    if (worth == 0 || row.run.version != needed.experiment->version) continue;
    if (best && rank(best->state) >= worth) continue;
    if (log_.parameter_set(row.run.id).to_json() == wanted) best = row.run;
  }
  return best;
}

Run RunGatherer::insert(const NeededRun& needed) {
  NewRun run;
  run.plugin = plugin_.id;
  run.experiment = needed.experiment->id;
  run.version = needed.experiment->version;
  run.preset = needed.preset;
  run.seed = needed.seed;
  run.threads = threads_;
  run.parameters = needed.parameters;
  run.group = group_;
  return log_.insert(run);
}

ProcessIdentity RunGatherer::start(const Run& run) {
  SpawnOptions options;
  options.arguments = {(program_directory() / "assay-run").string(), "resume", run.public_id,
                       "--log", log_.directory().string()};
  options.output_file = log_.run_directory(run.public_id) / "log.txt";
  return spawn(options).process;
}

bool RunGatherer::wait_for_end(const Run& run, std::optional<ProcessIdentity> child) {
  bool told = false;
  while (true) {
    reap_children();
    log_.reap();
    const Run now = log_.run(run.id);
    if (child && !is_alive(*child)) child.reset();
    if (!child && (told || now.state != RunState::running)) break;
    if (now.state == RunState::running) {
      console_.progress(now.public_id, {now.progress_done, now.progress_total, now.progress_text,
                                        now.steps_per_second, now.eta_seconds});
    }
    if (stop_signalled() && !told) {
      told = true;  // our own child stops at its next step; somebody else's run goes on
      if (child) send_signal(*child, SIGTERM);
    }
    std::this_thread::sleep_for(50ms);
  }
  console_.clear();
  if (told && log_.run(run.id).state == RunState::queued) log_.remove_from_queue(run.id);
  return !told;
}

}  // namespace assay
