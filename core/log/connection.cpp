// Opens the log's file: checks before touching, settings, the fallback for folders that can't be
// written.
#include "core/log/connection.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/log/faults.h"
#include "core/log/migration.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t header_bytes = 100;  // www.sqlite.org/fileformat2.html, section 1.3
constexpr std::size_t page_size_offset = 16, version_offset = 60, application_offset = 68;

using Header = std::array<unsigned char, header_bytes>;

std::uint32_t big_endian(const Header& header, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8U | header.at(offset + i);
  return value;
}

void check_empty_file(const fs::path& file) {
  std::error_code ignored;
  const fs::directory_iterator runs(file.parent_path() / "runs", ignored);
  if (!ignored && runs != fs::directory_iterator()) {
    throw unreadable_log(file, "it is empty although there are runs beside it");
  }
}

bool has_rows_waiting(const fs::path& file) {
  std::error_code missing;
  const std::uintmax_t waiting = fs::file_size(file.string() + "-wal", missing);
  return !missing && waiting > 0;
}

// SQLite notices missing pages by itself but fills up a part of one with zeros. A page that was cut
// by a full disk is still in the write-ahead log, and is written again from there.
void check_last_page(const fs::path& file, const Header& header) {
  const std::uintmax_t stored = big_endian(header, page_size_offset) >> 16U;
  const std::uintmax_t page_size = stored == 1 ? 65536 : stored;
  std::error_code fault;
  const std::uintmax_t size = fs::file_size(file, fault);
  if (fault || page_size == 0 || size % page_size == 0 || has_rows_waiting(file)) return;
  throw unreadable_log(file, "its end is cut off");
}

// A descriptor for looking at the file, opened once and never closed: closing any descriptor of a
// file drops every POSIX lock this process has on it (www.sqlite.org/howtocorrupt.html, section
// 2.2), and another process would then take our open connections for gone and remove their
// write-ahead log. -1: can't be opened.
int lasting_descriptor(const fs::path& file) {
  static std::mutex mutex;
  static std::map<std::pair<dev_t, ino_t>, int> opened;
  const std::lock_guard lock(mutex);
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return -1;
  const std::pair<dev_t, ino_t> identity{facts.st_dev, facts.st_ino};
  if (const auto known = opened.find(identity); known != opened.end()) return known->second;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) opened[identity] = descriptor;
  return descriptor;
}

// Looks at the bytes before SQLite does, so that a file which is not ours stays as it is.
void check_header(const fs::path& file) {
  std::error_code missing;
  const fs::file_status status = fs::status(file, missing);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status)) throw unreadable_log(file, "it is no regular file");
  const int descriptor = lasting_descriptor(file);
  if (descriptor < 0) {
    throw Error(ErrorKind::storage,
                fmt::format("{}: can't be read; check its permissions", file.string()));
  }
  Header header{};
  const ssize_t read = ::pread(descriptor, header.data(), header.size(), 0);
  const auto got = static_cast<std::size_t>(read < 0 ? 0 : read);
  if (got == 0) return check_empty_file(file);
  const std::string_view magic("SQLite format 3\0", 16);
  if (got < header_bytes ||
      std::string_view(reinterpret_cast<const char*>(header.data()), magic.size()) != magic) {
    throw unreadable_log(file, "it does not begin like an SQLite file");
  }
  const std::uint32_t application = big_endian(header, application_offset);
  if (application != 0 && application != application_id) {
    throw unreadable_log(file, "it belongs to another program");
  }
  check_version(file, static_cast<int>(big_endian(header, version_offset)));
  check_last_page(file, header);
}

void make_directory(const fs::path& directory) {
  std::error_code fault;
  fs::create_directories(directory, fault);
  if (fault) {
    throw Error(ErrorKind::storage,
                fmt::format("{}: can't be created ({}); choose another folder with --log",
                            directory.string(), fault.message()));
  }
}

void apply_settings(SQLite::Database& database) {
  // synchronous=NORMAL: after a power cut the last commits may be gone, the file is never damaged;
  // RunWriter::flush() makes durable what a checkpoint relies on.
  database.exec(
      "PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY;"
      "PRAGMA cache_size=-16000; PRAGMA journal_size_limit=67108864;");
}

std::unique_ptr<SQLite::Database> open_for_writing(const fs::path& file) {
  auto database = std::make_unique<SQLite::Database>(
      file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_timeout_ms);
  if (sqlite3_db_readonly(database->getHandle(), "main") == 1) {
    throw Error(ErrorKind::storage,
                fmt::format("{}: can't be written (read-only); check the permissions of its folder "
                            "or choose another one with --log",
                            file.string()));
  }
  return database;
}

// SQLite's immutable mode reads a file without any lock or helper file; rows that only stand in
// the write-ahead log would be invisible, so that is no way out then.
std::unique_ptr<SQLite::Database> open_immutable(const fs::path& file) {
  if (has_rows_waiting(file)) {
    throw Error(ErrorKind::storage,
                fmt::format("{}: its last rows stand in {}-wal, which can't be read from a folder "
                            "that can't be written; copy the folder to a writable place",
                            file.string(), file.filename().string()));
  }
  std::string address = "file:";
  for (const char letter : file.string()) {
    const bool plain = letter != '?' && letter != '#' && letter != '%';
    address += plain ? std::string(1, letter) : fmt::format("%{:02X}", letter);
  }
  return std::make_unique<SQLite::Database>(address + "?immutable=1",
                                            SQLite::OPEN_READONLY | SQLite::OPEN_URI);
}

int stored_version(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt();
}

std::unique_ptr<SQLite::Database> open_for_reading(const fs::path& file) {
  if (!fs::exists(file)) {
    throw Error(ErrorKind::not_found, fmt::format("{}: there is no experiment log", file.string()));
  }
  try {
    auto database =
        std::make_unique<SQLite::Database>(file.string(), SQLite::OPEN_READONLY, busy_timeout_ms);
    stored_version(*database);  // the first read is what needs the helper files
    return database;
  } catch (const SQLite::Exception& fault) {
    const int code = fault.getErrorCode() & 0xff;
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY) throw;
  }
  return open_immutable(file);
}

void check_readable_version(SQLite::Database& database, const fs::path& file) {
  const int version = stored_version(database);
  check_version(file, version);
  if (version == Log::schema_version) return;
  if (version == 0) throw unreadable_log(file, "it holds no log");
  throw Error(ErrorKind::storage,
              fmt::format("{}: was written by an older Assay (format {}, ours is {}); open it once "
                          "where it can be written, and it is brought up to date",
                          file.string(), version, Log::schema_version));
}

}  // namespace

fs::path log_file(const fs::path& directory) {
  return directory / "assay.sqlite";
}

std::unique_ptr<SQLite::Database> open_log(const fs::path& directory, Log::Mode mode) {
  const fs::path file = log_file(directory);
  std::unique_ptr<SQLite::Database> database;
  if (mode == Log::Mode::read_write) make_directory(directory);
  check_header(file);
  try {
    if (mode == Log::Mode::read_only) {
      database = open_for_reading(file);
      check_readable_version(*database, file);
      apply_settings(*database);
      return database;
    }
    database = open_for_writing(file);
    bring_up_to_date(*database, file);
    apply_settings(*database);
    return database;
  } catch (const SQLite::Exception& fault) {
    throw storage_fault(fault, database.get(), file);
  }
}

}  // namespace assay
