// assay-bench [NAME...] [--json]: runs the benchmark programs beside it, each in its own process (one
// has LibTorch, another the window), and prints their rows together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/files.h"
#include "core/base/json.h"

namespace {

namespace fs = std::filesystem;
using assay::Json;

std::vector<fs::path> programs(const fs::path& folder) {
  std::vector<fs::path> found;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto mode = entry.status().permissions();
      if (entry.is_regular_file() && (mode & fs::perms::owner_exec) != fs::perms::none) {
        found.push_back(entry.path());
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// What the program printed with --json; a program that fails gives no rows and a line on stderr.
Json rows_of(const fs::path& program) {
  FILE* pipe = popen(fmt::format("'{}' --json", program.string()).c_str(), "r");
  if (pipe == nullptr) return Json::array();
  std::string text;
  std::array<char, 4096> chunk{};
  for (std::size_t got = 0; (got = fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
    text.append(chunk.data(), got);
  }
  const int status = pclose(pipe);
  Json rows = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (status != 0 || !rows.is_array()) {
    fmt::print(stderr, "assay-bench: {} failed\n", program.filename().string());
    return Json::array();
  }
  return rows;
}

std::string cell(const Json& value) {
  return value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : value.get<std::string>();
}

void print_table(const Json& rows) {
  fmt::print("{:<34} {:>11} {:>11} {:<9} {:>8}  {:<9} {:<4} {}\n", "name", "ours", "theirs", "unit",
             "ratio", "target", "", "compared with");
  for (const Json& row : rows) {
    fmt::print("{:<34} {:>11} {:>11} {:<9} {:>8}  {:<9} {:<4} {}\n", row["name"].get<std::string>(),
               cell(row["ours"]), cell(row["theirs"]), row["unit"].get<std::string>(),
               cell(row["ratio"]), row["target"].get<std::string>(),
               row["met"].get<bool>() ? "met" : "MISS", row["peer"].get<std::string>());
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool as_json = false;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--json") as_json = true;
    else names.push_back(argument);
  }
  const auto available = programs(assay::program_directory().parent_path() / "bench");
  Json rows = Json::array();
  std::vector<std::string> known;
  for (const auto& program : available) {
    const std::string name = program.filename().string();
    known.push_back(name);
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (!as_json) fmt::print(stderr, "measuring {} ...\n", name);
    for (const Json& row : rows_of(program)) rows.push_back(row);
  }
  for (const auto& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fmt::print(stderr, "assay-bench: no benchmark '{}'; there are: {}\n", name, fmt::join(known, ", "));
      return 2;
    }
  }
  if (as_json) fmt::print("{}\n", rows.dump(1));
  else print_table(rows);
  return 0;
}
