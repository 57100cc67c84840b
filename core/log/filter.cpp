// The filter line of the Runs page, as SQL.
#include "core/log/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/log/records.h"

namespace assay {
namespace {

// One piece of the line: a text (possibly quoted) or an operator.
struct Piece {
  std::string text;
  std::size_t position = 0;  // of its first character, from 1
  bool quoted = false;
};

[[noreturn]] void fail(std::size_t position, const std::string& fault) {
  throw Error(ErrorKind::bad_input, fmt::format("at character {}: {}", position, fault));
}

class Reader {
 public:
  explicit Reader(const std::string& line) : line_(line) {}

  void skip_spaces() {
    while (at_ < line_.size() && is_space(line_[at_])) ++at_;
  }
  bool at_end() const { return at_ >= line_.size(); }
  std::size_t position() const { return at_ + 1; }

  // Up to a space or an operator; quotes keep both.
  Piece text(bool stop_at_colon) {
    Piece piece{{}, position(), false};
    while (!at_end() && !is_space(line_[at_])) {
      if (line_[at_] == '"') {
        read_quoted(piece);
      } else if (starts_operator() || (stop_at_colon && line_[at_] == ':')) {
        break;
      } else {
        piece.text += line_[at_++];
      }
    }
    return piece;
  }

  // "", or one of : > >= < <= = == != ; spaces before a comparison are allowed, as in "lr > 0.1".
  Piece operation() {
    const std::size_t before = at_;
    if (!at_end() && line_[at_] == ':') return {line_.substr(at_++, 1), position() - 1, false};
    skip_spaces();
    if (at_end() || !starts_operator()) {
      at_ = before;
      return {{}, position(), false};
    }
    Piece piece{{}, position(), false};
    piece.text = line_[at_++];
    if (!at_end() && line_[at_] == '=') piece.text += line_[at_++];
    return piece;
  }

 private:
  static bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\n'; }

  bool starts_operator() const {
    const char letter = line_[at_];
    if (letter == '!') return at_ + 1 < line_.size() && line_[at_ + 1] == '=';
    return letter == '<' || letter == '>' || letter == '=';
  }

  void read_quoted(Piece& piece) {
    const std::size_t end = line_.find('"', at_ + 1);
    if (end == std::string::npos) fail(position(), "the quote \" is not closed");
    piece.text += line_.substr(at_ + 1, end - at_ - 1);
    piece.quoted = true;
    at_ = end + 1;
  }

  const std::string& line_;
  std::size_t at_ = 0;
};

// "%a\%b%" for LIKE ... ESCAPE '\'.
std::string like_pattern(const std::string& word) {
  std::string pattern = "%";
  for (const char letter : word) {
    if (letter == '%' || letter == '_' || letter == '\\') pattern += '\\';
    pattern += letter;
  }
  return pattern + "%";
}

std::optional<double> number_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return std::nullopt;
  return value;
}

class Builder {
 public:
  void word(const std::string& word) {
    const std::string pattern = like_pattern(word);
    std::string condition;
    for (const char* column : {"name", "plugin", "experiment", "state", "notes"}) {
      condition += fmt::format("run.{} LIKE ? ESCAPE '\\' OR ", column);
      filter_.bindings.emplace_back(pattern);
    }
    condition += "run.id IN (SELECT run FROM tag WHERE name LIKE ? ESCAPE '\\')";
    filter_.bindings.emplace_back(pattern);
    add(condition);
  }

  void field(const Piece& key, const Piece& value) {
    if (key.text == "paper") return equal("run.plugin", value.text);
    if (key.text == "preset") return equal("run.preset", value.text);
    if (key.text == "experiment") {
      filter_.bindings.emplace_back(value.text);
      filter_.bindings.emplace_back(value.text);
      return add("run.experiment = ? OR run.plugin || '.' || run.experiment = ?");
    }
    if (key.text == "state") return state(value);
    if (key.text == "tag") {
      filter_.bindings.emplace_back(value.text);
      return add("run.id IN (SELECT run FROM tag WHERE name = ? COLLATE NOCASE)");
    }
    if (key.text == "seed") return seed(value);
    fail(key.position, fmt::format("'{}:' is not known; allowed: paper, experiment, state, tag, "
                                   "preset, seed",
                                   key.text));
  }

  void comparison(const Piece& key, const Piece& operation, const Piece& value) {
    const std::string sql_operator = operation.text == "==" ? "=" : operation.text;
    const bool equality = sql_operator == "=" || sql_operator == "!=";
    const std::optional<double> number = value.quoted ? std::nullopt : number_of(value.text);
    if (!equality && (!number || std::isnan(*number))) {
      fail(value.position,
           fmt::format("'{}' is no number; {} compares numbers, = and != compare texts too",
                       value.text, sql_operator));
    }
    if (number && std::isnan(*number)) return not_a_number(key.text, sql_operator);
    if (number && run_column(key.text, sql_operator, *number)) return;
    std::string condition = "run.id IN (";
    if (number) {
      metric(condition, key.text, "last " + sql_operator + " ?", *number);
      condition += " UNION ALL ";
    }
    parameter(condition, key.text, sql_operator, value.text, number);
    add(condition + ")");
  }

