// What a Log holds; shared by the files of core/log that implement it.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/log/connection.h"
#include "core/log/faults.h"
#include "core/log/log.h"

namespace assay {

struct Log::State {
  std::filesystem::path directory;
  Mode mode = Mode::read_write;
  std::unique_ptr<SQLite::Database> database;
  std::unique_ptr<SQLite::Statement> data_version;

  // Any work on the database, its faults made clear.
  template <typename Work>
  auto read(Work&& work) {
    return with_clear_faults(database.get(), log_file(directory), std::forward<Work>(work));
  }
  // The same in one immediate transaction.
  template <typename Work>
  auto write(Work&& work) {
    return read([&] { return in_transaction(*database, std::forward<Work>(work)); });
  }
  SQLite::Statement prepare(const std::string& sql) { return {*database, sql}; }
};

// "(1,2,3)": ids are ours, never text of a user.
std::string id_list(const std::vector<std::int64_t>& ids);

}  // namespace assay
