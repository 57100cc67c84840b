// A parameter's value and its text form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/json.h"

namespace assay {

// Lists hold reals (list of real or integer) or texts (list of text).
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                           std::vector<std::string>>;

Json to_json(const Value& value);
// The reverse, by the JSON's own type; none for null, objects, mixed or nested lists and integers
// beyond 64 bits. An empty list is one of reals.
std::optional<Value> value_from_json(const Json& json);
// "true", "12", "0.001", "abc", "0.7,0.8": the form of the command line; reals in the shortest form
// that reads back to the same bits.
std::string to_text(const Value& value);
// A real that shows that it is one: "1.0", "0.001", "1e-05".
std::string real_text(double value);

}  // namespace assay