  Filter take() {
    if (filter_.where.empty()) filter_.where = "1";
    return std::move(filter_);
  }

 private:
  void add(const std::string& condition) {
    filter_.where += (filter_.where.empty() ? "(" : " AND (") + condition + ")";
  }

  void equal(const char* column, const std::string& value) {
    filter_.bindings.emplace_back(value);
    add(fmt::format("{} = ? COLLATE NOCASE", column));
  }

  void state(const Piece& value) {
    if (!run_state_from(value.text)) {
      fail(value.position, fmt::format("no state '{}'; allowed: queued, running, paused, finished, "
                                       "stopped, failed, killed, crashed",
                                       value.text));
    }
    equal("run.state", value.text);
  }

  // Through text, because a double has no room for all seeds.
  void seed(const Piece& value) {
    std::uint64_t seed = 0;
    const char* const end = value.text.data() + value.text.size();
    const auto [stop, fault] = std::from_chars(value.text.data(), end, seed);
    if (fault != std::errc() || stop != end) {
      fail(value.position,
           fmt::format("'{}' is no seed; allowed: a whole number from 0", value.text));
    }
    filter_.bindings.emplace_back(std::to_string(static_cast<std::int64_t>(seed)));
    add("run.seed = CAST(? AS INTEGER)");
  }

  // Facts of the run itself that are numbers.
  bool run_column(const std::string& key, const std::string& sql_operator, double number) {
    constexpr const char* columns[] = {"seed", "seconds", "threads"};
    const bool known = std::any_of(std::begin(columns), std::end(columns),
                                   [&](const char* column) { return key == column; });
    if (!known) return false;
    filter_.bindings.emplace_back(number);
    add(fmt::format("run.{} {} ?", key, sql_operator));
    return true;
  }

  void metric(std::string& condition, const std::string& key, const std::string& test,
              std::optional<double> number) {
    condition +=
        "SELECT run FROM metric_latest WHERE key = (SELECT id FROM metric_key WHERE "
        "metric_key.name "
        "= ?) AND " +
        test;
    filter_.bindings.emplace_back(key);
    if (number) filter_.bindings.emplace_back(*number);
  }

  // A parameter that is not set differs from nothing: != asks for a value, too.
  void parameter(std::string& condition, const std::string& key, const std::string& sql_operator,
                 const std::string& text, std::optional<double> number) {
    condition += "SELECT run FROM parameter WHERE key = ? AND ";
    filter_.bindings.emplace_back(key);
    if (number) {
      condition += "CASE WHEN number IS NOT NULL THEN number " + sql_operator + " ? ELSE ";
      filter_.bindings.emplace_back(*number);
      const bool equality = sql_operator == "=" || sql_operator == "!=";
      condition += equality ? "text " + sql_operator + " ? END" : "0 END";
      if (equality) filter_.bindings.emplace_back(text);
      return;
    }
    condition += fmt::format(
        "CASE type WHEN 'boolean' THEN CASE number WHEN 0 THEN 'false' ELSE 'true' END ELSE "
        "coalesce(text, CAST(number AS TEXT)) END {} ?",
        sql_operator);
    filter_.bindings.emplace_back(text);
  }

  // NaN is stored as NULL (schema.cpp); only = and != make sense with it.
  void not_a_number(const std::string& key, const std::string& sql_operator) {
    std::string condition = "run.id IN (";
    metric(condition, key, sql_operator == "=" ? "last IS NULL" : "last IS NOT NULL", std::nullopt);
    add(condition + ")");
  }

  Filter filter_;
};

void read_term(Reader& reader, Builder& builder) {
  const Piece key = reader.text(true);
  const Piece operation = reader.operation();
  if (operation.text.empty()) {
    if (!key.text.empty()) builder.word(key.text);
    return;
  }
  if (key.text.empty())
    fail(operation.position, fmt::format("a key is missing before '{}'", operation.text));
  if (operation.text != ":") reader.skip_spaces();
  const Piece value = reader.text(false);
  if (value.text.empty() && !value.quoted) {
    fail(value.position, fmt::format("a value is missing after '{}{}'", key.text, operation.text));
  }
  if (operation.text == ":") {
    builder.field(key, value);
  } else {
    builder.comparison(key, operation, value);
  }
}

}  // namespace

Filter parse_filter(const std::string& line) {
  Reader reader(line);
  Builder builder;
  reader.skip_spaces();
  while (!reader.at_end()) {
    read_term(reader, builder);
    reader.skip_spaces();
  }
  return builder.take();
}

}  // namespace assay
