// Is this value one that the parameter takes? Range, type, choices, length, paths.
#include "core/study/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace assay {
namespace {

// Whole numbers up to here are exact in a double, which is what lists hold.
constexpr double largest_exact = 9007199254740992.0;  // 2^53

Checked refuse(const ParameterSpec& spec, std::string value, std::string fault) {
  return {std::nullopt, Problem{spec.key, std::move(value), std::move(fault), allowed_text(spec)}};
}

Checked accept(Value value) {
  return {std::move(value), std::nullopt};
}

bool in_range(const ParameterSpec& spec, double value) {
  return (!spec.minimum || value >= *spec.minimum) && (!spec.maximum || value <= *spec.maximum);
}

bool is_whole(double value) {
  return std::trunc(value) == value && std::abs(value) <= largest_exact;
}

// What is wrong with one number, or nothing.
std::string number_fault(const ParameterSpec& spec, ParameterType type, double value) {
  if (!std::isfinite(value)) return "is not a finite number";
  if (type == ParameterType::integer && !is_whole(value)) return "is not a whole number";
  return in_range(spec, value) ? std::string() : "is out of range";
}

std::string length_fault(const ParameterSpec& spec, std::size_t length) {
  if (spec.minimum_length && length < *spec.minimum_length) return "has too few values";
  if (spec.maximum_length && length > *spec.maximum_length) return "has too many values";
  return {};
}

bool is_choice(const ParameterSpec& spec, const std::string& text) {
  return std::any_of(spec.choices.begin(), spec.choices.end(),
                     [&](const Choice& choice) { return choice.value == text; });
}

Checked check_integer(const ParameterSpec& spec, const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) {
    const std::string fault = number_fault(spec, ParameterType::integer, *real);
    if (!fault.empty()) return refuse(spec, to_text(value), fault);
    return accept(static_cast<std::int64_t>(*real));
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer == nullptr) return refuse(spec, to_text(value), "is not a whole number");
  if (!in_range(spec, static_cast<double>(*integer))) {
    return refuse(spec, to_text(value), "is out of range");
  }
  return accept(*integer);
}

Checked check_real(const ParameterSpec& spec, const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  const auto* held = std::get_if<double>(&value);
  if (integer == nullptr && held == nullptr) {
    return refuse(spec, to_text(value), "is not a number");
  }
  const double real = held != nullptr ? *held : static_cast<double>(*integer);
  const std::string fault = number_fault(spec, ParameterType::real, real);
  return fault.empty() ? accept(real) : refuse(spec, to_text(value), fault);
}

Checked check_string(const ParameterSpec& spec, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return refuse(spec, to_text(value), "is not a text");
  if (!is_plain_utf8(*text)) return refuse(spec, *text, "is not valid UTF-8 text");
  if (spec.type == ParameterType::choice && !is_choice(spec, *text)) {
    return refuse(spec, *text, "is none of the choices");
  }
  return accept(*text);
}

Checked check_numbers(const ParameterSpec& spec, const Value& value) {
  std::vector<double> numbers;
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) numbers = *reals;
  // An empty list has no type of its own.
  const auto* texts = std::get_if<std::vector<std::string>>(&value);
  if (texts != nullptr && !texts->empty()) {
    return refuse(spec, texts->front(), "is not a number");
  }
  for (const double number : numbers) {
    const std::string fault = number_fault(spec, spec.element, number);
    if (!fault.empty()) return refuse(spec, to_text(number), fault);
  }
  const std::string fault = length_fault(spec, numbers.size());
  return fault.empty() ? accept(numbers) : refuse(spec, to_text(value), fault);
}

// What is wrong with one text of a list: its text form must come back as the same list.
std::string element_fault(const ParameterSpec& spec, const std::string& text) {
  if (!is_plain_utf8(text)) return "is not valid UTF-8 text";
  if (text.empty()) return "is an empty element";
  if (text.find(',') != std::string::npos) return "has a comma inside";
  constexpr const char* blanks = " \t\r\n";
  const bool padded =
      text.find_first_not_of(blanks) != 0 || text.find_last_not_of(blanks) + 1 != text.size();
  if (padded) return "has blanks around it";
  if (!spec.choices.empty() && !is_choice(spec, text)) return "is none of the choices";
  return {};
}

Checked check_texts(const ParameterSpec& spec, const Value& value) {
  std::vector<std::string> texts;
  if (const auto* held = std::get_if<std::vector<std::string>>(&value)) texts = *held;
  const auto* reals = std::get_if<std::vector<double>>(&value);
  if (reals != nullptr && !reals->empty()) {
    return refuse(spec, to_text(reals->front()), "is not a text");
  }
  for (const std::string& text : texts) {
    const std::string fault = element_fault(spec, text);
    if (!fault.empty()) return refuse(spec, text, fault);
  }
  const std::string fault = length_fault(spec, texts.size());
  return fault.empty() ? accept(texts) : refuse(spec, to_text(value), fault);
}

Checked check_list(const ParameterSpec& spec, const Value& value) {
  const bool is_list = std::holds_alternative<std::vector<double>>(value) ||
                       std::holds_alternative<std::vector<std::string>>(value);
  if (!is_list) return refuse(spec, to_text(value), "is not a list");
  return spec.element == ParameterType::text ? check_texts(spec, value)
                                             : check_numbers(spec, value);
}

std::string path_fault(const ParameterSpec& spec, const std::string& path) {
  if (path.empty()) return {};
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) {
    return status.type() == std::filesystem::file_type::not_found ? "does not exist"
                                                                  : "can't be looked at";
  }
  const bool folder = std::filesystem::is_directory(status);
  if (spec.path_kind == "file" && folder) return "is a folder";
  if (spec.path_kind == "folder" && !folder) return "is no folder";
  return {};
}

}  // namespace

bool is_plain_utf8(const std::string& text) {
  if (text.find('\0') != std::string::npos) return false;
  // nlohmann's writer checks UTF-8 strictly; there is no second decoder to get wrong.
  try {
    static_cast<void>(Json(text).dump());
  } catch (const Json::exception&) {
    return false;
  }
  return true;
}

Checked check_form(const ParameterSpec& spec, const Value& value) {
  switch (spec.type) {
    case ParameterType::integer:
      return check_integer(spec, value);
    case ParameterType::real:
      return check_real(spec, value);
    case ParameterType::boolean:
      if (std::holds_alternative<bool>(value)) return accept(value);
      return refuse(spec, to_text(value), "is neither true nor false");
    case ParameterType::choice:
    case ParameterType::text:
    case ParameterType::path:
      return check_string(spec, value);
    case ParameterType::list:
      return check_list(spec, value);
  }
  return refuse(spec, to_text(value), "has an unknown type");
}

Checked check_value(const ParameterSpec& spec, const Value& value) {
  Checked checked = check_form(spec, value);
  if (checked.value && spec.type == ParameterType::path) {
    const auto& path = std::get<std::string>(*checked.value);
    const std::string fault = path_fault(spec, path);
    if (!fault.empty()) return refuse(spec, path, fault);
  }
  return checked;
}

}  // namespace assay
