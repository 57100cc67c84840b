// A parameter's value as the columns (type, number, text) of the table `parameter`, and back.
#include "core/log/stored_value.h"

#include <fmt/core.h>

#include <cmath>

#include "core/base/error.h"
#include "core/log/run_columns.h"

namespace assay {
namespace {

struct Binder {
  SQLite::Statement& statement;
  int first;

  void type(const char* name) const { statement.bind(first, name); }
  void operator()(bool value) const {
    type("boolean");
    statement.bind(first + 1, value ? 1 : 0);
    statement.bind(first + 2);
  }
  void operator()(std::int64_t value) const {
    type("integer");
    statement.bind(first + 1, value);
    statement.bind(first + 2);
  }
  void operator()(double value) const {
    type("real");
    statement.bind(first + 1, value);  // NaN becomes NULL
    statement.bind(first + 2);
  }
  void operator()(const std::string& value) const {
    type("text");
    statement.bind(first + 1);
    statement.bind(first + 2, value);
  }
  void operator()(const std::vector<double>& values) const { list("reals", values); }
  void operator()(const std::vector<std::string>& values) const { list("texts", values); }

  template <typename List>
  void list(const char* name, const List& values) const {
    type(name);
    statement.bind(first + 1);
    statement.bind(first + 2, to_json(Value(values)).dump());
  }
};

// JSON has no NaN and no infinities: they stand as texts (number_to_json).
double real_of(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "inf") return HUGE_VAL;
  if (text == "-inf") return -HUGE_VAL;
  return std::nan("");
}

std::vector<double> reals_of(const Json& json) {
  std::vector<double> values;
  for (const Json& element : json) values.push_back(real_of(element));
  return values;
}

}  // namespace

void bind_value(SQLite::Statement& statement, int first, const Value& value) {
  std::visit(Binder{statement, first}, value);
}

Value read_value(SQLite::Statement& row, int first) {
  const std::string type = row.getColumn(first).getString();
  const SQLite::Column number = row.getColumn(first + 1);
  const std::string text = row.getColumn(first + 2).getString();
  if (type == "boolean") return number.getInt() != 0;
  if (type == "integer") return static_cast<std::int64_t>(number.getInt64());
  if (type == "real") return real_or_nan(number);
  if (type == "text") return text;
  if (type == "reals") return reals_of(Json::parse(text));
  if (type == "texts") return Json::parse(text).get<std::vector<std::string>>();
  throw Error(ErrorKind::unreadable,
              fmt::format("the log is damaged: a parameter has the type '{}'", type));
}

Origin origin_from(const std::string& text) {
  for (const Origin origin : {Origin::default_value, Origin::preset, Origin::file}) {
    if (to_string(origin) == text) return origin;
  }
  return Origin::set;
}

}  // namespace assay
