// Values as text and as JSON.
#include "core/study/value.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace assay {
namespace {

template <typename Type>
Json element_to_json(const Type& value) {
  if constexpr (std::is_same_v<Type, double>) {
    return number_to_json(value);
  } else {
    return value;
  }
}

template <typename Type>
Json list_to_json(const std::vector<Type>& values) {
  Json json = Json::array();
  for (const Type& value : values) json.push_back(element_to_json(value));
  return json;
}

std::optional<Value> list_from_json(const Json& json) {
  std::vector<double> reals;
  std::vector<std::string> texts;
  for (const Json& element : json) {
    if (element.is_number()) {
      reals.push_back(element.get<double>());
    } else if (element.is_string()) {
      texts.push_back(element.get<std::string>());
    } else {
      return std::nullopt;
    }
  }
  if (!reals.empty() && !texts.empty()) return std::nullopt;
  if (!texts.empty()) return texts;
  return reals;
}

}  // namespace

Json to_json(const Value& value) {
  return std::visit(
      [](const auto& held) -> Json {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::vector<double>> ||
                      std::is_same_v<Held, std::vector<std::string>>) {
          return list_to_json(held);
        } else {
          return element_to_json(held);
        }
      },
      value);
}

std::optional<Value> value_from_json(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) return list_from_json(json);
  return std::nullopt;
}

std::string to_text(const Value& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::vector<double>> ||
                      std::is_same_v<Held, std::vector<std::string>>) {
          return fmt::format("{}", fmt::join(held, ","));
        } else {
          // fmt writes reals with the fewest digits that read back to the same bits.
          return fmt::format("{}", held);
        }
      },
      value);
}

std::string real_text(double value) {
  std::string text = fmt::format("{}", value);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace assay
