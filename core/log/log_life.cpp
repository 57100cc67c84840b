// The life of a run in the log: claim, end, requests, finding the dead.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/process.h"
#include "core/log/log_state.h"
#include "core/log/run_columns.h"

namespace assay {
namespace {

// "'queued', 'paused'": names of our own, safe in SQL.
std::string quoted_states(const std::vector<RunState>& states) {
  std::vector<std::string> names;
  for (const RunState state : states) names.push_back("'" + to_string(state) + "'");
  return fmt::format("{}", fmt::join(names, ", "));
}

const char* word_of(Request::Kind kind) {
  switch (kind) {
    case Request::Kind::stop:
      return "stop";
    case Request::Kind::pause:
      return "pause";
    case Request::Kind::resume:
      return "resume";
  }
  return "stop";
}

Request::Kind kind_of(const std::string& word) {
  if (word == "pause") return Request::Kind::pause;
  return word == "resume" ? Request::Kind::resume : Request::Kind::stop;
}

struct Lost {
  std::int64_t id = 0;
  ProcessIdentity process;
  bool terminated = false;
};

std::string reason_of(const Lost& lost, const std::string& our_boot) {
  if (lost.terminated) {
    return fmt::format("terminated: process {} did not answer to stop", lost.process.pid);
  }
  if (lost.process.boot_id != our_boot) return "the machine was restarted while it ran";
  return fmt::format(
      "its process ({}) is gone without a word: killed, out of memory or a crash; resume goes on "
      "from the last checkpoint",
      lost.process.pid);
}

std::vector<Lost> find_lost(SQLite::Database& database) {
  SQLite::Statement running(database,
                            "SELECT id, pid, start_ticks, boot_id, terminated FROM run "
                            "WHERE state = 'running' AND trashed IS NULL");
  std::vector<Lost> lost;
  while (running.executeStep()) {
    Lost run;
    run.id = running.getColumn(0).getInt64();
    run.process.pid = running.getColumn(1).getInt64();
    run.process.start_ticks = running.getColumn(2).getInt64();
    run.process.boot_id = running.getColumn(3).getString();
    run.terminated = running.getColumn(4).getInt() != 0;
    if (!is_alive(run.process)) lost.push_back(run);
  }
  return lost;
}

// Only if it is still the process that was looked at: another one may have taken the run over.
bool mark_lost(SQLite::Database& database, const Lost& lost, const std::string& reason) {
  const double now = now_seconds();
  SQLite::Statement update(
      database,
      "UPDATE run SET state = ?, reason = ?, ended = ?, exit_code = NULL, eta_seconds = NULL "
      "WHERE id = ? AND state = 'running' AND pid = ? AND start_ticks = ? AND boot_id = ?");
  update.bind(1, to_string(lost.terminated ? RunState::killed : RunState::crashed));
  update.bind(2, reason);
  update.bind(3, now);
  update.bind(4, lost.id);
  update.bind(5, lost.process.pid);
  update.bind(6, lost.process.start_ticks);
  update.bind(7, lost.process.boot_id);
  if (update.exec() == 0) return false;
  SQLite::Statement event(database,
                          "INSERT INTO event(run, ordinal, time, level, text) "
                          "VALUES (?, NULL, ?, ?, ?)");
  event.bind(1, lost.id);
  event.bind(2, now);
  event.bind(3, static_cast<int>(EventLevel::error));
  event.bind(4, (lost.terminated ? "killed: " : "crashed: ") + reason);
  event.exec();
  return true;
}

void clear_requests(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement clear(database, "DELETE FROM request WHERE run = ?");
  clear.bind(1, id);
  clear.exec();
}

}  // namespace

bool Log::claim(std::int64_t id, const std::vector<RunState>& from, const ProcessIdentity& process,
                int threads) {
  return state_->write([&] {
    SQLite::Statement update = state_->prepare(fmt::format(
        "UPDATE run SET state = 'running', reason = '', threads = ?, started = coalesce(started, "
        "?2), ended = NULL, exit_code = NULL, signal = NULL, pid = ?, start_ticks = ?, boot_id = "
        "?, heartbeat = ?2, terminated = 0, queue_position = 0, eta_seconds = NULL "
        "WHERE id = ? AND trashed IS NULL AND state IN ({})",
        quoted_states(from)));
    update.bind(1, threads);
    update.bind(2, now_seconds());
    update.bind(3, process.pid);
    update.bind(4, process.start_ticks);
    update.bind(5, process.boot_id);
    update.bind(6, id);
    if (update.exec() == 0) return false;
    clear_requests(*state_->database, id);
    return true;
  });
}

void Log::end(std::int64_t id, RunState state, const std::string& reason,
              std::optional<int> exit_code, std::optional<int> signal,
              const std::string& state_sha256) {
  state_->write([&] {
    SQLite::Statement update = state_->prepare(
        "UPDATE run SET state = ?, reason = ?, exit_code = ?, signal = ?, state_sha256 = ?, ended "
        "= "
        "?, eta_seconds = NULL, queue_position = 0 WHERE id = ?");
    update.bind(1, to_string(state));
    update.bind(2, reason);
    bind_optional(update, 3, exit_code);
    bind_optional(update, 4, signal);
    update.bind(5, state_sha256);
    bind_optional(update, 6,
                  state == RunState::paused ? std::nullopt : std::optional(now_seconds()));
    update.bind(7, id);
    update.exec();
    clear_requests(*state_->database, id);
  });
}

std::vector<Run> Log::reap() {
  const std::vector<Lost> lost = state_->read([&] { return find_lost(*state_->database); });
  if (lost.empty()) return {};
  const std::string our_boot = this_process().boot_id;
  std::vector<std::int64_t> marked;
  state_->write([&] {
    for (const Lost& run : lost) {
      if (mark_lost(*state_->database, run, reason_of(run, our_boot))) marked.push_back(run.id);
    }
  });
  std::vector<Run> changed;
  for (const std::int64_t id : marked) changed.push_back(run(id));
  return changed;
}

void Log::request(std::int64_t id, Request::Kind kind) {
  state_->write([&] {
    SQLite::Statement insert =
        state_->prepare("INSERT INTO request(run, kind, time) VALUES (?, ?, ?)");
    insert.bind(1, id);
    insert.bind(2, word_of(kind));
    insert.bind(3, now_seconds());
    insert.exec();
  });
}

std::vector<Request> Log::take_requests(std::int64_t id) {
  return state_->write([&] {
    SQLite::Statement select =
        state_->prepare("SELECT kind, time FROM request WHERE run = ? ORDER BY id");
    select.bind(1, id);
    std::vector<Request> requests;
    while (select.executeStep()) {
      requests.push_back(
          {kind_of(select.getColumn(0).getString()), select.getColumn(1).getDouble()});
    }
    if (!requests.empty()) clear_requests(*state_->database, id);
    return requests;
  });
}

void Log::mark_terminated(std::int64_t id) {
  state_->write([&] {
    SQLite::Statement update =
        state_->prepare("UPDATE run SET terminated = 1 WHERE id = ? AND state = 'running'");
    update.bind(1, id);
    update.exec();
  });
}

std::optional<Run> Log::next_queued() {
  const std::optional<std::int64_t> id = state_->read([&]() -> std::optional<std::int64_t> {
    SQLite::Statement select = state_->prepare(
        "SELECT id FROM run WHERE state = 'queued' AND trashed IS NULL "
        "ORDER BY queue_position, id LIMIT 1");
    if (!select.executeStep()) return std::nullopt;
    return select.getColumn(0).getInt64();
  });
  if (!id) return std::nullopt;
  return run(*id);
}

void Log::move_in_queue(std::int64_t id, std::int64_t before_id) {
  state_->write([&] {
    std::vector<std::int64_t> queue;
    SQLite::Statement select = state_->prepare(
        "SELECT id FROM run WHERE state = 'queued' AND trashed IS NULL "
        "ORDER BY queue_position, id");
    while (select.executeStep()) queue.push_back(select.getColumn(0).getInt64());
    if (id == before_id || std::erase(queue, id) == 0) return;  // begun meanwhile: nothing to move
    queue.insert(std::find(queue.begin(), queue.end(), before_id), id);
    SQLite::Statement update = state_->prepare("UPDATE run SET queue_position = ? WHERE id = ?");
    std::int64_t position = 0;
    for (const std::int64_t queued : queue) {
      update.bind(1, ++position);
      update.bind(2, queued);
      update.exec();
      update.reset();
    }
  });
}

void Log::remove_from_queue(std::int64_t id) {
  state_->write([&] {
    SQLite::Statement update = state_->prepare(
        "UPDATE run SET state = 'stopped', reason = 'removed from the queue', ended = ?, "
        "queue_position = 0 WHERE id = ? AND state = 'queued'");
    update.bind(1, now_seconds());
    update.bind(2, id);
    update.exec();
  });
}

}  // namespace assay
