// stop, pause: ask a running run, wait for it, and end it by force when it doesn't answer.
#include <fmt/core.h>
#include <signal.h>

#include <thread>

#include "app/runner/commands.h"
#include "app/runner/console.h"
#include "app/runner/foreground.h"
#include "core/base/error.h"
#include "core/base/process.h"
#include "core/engine/engine.h"

namespace assay {
namespace {

using namespace std::chrono_literals;

int report(Log& log, const Run& run, const CommonOptions& common) {
  const Run now = log.run(run.id);
  if (common.json) {
    fmt::print("{}\n", describe_run(log, now, false).dump());
  } else {
    fmt::print("{}  {}{}{}\n", now.public_id, to_string(now.state), now.reason.empty() ? "" : ": ",
               now.reason);
  }
  return 0;
}

// True once the run is no longer running; false after `seconds`.
bool ended_within(Log& log, const Run& run, double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    log.reap();
    if (log.run(run.id).state != RunState::running) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(50ms);
  }
}

void end_by_force(Log& log, const Run& run, const ControlOptions& options) {
  Console console;
  // The run may have been resumed by another process since we looked: only the one that was asked
  // and didn't answer is terminated.
  const ProcessIdentity process = log.run(run.id).process;
  console.say(fmt::format("run {} did not answer in {:g} s: terminating process {}", run.public_id,
                          options.grace_seconds, process.pid));
  log.mark_terminated(run.id);
  send_signal(process, SIGTERM);
  if (ended_within(log, run, options.kill_seconds)) return;
  console.say(fmt::format("still there after {:g} s: killing it", options.kill_seconds));
  send_signal(process, SIGKILL);
  ended_within(log, run, options.kill_seconds);
}

int ask(Log& log, const Run& run, Request::Kind kind, const CommonOptions& common,
        const ControlOptions& options) {
  log.request(run.id, kind);
  if (!ended_within(log, run, options.grace_seconds)) end_by_force(log, run, options);
  const RunState state = log.run(run.id).state;
  report(log, run, common);
  if (state != RunState::running) return 0;
  throw Error(ErrorKind::failed, fmt::format("run {} can't be ended from here", run.public_id));
}

}  // namespace

int stop_command(const CommonOptions& common, const ControlOptions& options) {
  Log log = open_existing_log(common);
  log.reap();
  Run run = log.find(options.run);
  if (run.state == RunState::queued) {
    log.remove_from_queue(run.id);
    run = log.run(run.id);
    if (run.state != RunState::running) return report(log, run, common);
  }
  if (run.state == RunState::paused &&
      log.claim(run.id, {RunState::paused}, this_process(), run.threads)) {
    log.end(run.id, RunState::stopped, "stopped while paused", 130, std::nullopt);
    return report(log, run, common);
  }
  if (run.state != RunState::running) return report(log, run, common);  // over already
  return ask(log, run, Request::Kind::stop, common, options);
}

int pause_command(const CommonOptions& common, const ControlOptions& options) {
  Log log = open_existing_log(common);
  log.reap();
  const Run run = log.find(options.run);
  if (run.state == RunState::paused) return report(log, run, common);
  if (run.state != RunState::running) {
    throw Error(ErrorKind::bad_input, fmt::format("run {} is {}; only a running run can be paused",
                                                  run.public_id, to_string(run.state)));
  }
  return ask(log, run, Request::Kind::pause, common, options);
}

}  // namespace assay
