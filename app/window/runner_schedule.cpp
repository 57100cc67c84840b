// Which run is started when, by which process, and how one is made to stop.
#include "app/window/runner_schedule.h"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "core/base/error.h"

namespace assay {
namespace {

constexpr double grace_seconds = 10.0;  // from the request to SIGTERM
constexpr double kill_seconds = 5.0;    // from SIGTERM to SIGKILL
constexpr double reap_seconds = 2.0;
constexpr double rewarm_seconds = 3.0;  // a loading runner would slow the first steps of a run
constexpr int attempts_allowed = 2;     // one by the warm runner, one by a cold one

RunQuery in_state(RunState state) {
  RunQuery query;
  query.filter = "state:" + to_string(state);
  query.sort = state == RunState::queued ? "queue_position" : "created";
  query.descending = false;
  return query;
}

}  // namespace

RunnerSchedule::RunnerSchedule(std::filesystem::path runner, std::filesystem::path log_directory)
    : runner_(std::move(runner)), log_directory_(std::move(log_directory)) {
  // A warm runner that has died must show as a failed write, not end the window.
  ::signal(SIGPIPE, SIG_IGN);
}

RunnerSchedule::~RunnerSchedule() {
  drop_warm();
}

void RunnerSchedule::drop_warm() {
  if (warm_ && warm_->input_fd >= 0) ::close(warm_->input_fd);
  warm_.reset();
}

void RunnerSchedule::warm_up() {
  warm_wanted_ = 0.0;
  if (warm_) return;
  SpawnOptions options;
  options.arguments = {runner_.string(), "wait", "--log", log_directory_.string()};
  options.input_pipe = true;
  warm_ = spawn(options);
}

bool RunnerSchedule::hand_to_warm(const Run& run) {
  if (!warm_ || (run.threads > 0 && run.threads != core_count())) return false;
  if (!is_alive(warm_->process)) {
    drop_warm();
    return false;
  }
  const std::string line = run.public_id + "\n";
  const bool written =
      ::write(warm_->input_fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (written) started_[run.id] = {warm_->process, 1};
  drop_warm();
  warm_wanted_ = now_seconds() + rewarm_seconds;
  return written;
}

void RunnerSchedule::start_cold(const Run& run) {
  SpawnOptions options;
  options.arguments = {runner_.string(), "resume", run.public_id, "--log", log_directory_.string()};
  options.output_file = log_directory_ / "runs" / run.public_id / "log.txt";
  const Child child = spawn(options);
  const int attempts = started_.count(run.id) > 0 ? started_[run.id].attempts + 1 : 1;
  started_[run.id] = {child.process, attempts};
}

void RunnerSchedule::start(Log& log, const Run& run) {
  if (hand_to_warm(run)) return;
  try {
    start_cold(run);
  } catch (const Error& error) {
    fail(log, run, error.what());
    throw;
  }
}

std::vector<std::string> RunnerSchedule::tick(Log& log, int places, bool held) {
  std::vector<std::string> messages;
  reap_children();
  if (now_seconds() - reaped_ >= reap_seconds) {
    reaped_ = now_seconds();
    for (const Run& run : log.reap()) {
      messages.push_back(fmt::format("{} {}: {}", run.name, to_string(run.state), run.reason));
    }
  }
  look_after_started(log, messages);
  look_after_stopping(log, messages);
  if (!held) fill_places(log, places);
  if (warm_ && !is_alive(warm_->process)) {
    drop_warm();
    warm_wanted_ = now_seconds() + rewarm_seconds;
  }
  if (warm_wanted_ > 0.0 && now_seconds() >= warm_wanted_) warm_up();
  return messages;
}

void RunnerSchedule::fill_places(Log& log, int places) {
  const std::vector<RunRow> waiting = log.runs(in_state(RunState::queued));
  const bool none = std::none_of(waiting.begin(), waiting.end(), [this](const RunRow& row) {
    return started_.count(row.run.id) == 0;
  });
  if (none) return;
  const auto running = log.count(in_state(RunState::running));
  auto taken = running + static_cast<std::int64_t>(started_.size());
  for (const RunRow& row : waiting) {
    if (taken >= places) return;
    if (started_.count(row.run.id) > 0) continue;
    start(log, row.run);
    ++taken;
  }
}

// A run that was handed over and still waits although its process is gone was never begun.
void RunnerSchedule::look_after_started(Log& log, std::vector<std::string>& messages) {
  const std::map<std::int64_t, Started> before = started_;
  for (const auto& [id, started] : before) {
    const bool alive = is_alive(started.process);
    const Run run = log.run(id);
    const bool begun = run.process == started.process;
    if (begun || (!alive && run.state != RunState::queued)) {
      started_.erase(id);
      continue;
    }
    if (alive) continue;
    if (started.attempts < attempts_allowed) {
      start_cold(run);
      continue;
    }
    const std::string reason = "the runner ended before the run began; its output is in runs/" +
                               run.public_id + "/log.txt";
    fail(log, run, reason);
    messages.push_back(fmt::format("{} failed: {}", run.name, reason));
  }
}

void RunnerSchedule::fail(Log& log, const Run& run, const std::string& reason) {
  started_.erase(run.id);
  if (log.claim(run.id, {RunState::queued}, this_process(), run.threads)) {
    log.end(run.id, RunState::failed, reason, 3, std::nullopt);
  }
}

void RunnerSchedule::stop(Log& log, std::int64_t id) {
  Run run = log.run(id);
  if (run.state == RunState::queued) {
    log.remove_from_queue(id);
    run = log.run(id);  // it may have begun meanwhile
  }
  if (run.state == RunState::paused &&
      log.claim(id, {RunState::paused}, this_process(), run.threads)) {
    log.end(id, RunState::stopped, "stopped while paused", 130, std::nullopt);
    return;
  }
  if (run.state != RunState::running) return;
  log.request(id, Request::Kind::stop);
  stopping_.emplace(id, Stopping{now_seconds()});
}

void RunnerSchedule::pause(Log& log, std::int64_t id) {
  if (log.run(id).state != RunState::running) return;
  log.request(id, Request::Kind::pause);
  stopping_.emplace(id, Stopping{now_seconds()});
}

void RunnerSchedule::look_after_stopping(Log& log, std::vector<std::string>& messages) {
  for (auto next = stopping_.begin(); next != stopping_.end();) {
    auto& [id, stopping] = *next;
    const Run run = log.run(id);
    if (run.state != RunState::running) {
      next = stopping_.erase(next);
      continue;
    }
    const double waited = now_seconds() - stopping.asked;
    if (!stopping.terminated && waited > grace_seconds) {
      stopping.terminated = true;
      log.mark_terminated(id);
      send_signal(run.process, SIGTERM);
      messages.push_back(run.name + " did not answer in 10 s and is terminated.");
    } else if (!stopping.killed && waited > grace_seconds + kill_seconds) {
      stopping.killed = true;
      send_signal(run.process, SIGKILL);
      messages.push_back(run.name + " is killed.");
    }
    ++next;
  }
}

}  // namespace assay
