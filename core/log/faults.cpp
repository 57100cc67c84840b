// SQLite's faults as ours: which file, what happened, what to do.
#include "core/log/faults.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

namespace assay {
namespace {

namespace fs = std::filesystem;

// quick_check reads the whole file; beyond this size a message must not wait for it.
constexpr std::uintmax_t checked_bytes = 64U << 20;

std::string first_finding(SQLite::Database* database, const fs::path& file) {
  std::error_code ignored;
  const std::uintmax_t bytes = fs::file_size(file, ignored);
  if (database == nullptr || ignored || bytes > checked_bytes) return {};
  try {
    SQLite::Statement check(*database, "PRAGMA quick_check(1)");
    if (!check.executeStep()) return {};
    std::string finding = check.getColumn(0).getString();
    std::replace(finding.begin(), finding.end(), '\n', ' ');
    return finding == "ok" ? std::string() : "; a check finds: " + finding;
  } catch (const SQLite::Exception&) {
    return {};  // too damaged to be checked: the first message has to do
  }
}

std::string backups_beside(const fs::path& file) {
  std::vector<std::string> names;
  const std::string beginning = file.filename().string() + ".backup-";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(file.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(beginning)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names.empty() ? std::string() : fmt::format(" (or go back to {})", fmt::join(names, ", "));
}

Error full_disk(const fs::path& file) {
  return {ErrorKind::storage,
          fmt::format("{}: no space left on the device; what was committed is kept, free some "
                      "space there and go on",
                      file.string())};
}

Error not_writable(const fs::path& file, const std::string& why) {
  return {ErrorKind::storage,
          fmt::format("{}: can't be written ({}); check the permissions of its folder or choose "
                      "another one with --log",
                      file.string(), why)};
}

std::string system_reason(int number, const char* otherwise) {
  return number != 0 ? std::error_code(number, std::generic_category()).message() : otherwise;
}

}  // namespace

Error unreadable_log(const fs::path& file, const std::string& what) {
  return {
      ErrorKind::unreadable,
      fmt::format("{}: is damaged or no experiment log: {}. Nothing was changed; copy the folder "
                  "first, then try 'sqlite3 {} .recover | sqlite3 rescued.sqlite'{}",
                  file.string(), what, file.filename().string(), backups_beside(file))};
}

Error storage_fault(const SQLite::Exception& fault, SQLite::Database* database,
                    const fs::path& file) {
  const int number = database != nullptr ? sqlite3_system_errno(database->getHandle()) : errno;
  const int code = fault.getErrorCode() & 0xff;
  switch (code) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_MISMATCH:
      return unreadable_log(file, fault.what() + first_finding(database, file));
    case SQLITE_FULL:
      return full_disk(file);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return not_writable(file, fault.what());
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      if (number == ENOSPC || number == EDQUOT) return full_disk(file);
      if (code == SQLITE_CANTOPEN) return not_writable(file, system_reason(number, fault.what()));
      return {ErrorKind::storage, fmt::format("{}: input or output failed: {}", file.string(),
                                              system_reason(number, fault.what()))};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorKind::storage,
              fmt::format("{}: another program has kept it locked for {} s; find out which one "
                          "('fuser -v' on the file), end it and try again",
                          file.string(), busy_timeout_ms / 1000)};
    case SQLITE_ERROR:
      // A column or table is missing although the version is right: the schema page is damaged.
      return unreadable_log(file, fault.what());
    default:
      return {ErrorKind::storage, fmt::format("{}: {}", file.string(), fault.what())};
  }
}

}  // namespace assay
