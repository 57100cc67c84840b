// The log itself: opening, asking for runs, finding one.
#include "core/log/log.h"

#include <fmt/format.h>

#include <system_error>

#include "core/base/process.h"
#include "core/log/log_state.h"
#include "core/log/run_columns.h"
#include "core/log/stored_value.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t shortest_prefix = 3;

// Prepared once for any number of runs.
class Inserter {
 public:
  explicit Inserter(SQLite::Database& database)
      : run_(database,
             "INSERT INTO run(public_id, name, plugin, experiment, version, preset, parent, "
             "group_name, state, seed, threads, created, queue_position) VALUES (?, ?, ?, ?, ?, ?, "
             "?, ?, 'queued', ?, ?, ?, (SELECT coalesce(max(queue_position), 0) + 1 FROM run WHERE "
             "state = 'queued' AND trashed IS NULL)) RETURNING id"),
        parameter_(database,
                   "INSERT INTO parameter(key, run, type, number, text, origin) "
                   "VALUES (?, ?, ?, ?, ?, ?)"),
        tag_(database, "INSERT OR IGNORE INTO tag(run, name) VALUES (?, ?)"),
        taken_(database, "SELECT 1 FROM run WHERE name = ? AND trashed IS NULL") {}

  std::int64_t insert(const NewRun& run, const std::string& public_id) {
    const std::int64_t id = insert_row(run, public_id);
    for (const auto& [key, parameter] : run.parameters.all()) {
      parameter_.bind(1, key);
      parameter_.bind(2, id);
      bind_value(parameter_, 3, parameter.value);
      parameter_.bind(6, to_string(parameter.origin));
      parameter_.exec();
      parameter_.reset();
    }
    for (const std::string& tag : run.tags) {
      tag_.bind(1, id);
      tag_.bind(2, tag);
      tag_.exec();
      tag_.reset();
    }
    return id;
  }

 private:
  std::int64_t insert_row(const NewRun& run, const std::string& public_id) {
    run_.bind(1, public_id);
    run_.bind(2, run.name.empty() ? free_name(run) : run.name);
    run_.bind(3, run.plugin);
    run_.bind(4, run.experiment);
    run_.bind(5, run.version);
    run_.bind(6, run.preset);
    run_.bind(7, run.parent);
    run_.bind(8, run.group);
    run_.bind(9, static_cast<std::int64_t>(run.seed));
    run_.bind(10, run.threads);
    run_.bind(11, now_seconds());
    run_.executeStep();
    const std::int64_t id = run_.getColumn(0).getInt64();
    run_.reset();
    return id;
  }

  // A made name is not taken, so that it can stand for the run on the command line.
  std::string free_name(const NewRun& run) {
    const std::string base = fmt::format("{}-s{}", run.experiment, run.seed);
    std::string name = base;
    for (int number = 2; is_taken(name); ++number) name = fmt::format("{}-{}", base, number);
    return name;
  }

  bool is_taken(const std::string& name) {
    taken_.bind(1, name);
    const bool taken = taken_.executeStep();
    taken_.reset();
    return taken;
  }

  SQLite::Statement run_, parameter_, tag_, taken_;
};

void make_run_directory(const fs::path& directory) {
  std::error_code fault;
  fs::create_directories(directory, fault);
  if (!fault) return;
  throw Error(ErrorKind::storage,
              fmt::format("{}: can't be created: {}", directory.string(), fault.message()));
}

std::string described(const Run& run) {
  return fmt::format("{} ({}{})", run.public_id, run.name, run.trashed ? ", in the trash" : "");
}

Error several(const std::string& address, const std::vector<Run>& found) {
  constexpr std::size_t shown = 5;
  std::vector<std::string> names;
  for (const Run& run : found) {
    if (names.size() == shown) {
      names.emplace_back("...");
      break;
    }
    names.push_back(described(run));
  }
  return {ErrorKind::bad_input,
          fmt::format("'{}' stands for several runs: {}; give more letters of "
                      "the id",
                      address, fmt::join(names, ", "))};
}

}  // namespace

std::string id_list(const std::vector<std::int64_t>& ids) {
  return fmt::format("({})", fmt::join(ids, ","));
}

