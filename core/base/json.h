// JSON as used everywhere: nlohmann's, keeping the order of keys as written.
#pragma once

#include <nlohmann/json.hpp>

namespace assay {

using Json = nlohmann::ordered_json;

// Writes non-finite numbers as the strings "nan", "inf", "-inf" (JSON has none); finite ones as
// numbers.
Json number_to_json(double value);

}  // namespace assay
