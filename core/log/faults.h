// SQLite's faults as ours: which file, what happened, what to do. For core/log only.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"

namespace assay {

inline constexpr int busy_timeout_ms = 30'000;

// `database` may be null (the file could not be opened).
Error storage_fault(const SQLite::Exception& fault, SQLite::Database* database,
                    const std::filesystem::path& file);
// For a file that is no log or is damaged; `what` says how it shows.
Error unreadable_log(const std::filesystem::path& file, const std::string& what);

// Runs `work` with SQLite's exceptions turned into Error.
template <typename Work>
auto with_clear_faults(SQLite::Database* database, const std::filesystem::path& file, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const SQLite::Exception& fault) {
    throw storage_fault(fault, database, file);
  } catch (const Json::exception& fault) {
    throw unreadable_log(file, fault.what());
  }
}

}  // namespace assay