Log::Log(const fs::path& directory, Mode mode) : state_(std::make_unique<State>()) {
  state_->directory = directory;
  state_->mode = mode;
  state_->database = open_log(directory, mode);
}

Log::~Log() = default;
Log::Log(Log&&) noexcept = default;
Log& Log::operator=(Log&&) noexcept = default;

const fs::path& Log::directory() const {
  return state_->directory;
}

fs::path Log::run_directory(const std::string& public_id) const {
  return state_->directory / "runs" / public_id;
}

SQLite::Database& Log::database() {
  return *state_->database;
}

std::int64_t Log::change_counter() {
  return state_->read([&] {
    if (!state_->data_version) {
      state_->data_version =
          std::make_unique<SQLite::Statement>(*state_->database, "PRAGMA data_version");
    }
    SQLite::Statement& version = *state_->data_version;
    version.executeStep();
    const std::int64_t others = version.getColumn(0).getInt64();
    version.reset();
    // Both only grow, so the sum changes whenever one of them does.
    return others + state_->database->getTotalChanges();
  });
}

Run Log::insert(const NewRun& run) {
  return insert(std::vector<NewRun>{run}).front();
}

std::vector<Run> Log::insert(const std::vector<NewRun>& runs) {
  std::vector<std::string> public_ids;
  std::vector<std::int64_t> ids;
  try {
    state_->write([&] {
      Inserter inserter(*state_->database);
      for (const NewRun& run : runs) {
        public_ids.push_back(random_id());
        ids.push_back(inserter.insert(run, public_ids.back()));
        make_run_directory(run_directory(public_ids.back()));
      }
    });
  } catch (const Error&) {
    std::error_code ignored;  // the rows are rolled back; their folders are still empty
    for (const std::string& id : public_ids) fs::remove(run_directory(id), ignored);
    throw;
  }
  std::vector<Run> inserted;
  inserted.reserve(ids.size());
  for (const std::int64_t id : ids) inserted.push_back(run(id));
  return inserted;
}

Run Log::find(const std::string& address) {
  return state_->read([&] {
    const std::string select = fmt::format("SELECT {} FROM run WHERE ", run_columns);
    SQLite::Statement exact = state_->prepare(select + "public_id = ?");
    exact.bind(1, address);
    if (exact.executeStep()) return run(exact.getColumn(0).getInt64());

    SQLite::Statement others = state_->prepare(
        select +
        "(name = ?1 AND trashed IS NULL) OR (?2 AND substr(public_id, 1, length(?1)) = ?1)"
        " ORDER BY id DESC");
    others.bind(1, address);
    others.bind(2, address.size() >= shortest_prefix ? 1 : 0);
    std::vector<Run> found;
    while (others.executeStep()) found.push_back(read_run(others));
    if (found.size() > 1) throw several(address, found);
    if (found.size() == 1) return run(found.front().id);
    throw Error(ErrorKind::not_found,
                fmt::format("no run '{}' in {}; give its id, the first letters of it (at least {}) "
                            "or its name",
                            address, state_->directory.string(), shortest_prefix));
  });
}

Run Log::run(std::int64_t id) {
  return state_->read([&] {
    SQLite::Statement select =
        state_->prepare(fmt::format("SELECT {}, provenance.json FROM run LEFT JOIN provenance ON "
                                    "provenance.run = run.id WHERE run.id = ?",
                                    run_columns));
    select.bind(1, id);
    if (!select.executeStep()) {
      throw Error(ErrorKind::not_found,
                  fmt::format("the run is no longer in the log {}", state_->directory.string()));
    }
    Run run = read_run(select);
    const SQLite::Column provenance = select.getColumn(select.getColumnCount() - 1);
    if (!provenance.isNull()) run.provenance = Json::parse(provenance.getString());
    SQLite::Statement tags = state_->prepare("SELECT name FROM tag WHERE run = ? ORDER BY name");
    tags.bind(1, id);
    while (tags.executeStep()) run.tags.push_back(tags.getColumn(0).getString());
    return run;
  });
}

}  // namespace assay
