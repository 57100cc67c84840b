// Opens the log's file: checks before touching, settings, the fallback for folders that can't be
// written. For core/log only.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <memory>

#include "core/log/log.h"

namespace assay {

std::filesystem::path log_file(const std::filesystem::path& directory);

// A connection to a current log; creates and migrates in read_write mode. Throws as Log does.
std::unique_ptr<SQLite::Database> open_log(const std::filesystem::path& directory, Log::Mode mode);

// One immediate transaction: waits for other writers at its begin and never later. Commits when
// `work` returns, rolls back when it throws.
template <typename Work>
auto in_transaction(SQLite::Database& database, Work&& work) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  if constexpr (std::is_void_v<decltype(work())>) {
    work();
    transaction.commit();
  } else {
    auto result = work();
    transaction.commit();
    return result;
  }
}

}  // namespace assay
