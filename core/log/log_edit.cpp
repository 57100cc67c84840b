// What people do with runs: names, notes, stars, tags, trash, purge.
#include <fmt/format.h>

#include <system_error>

#include "core/base/process.h"
#include "core/log/log_state.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Folders of purged runs carry this until their files are gone.
constexpr const char* purged_prefix = ".purged-";

// One path component of ours: what else could stand in a damaged row must not reach the file
// system.
bool is_plain_id(const std::string& public_id) {
  if (public_id.empty()) return false;
  for (const char letter : public_id) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    if (!plain) return false;
  }
  return true;
}

// Never follows a link out of the folder: a link is removed, not what it leads to.
std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code fault;
  fs::recursive_directory_iterator files(folder, fault);
  for (; !fault && files != fs::recursive_directory_iterator(); files.increment(fault)) {
    std::error_code ignored;
    if (files->symlink_status(ignored).type() != fs::file_type::regular) continue;
    const std::uintmax_t size = files->file_size(ignored);
    if (!ignored) bytes += size;
  }
  return bytes;
}

std::uint64_t remove_purged(const fs::path& runs) {
  std::uint64_t freed = 0;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(runs, missing)) {
    if (!entry.path().filename().string().starts_with(purged_prefix)) continue;
    const std::uint64_t bytes = entry.is_symlink() ? 0 : bytes_in(entry.path());
    std::error_code fault;
    fs::remove_all(entry.path(), fault);
    if (fault) {
      throw Error(ErrorKind::storage,
                  fmt::format("{}: can't be removed: {}; the runs are purged, remove the folder by "
                              "hand or purge again",
                              entry.path().string(), fault.message()));
    }
    freed += bytes;
  }
  return freed;
}

// Out of the way in one move, inside the transaction that removes the rows: a restore in between
// finds either everything or nothing.
class MovedFolder {
 public:
  MovedFolder(const fs::path& runs, const std::string& public_id)
      : from_(runs / public_id), to_(runs / (purged_prefix + public_id)) {
    std::error_code fault;
    if (!fs::exists(fs::symlink_status(from_, fault))) return;
    fs::rename(from_, to_, fault);
    if (fault) {
      throw Error(ErrorKind::storage,
                  fmt::format("{}: can't be removed: {}", from_.string(), fault.message()));
    }
    moved_ = true;
  }
  ~MovedFolder() {
    std::error_code ignored;
    if (moved_ && !kept_) fs::rename(to_, from_, ignored);
  }
  MovedFolder(const MovedFolder&) = delete;
  MovedFolder& operator=(const MovedFolder&) = delete;
  void keep() { kept_ = true; }

 private:
  fs::path from_, to_;
  bool moved_ = false;
  bool kept_ = false;
};

std::string public_id_in_trash(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement select(database, "SELECT public_id, trashed IS NOT NULL FROM run WHERE id = ?");
  select.bind(1, id);
  if (!select.executeStep()) return {};  // purged by somebody else
  std::string public_id = select.getColumn(0).getString();
  if (select.getColumn(1).getInt() == 0) {
    throw Error(ErrorKind::bad_input,
                fmt::format("run {} is not in the trash; move it there first", public_id));
  }
  if (!is_plain_id(public_id)) {
    throw Error(ErrorKind::unreadable,
                fmt::format("the log is damaged: a run has the id '{}'", public_id));
  }
  return public_id;
}

std::vector<std::string> running_among(SQLite::Database& database,
                                       const std::vector<std::int64_t>& ids) {
  SQLite::Statement select(
      database, "SELECT public_id FROM run WHERE state = 'running' AND id IN " + id_list(ids));
  std::vector<std::string> names;
  while (select.executeStep()) names.push_back(select.getColumn(0).getString());
  return names;
}

}  // namespace

