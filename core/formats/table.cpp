// CSV by RFC 4180: written with CRLF-free lines ("\n"), read with either line end.
#include "core/formats/table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/base/error.h"
#include "core/base/files.h"

namespace assay {
namespace {

constexpr std::uint64_t table_limit = std::uint64_t{1} << 30;

void append_cell(std::string& out, const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_row(std::string& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    append_cell(out, cells[i]);
  }
  // A lone empty cell would read back as an empty line.
  if (cells.size() == 1 && cells[0].empty()) out += "\"\"";
  out += '\n';
}

// Splits CSV text into rows; `line` is the current line for messages (quoted cells span several).
class CsvParser {
 public:
  CsvParser(std::string_view text, const std::string& name) : text_(text), name_(name) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t line() const { return line_; }

  std::vector<std::string> row() {
    std::vector<std::string> cells;
    while (true) {
      cells.push_back(!at_end() && text_[at_] == '"' ? quoted_cell() : plain_cell());
      if (at_end()) return cells;
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      end_line();
      return cells;
    }
  }

  // An empty line; skipped between rows.
  bool skip_empty_line() {
    if (at_end() || (text_[at_] != '\n' && text_[at_] != '\r')) return false;
    end_line();
    return true;
  }

  [[noreturn]] void refuse(std::size_t line, const std::string& message) const {
    throw Error(ErrorKind::unreadable, fmt::format("{}: line {}: {}", name_, line, message));
  }

 private:
  std::string plain_cell() {
    const std::size_t begin = at_;
    while (!at_end() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') {
      if (text_[at_] == '\0') refuse(line_, "a NUL byte; this is no text");
      if (text_[at_] == '"') refuse(line_, "a quote inside a cell that is not quoted");
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted_cell() {
    const std::size_t opened = line_;
    std::string cell;
    for (++at_; !at_end(); ++at_) {
      const char c = text_[at_];
      if (c == '\0') refuse(line_, "a NUL byte; this is no text");
      if (c == '\n') ++line_;
      if (c != '"') {
        cell += c;
        continue;
      }
      if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell += '"';
        ++at_;
        continue;
      }
      ++at_;
      if (!at_end() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r')
        refuse(line_, "text after a closing quote");
      return cell;
    }
    refuse(opened, "a quote is opened and never closed");
  }

  void end_line() {
    if (text_[at_] == '\r') ++at_;
    if (!at_end() && text_[at_] == '\n') ++at_;
    ++line_;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

std::string to_csv(const Table& table) {
  std::string out;
  append_row(out, table.columns);
  for (const auto& row : table.rows) {
    if (row.size() != table.columns.size())
      throw Error(ErrorKind::bad_input, fmt::format("a table row has {} cells, its header {}",
                                                    row.size(), table.columns.size()));
    append_row(out, row);
  }
  return out;
}

void write_csv(const std::filesystem::path& path, const Table& table) {
  write_atomically(path, std::string_view(to_csv(table)));
}

Table parse_csv(const std::string& text, const std::string& name, bool header) {
  CsvParser parser(text, name);
  Table table;
  bool named = false;
  while (!parser.at_end()) {
    if (parser.skip_empty_line()) continue;
    const std::size_t line = parser.line();
    std::vector<std::string> cells = parser.row();
    if (!named && header) {
      table.columns = std::move(cells);
      named = true;
      continue;
    }
    if (!named) {
      for (std::size_t i = 1; i <= cells.size(); ++i) table.columns.push_back(std::to_string(i));
      named = true;
    }
    if (cells.size() != table.columns.size())
      parser.refuse(line, fmt::format("{} cells where the first row has {}", cells.size(),
                                      table.columns.size()));
    table.rows.push_back(std::move(cells));
  }
  if (!named) throw Error(ErrorKind::unreadable, name + ": an empty table");
  return table;
}

Table read_csv(const std::filesystem::path& path, bool header) {
  const auto bytes = gunzip_if_needed(read_file(path, table_limit), path.string(), table_limit);
  return parse_csv(std::string(bytes.begin(), bytes.end()), path.string(), header);
}

std::string shortest(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace assay
