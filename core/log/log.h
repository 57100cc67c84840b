// The experiment log: one SQLite file in WAL mode with an artifact folder beside it. It is the only
// thing that the window and the runs share. Layout and reasons: ARCHITECTURE.md, "The log".
//
//   <directory>/assay.sqlite
//   <directory>/runs/<public id>/{log.txt, checkpoint/, artifacts...}
//
// Every function throws Error: storage (disk full, no permission, locked beyond the busy timeout
// of 30 s), newer_version (user_version above ours; nothing was touched), unreadable (no SQLite
// file or damaged). A Log is one connection and is used by one thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/log/records.h"

namespace SQLite {
class Database;
}

namespace assay {

// Which runs, which columns, in which order.
struct RunQuery {
  std::string filter;  // see parse_filter in core/log/filter.h
  enum class Trash { living, trashed } trash = Trash::living;
  std::string sort = "created";  // a column of Run, "param:<key>", "metric:<key>" (its last value)
  bool descending = true;
  std::vector<std::string> parameters;  // values to fetch with each row
  std::vector<std::string> metrics;     // last values to fetch with each row
  std::int64_t limit = -1, offset = 0;
};

struct RunRow {
  Run run;                                       // provenance not filled
  std::vector<std::optional<Value>> parameters;  // as asked for; none: not set
  std::vector<std::optional<double>> metrics;
};

class Log {
 public:
  enum class Mode { read_write, read_only };
  // Creates directory and file when missing (read_write), migrates older files forward after a
  // backup (assay.sqlite.backup-v<N>) under an exclusive lock.
  explicit Log(const std::filesystem::path& directory, Mode mode = Mode::read_write);
  ~Log();
  Log(Log&&) noexcept;
  Log& operator=(Log&&) noexcept;

  const std::filesystem::path& directory() const;
  std::filesystem::path run_directory(const std::string& public_id) const;
  // Changes when any connection, other ones included, has committed (PRAGMA data_version and our
  // own writes): cheap to poll.
  std::int64_t change_counter();
  static constexpr int schema_version = 2;

  // --- asking for runs ---
  // Inserts a queued run with its parameters; makes its folder. Returns it with ids.
  Run insert(const NewRun& run);
  // Many at once, one transaction (a sweep over seeds).
  std::vector<Run> insert(const std::vector<NewRun>& runs);
  // Exact public id, unique prefix of one (at least 3 characters), or unique name among the living.
  // Throws not_found, or bad_input when several match (naming them).
  Run find(const std::string& address);
  Run run(std::int64_t id);  // with provenance and tags
  std::vector<RunRow> runs(const RunQuery& query);
  std::int64_t count(const RunQuery& query);

  // --- the life of a run (used by the engine and by those who start runners) ---
  // queued|paused|stopped|crashed|killed|failed -> running, atomically, only if it is in `from`.
  // False when someone else was faster. Stores process, start, heartbeat; clears pending requests.
  bool claim(std::int64_t id, const std::vector<RunState>& from, const ProcessIdentity& process,
             int threads);
  void end(std::int64_t id, RunState state, const std::string& reason, std::optional<int> exit_code,
           std::optional<int> signal, const std::string& state_sha256 = {});
  // Marks runs whose process is gone as crashed (or killed where a terminate was asked for), with
  // a reason and an event. Returns those it changed. Any process may call it at any time.
  std::vector<Run> reap();
  void request(std::int64_t id, Request::Kind kind);
  std::vector<Request> take_requests(std::int64_t id);  // returns and removes them
  void mark_terminated(std::int64_t id);  // before a signal is sent: reap() then says killed
  std::optional<Run> next_queued();       // first in the queue
  void move_in_queue(std::int64_t id, std::int64_t before_id);  // 0: to the end
  void remove_from_queue(std::int64_t id);  // queued -> stopped ("removed from the queue")

  // --- reading a run ---
  std::map<std::string, Value> parameters(std::int64_t id);
  ParameterSet parameter_set(std::int64_t id);  // with origins
  std::vector<MetricSummary> metrics(std::int64_t id);
  std::vector<MetricPoint> curve(std::int64_t id, const std::string& key,
                                 std::optional<std::int64_t> after_step = {});
  std::vector<Event> events(std::int64_t id, std::int64_t after_event = 0, std::int64_t limit = -1);
  std::vector<Artifact> artifacts(std::int64_t id, std::int64_t after_artifact = 0);
  std::map<std::string, double> timings(std::int64_t id);
  std::vector<std::string> metric_keys();  // over all living runs
  std::vector<std::string> parameter_keys();
  // Counts by state among the living.
  std::map<RunState, std::int64_t> state_counts();
  std::map<std::string, std::int64_t> runs_per_plugin();

  // --- what people do with runs ---
  void rename(std::int64_t id, const std::string& name);
  void set_notes(std::int64_t id, const std::string& notes);
  void set_starred(std::int64_t id, bool starred);
  void add_tag(const std::vector<std::int64_t>& ids, const std::string& tag);
  void remove_tag(const std::vector<std::int64_t>& ids, const std::string& tag);
  std::vector<std::string> all_tags();
  void trash(const std::vector<std::int64_t>& ids);  // running ones are refused: bad_input
  void restore(const std::vector<std::int64_t>& ids);
  // Removes rows and files for good, only of trashed runs. Returns the bytes of files freed.
  std::uint64_t purge(const std::vector<std::int64_t>& ids);
  // Full text over notes, names and log lines (FTS5): public ids, best match first.
  std::vector<std::string> search(const std::string& words, int limit = 50);

  // --- claims ---
  void store_claim(const StoredClaim& claim);
  std::vector<StoredClaim> claims(const std::string& plugin);  // latest of each claim

  // For core/log only.
  SQLite::Database& database();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
