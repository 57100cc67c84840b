// From the text of a command line or a form's field to a checked value.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "core/study/check.h"

namespace assay {
namespace {

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// Whole text or nothing; never the locale's comma. from_chars knows no leading '+', people do.
template <typename Number>
std::optional<Number> parse(const std::string& given) {
  const std::string text = trimmed(given);
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const char* begin = text.data() + (plus ? 1 : 0);
  const char* end = text.data() + text.size();
  Number number{};
  const auto [stop, code] = std::from_chars(begin, end, number);
  if (code != std::errc() || stop != end) return std::nullopt;
  return number;
}

Problem problem(const ParameterSpec& spec, const std::string& value, const std::string& fault) {
  return {spec.key, value, fault, allowed_text(spec)};
}

Checked check_number(const ParameterSpec& spec, const std::string& text) {
  if (const auto integer = parse<std::int64_t>(text)) return check_value(spec, *integer);
  if (const auto real = parse<double>(text)) return check_value(spec, *real);
  const bool whole = spec.type == ParameterType::integer;
  return {std::nullopt, problem(spec, text, whole ? "is not a whole number" : "is not a number")};
}

Checked check_boolean(const ParameterSpec& spec, const std::string& text) {
  const std::string word = trimmed(text);
  if (word == "true") return check_value(spec, true);
  if (word == "false") return check_value(spec, false);
  return {std::nullopt, problem(spec, text, "is neither true nor false")};
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> elements;
  if (trimmed(text).empty()) return elements;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    elements.push_back(trimmed(text.substr(begin, comma - begin)));
    if (comma == std::string::npos) return elements;
    begin = comma + 1;
  }
}

Checked check_elements(const ParameterSpec& spec, const std::string& text) {
  const std::vector<std::string> elements = split(text);
  if (spec.element == ParameterType::text) return check_value(spec, elements);
  std::vector<double> numbers;
  for (const std::string& element : elements) {
    const auto number = parse<double>(element);
    if (!number) return {std::nullopt, problem(spec, element, "is not a number")};
    numbers.push_back(*number);
  }
  return check_value(spec, numbers);
}

// "1 to 64", "at least 1", "at most 64" or nothing.
std::string range_text(const ParameterSpec& spec, bool whole, const std::string& between,
                       const std::string& joint) {
  const auto number = [&](double value) {
    return whole ? fmt::format("{:.0f}", value) : real_text(value);
  };
  const std::string unit = spec.unit.empty() ? std::string() : " " + spec.unit;
  if (spec.minimum && spec.maximum) {
    return between + number(*spec.minimum) + joint + number(*spec.maximum) + unit;
  }
  if (spec.minimum) return "at least " + number(*spec.minimum) + unit;
  if (spec.maximum) return "at most " + number(*spec.maximum) + unit;
  return {};
}

std::string choices_text(const ParameterSpec& spec) {
  std::vector<std::string> names;
  for (const Choice& choice : spec.choices) names.push_back(choice.value);
  return fmt::format("one of: {}", fmt::join(names, ", "));
}

std::string integers_text(const ParameterSpec& spec) {
  if (spec.minimum && spec.maximum)
    return "whole numbers " + range_text(spec, true, "from ", " to ");
  const std::string range = range_text(spec, true, "", "");
  return range.empty() ? "any whole number" : "whole numbers, " + range;
}

std::string path_text(const ParameterSpec& spec) {
  if (spec.path_kind == "file") return "an existing file, or nothing";
  if (spec.path_kind == "folder") return "an existing folder, or nothing";
  return "an existing file or folder, or nothing";
}

std::string length_text(const ParameterSpec& spec) {
  if (spec.minimum_length && spec.maximum_length) {
    if (*spec.minimum_length == *spec.maximum_length) {
      return fmt::format("; {} of them", *spec.minimum_length);
    }
    return fmt::format("; {} to {} of them", *spec.minimum_length, *spec.maximum_length);
  }
  if (spec.minimum_length) return fmt::format("; at least {} of them", *spec.minimum_length);
  if (spec.maximum_length) return fmt::format("; at most {} of them", *spec.maximum_length);
  return {};
}

std::string list_text(const ParameterSpec& spec) {
  std::string text;
  if (spec.element == ParameterType::text) {
    text = spec.choices.empty() ? "texts" : "each " + choices_text(spec);
  } else {
    const bool whole = spec.element == ParameterType::integer;
    const std::string range = range_text(spec, whole, "between ", " and ");
    const std::string kind = whole ? "whole numbers" : "real numbers";
    text = range.empty() ? kind : (whole ? kind + ", each " : "each ") + range;
  }
  return text + ", separated by commas" + length_text(spec);
}

}  // namespace

Checked check_text(const ParameterSpec& spec, const std::string& text) {
  switch (spec.type) {
    case ParameterType::integer:
    case ParameterType::real:
      return check_number(spec, text);
    case ParameterType::boolean:
      return check_boolean(spec, text);
    case ParameterType::choice:
      return check_value(spec, trimmed(text));
    case ParameterType::text:
    case ParameterType::path:
      return check_value(spec, text);
    case ParameterType::list:
      return check_elements(spec, text);
  }
  return {std::nullopt, problem(spec, text, "has an unknown type")};
}

std::string allowed_text(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::integer:
      return integers_text(spec);
    case ParameterType::real: {
      const std::string range = range_text(spec, false, "", " to ");
      return range.empty() ? "any real number" : range;
    }
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::choice:
      return choices_text(spec);
    case ParameterType::text:
      return "any text";
    case ParameterType::path:
      return path_text(spec);
    case ParameterType::list:
      return list_text(spec);
  }
  return {};
}

std::string Problem::message() const {
  constexpr std::size_t longest = 200;
  // One line whatever was given: control characters and broken UTF-8 are escaped.
  std::string shown =
      Json(value.substr(0, longest)).dump(-1, ' ', false, Json::error_handler_t::replace);
  shown = shown.substr(1, shown.size() - 2);
  if (value.size() > longest) shown += "...";
  if (shown.empty()) shown = "an empty value";
  return fmt::format("{}: {} {}; allowed: {}", key, shown, fault, allowed);
}

}  // namespace assay