void Log::rename(std::int64_t id, const std::string& name) {
  if (name.empty()) throw Error(ErrorKind::bad_input, "a run's name can't be empty");
  state_->write([&] {
    SQLite::Statement update = state_->prepare("UPDATE run SET name = ? WHERE id = ?");
    update.bind(1, name);
    update.bind(2, id);
    update.exec();
  });
}

void Log::set_notes(std::int64_t id, const std::string& notes) {
  state_->write([&] {
    SQLite::Statement update = state_->prepare("UPDATE run SET notes = ? WHERE id = ?");
    update.bind(1, notes);
    update.bind(2, id);
    update.exec();
  });
}

void Log::set_starred(std::int64_t id, bool starred) {
  state_->write([&] {
    SQLite::Statement update = state_->prepare("UPDATE run SET starred = ? WHERE id = ?");
    update.bind(1, starred ? 1 : 0);
    update.bind(2, id);
    update.exec();
  });
}

void Log::add_tag(const std::vector<std::int64_t>& ids, const std::string& tag) {
  if (tag.empty()) throw Error(ErrorKind::bad_input, "a tag can't be empty");
  state_->write([&] {
    SQLite::Statement insert = state_->prepare(
        "INSERT OR IGNORE INTO tag(run, name) SELECT id, ? FROM run WHERE id IN " + id_list(ids));
    insert.bind(1, tag);
    insert.exec();
  });
}

void Log::remove_tag(const std::vector<std::int64_t>& ids, const std::string& tag) {
  state_->write([&] {
    SQLite::Statement remove =
        state_->prepare("DELETE FROM tag WHERE name = ? AND run IN " + id_list(ids));
    remove.bind(1, tag);
    remove.exec();
  });
}

std::vector<std::string> Log::all_tags() {
  return state_->read([&] {
    SQLite::Statement select = state_->prepare(
        "SELECT DISTINCT tag.name FROM tag JOIN run ON run.id = tag.run WHERE "
        "run.trashed IS NULL ORDER BY tag.name");
    std::vector<std::string> tags;
    while (select.executeStep()) tags.push_back(select.getColumn(0).getString());
    return tags;
  });
}

void Log::trash(const std::vector<std::int64_t>& ids) {
  state_->write([&] {
    const std::vector<std::string> running = running_among(*state_->database, ids);
    if (!running.empty()) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("{} {} running and can't go to the trash; stop {} first",
                              fmt::join(running, ", "), running.size() == 1 ? "is" : "are",
                              running.size() == 1 ? "it" : "them"));
    }
    SQLite::Statement dequeue = state_->prepare(
        "UPDATE run SET state = 'stopped', reason = 'removed from the queue', ended = ?, "
        "queue_position = 0 WHERE state = 'queued' AND id IN " +
        id_list(ids));
    dequeue.bind(1, now_seconds());
    dequeue.exec();
    SQLite::Statement update = state_->prepare(
        "UPDATE run SET trashed = ? WHERE trashed IS NULL AND id IN " + id_list(ids));
    update.bind(1, now_seconds());
    update.exec();
  });
}

void Log::restore(const std::vector<std::int64_t>& ids) {
  state_->write(
      [&] { state_->database->exec("UPDATE run SET trashed = NULL WHERE id IN " + id_list(ids)); });
}

std::uint64_t Log::purge(const std::vector<std::int64_t>& ids) {
  const fs::path runs = state_->directory / "runs";
  // A transaction each: a million rows of curves must not keep running runs from writing.
  for (const std::int64_t id : ids) {
    state_->read([&] {
      SQLite::Transaction transaction(*state_->database, SQLite::TransactionBehavior::IMMEDIATE);
      const std::string public_id = public_id_in_trash(*state_->database, id);
      if (public_id.empty()) return;
      MovedFolder folder(runs, public_id);
      SQLite::Statement remove = state_->prepare("DELETE FROM run WHERE id = ?");
      remove.bind(1, id);
      remove.exec();
      transaction.commit();
      folder.keep();
    });
  }
  return remove_purged(runs);
}

}  // namespace assay
