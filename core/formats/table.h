// Tables and CSV (RFC 4180).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // each as long as columns
};

// Quotes where needed; reals are written by the caller in shortest round-trip form.
std::string to_csv(const Table& table);
void write_csv(const std::filesystem::path& path, const Table& table);  // atomic
// First row is the header unless `header` is false (columns are then "1", "2", ...). Ragged rows,
// open quotes and NUL bytes are refused (unreadable) with the line.
Table parse_csv(const std::string& text, const std::string& name, bool header = true);
Table read_csv(const std::filesystem::path& path, bool header = true);  // .gz too
std::string shortest(double value);  // "0.1", "nan", "inf", "-inf"

}  // namespace assay
