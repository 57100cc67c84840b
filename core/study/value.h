// A parameter's value and its text form.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/json.h"

namespace assay {

// Lists hold reals (list of real or integer) or texts (list of text).
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                           std::vector<std::string>>;

Json to_json(const Value& value);
// "true", "12", "0.001", "abc", "0.7,0.8": the form of the command line; reals in the shortest form
// that reads back to the same bits.
std::string to_text(const Value& value);

}  // namespace assay
