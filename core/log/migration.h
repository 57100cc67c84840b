// Brings a log's file to the current format: forward only, one process at a time, after a backup.
// For core/log only.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace assay {

// "Asay": tells our files from other programs' SQLite files.
inline constexpr std::uint32_t application_id = 0x41736179;

// steps()[n] leads from format n to n + 1; formats and reasons in schema.cpp.
const std::vector<const char*>& schema_steps();

// Throws newer_version when `version` is above ours.
void check_version(const std::filesystem::path& file, int version);

// Does nothing when the file is current. Else: waits for its turn, copies a file of an older
// format to "<file>.backup-v<N>", and does all steps in one transaction.
void bring_up_to_date(SQLite::Database& database, const std::filesystem::path& file);

}  // namespace assay
