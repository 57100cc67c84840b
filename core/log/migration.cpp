// Brings a log's file to the current format: forward only, one process at a time, after a backup.
#include "core/log/migration.h"

#include <SQLiteCpp/Backup.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "core/log/faults.h"
#include "core/log/log.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::string system_message(int number) {
  return std::error_code(number, std::generic_category()).message();
}

// An exclusive lock on the folder itself, so that no lock file stays behind. SQLite's own lock does
// not cover the switch to WAL, which must be done outside a transaction.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) : fd_(::open(folder.c_str(), O_RDONLY | O_CLOEXEC)) {
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_timeout_ms);
    while (fd_ < 0 || ::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      const int number = errno;
      const bool taken = fd_ >= 0 && (number == EWOULDBLOCK || number == EINTR);
      if (taken && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(5ms);
        continue;
      }
      if (fd_ >= 0) ::close(fd_);
      throw Error(
          ErrorKind::storage,
          fmt::format("{}: can't be locked to prepare the log: {}", folder.string(),
                      taken ? "another Assay has been at it for 30 s" : system_message(number)));
    }
  }
  ~FolderLock() { ::close(fd_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

int stored_version(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt();
}

bool is_empty(SQLite::Database& database) {
  return database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
}

// The switch to WAL answers "busy" at once, without waiting as other statements do.
void switch_to_wal(SQLite::Database& database) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(busy_timeout_ms);
  while (true) {
    try {
      database.execAndGet("PRAGMA journal_mode=WAL");
      return;
    } catch (const SQLite::Exception& fault) {
      if ((fault.getErrorCode() & 0xff) != SQLITE_BUSY) throw;
      if (std::chrono::steady_clock::now() > until) throw;
    }
    std::this_thread::sleep_for(5ms);
  }
}

void sync_file(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

// Through connections of its own: the caller's holds the write lock, so nothing changes meanwhile.
void back_up(const fs::path& file, int version) {
  const fs::path backup = file.string() + fmt::format(".backup-v{}", version);
  const fs::path partial = backup.string() + ".partial";
  std::error_code ignored;
  fs::remove(partial, ignored);
  try {
    SQLite::Database source(file.string(), SQLite::OPEN_READONLY, busy_timeout_ms);
    SQLite::Database target(partial.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    SQLite::Backup backing_up(target, source);
    backing_up.executeStep(-1);
  } catch (const SQLite::Exception& fault) {
    fs::remove(partial, ignored);
    const Error clear = storage_fault(fault, nullptr, file);
    throw Error(clear.kind(), fmt::format("the backup before bringing the log up to date failed, "
                                          "nothing was changed: {}",
                                          clear.what()));
  }
  sync_file(partial);
  std::error_code fault;
  fs::rename(partial, backup, fault);
  if (fault) {
    throw Error(ErrorKind::storage,
                fmt::format("{}: can't be written: {}", backup.string(), fault.message()));
  }
}

}  // namespace

void check_version(const fs::path& file, int version) {
  if (version <= Log::schema_version) return;
  throw Error(ErrorKind::newer_version,
              fmt::format("{}: was written by a newer Assay (format {}, this one knows up to {}); "
                          "nothing was changed, update Assay to open it",
                          file.string(), version, Log::schema_version));
}

void bring_up_to_date(SQLite::Database& database, const fs::path& file) {
  int version = stored_version(database);
  check_version(file, version);
  if (version == Log::schema_version) return;

  const FolderLock lock(file.parent_path());
  version = stored_version(database);
  if (version == Log::schema_version) return;  // somebody else has done it meanwhile
  if (version == 0 && !is_empty(database)) {
    throw unreadable_log(file, "it is an SQLite file with other contents");
  }
  switch_to_wal(database);
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  if (version > 0) back_up(file, version);
  for (int step = version; step < Log::schema_version; ++step) {
    database.exec(schema_steps().at(static_cast<std::size_t>(step)));
  }
  database.exec(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", application_id,
                            Log::schema_version));
  transaction.commit();
}

}  // namespace assay
