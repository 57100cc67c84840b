// Parameters of plugin.json: each checked so that the form and the runner can rely on it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/study/check.h"
#include "core/study/manifest_parts.h"
#include "core/study/nearest.h"

namespace assay {
namespace {

bool is_number(ParameterType type) {
  return type == ParameterType::integer || type == ParameterType::real;
}

// Keys that make no sense for this type would be silently without effect; they are refused.
void refuse_unless(bool fits, ObjectReader& reader, const std::string& key,
                   const std::string& types) {
  if (!fits && reader.find(key) != nullptr) reader.fail(key, "is only for type " + types);
}

void parse_range(ObjectReader& reader, ParameterSpec& spec) {
  const bool list = spec.type == ParameterType::list;
  const bool numbers = is_number(list ? spec.element : spec.type);
  for (const char* key : {"minimum", "maximum"}) {
    refuse_unless(numbers, reader, key, "integer, real or a list of them");
  }
  for (const char* key : {"step", "scale"}) {
    refuse_unless(numbers && !list, reader, key, "integer or real");
  }
  spec.minimum = reader.number("minimum");
  spec.maximum = reader.number("maximum");
  spec.step = reader.number("step");
  spec.scale = reader.one_of("scale", {"linear", "log"}, 0) == 1 ? Scale::log : Scale::linear;
  if (spec.minimum && spec.maximum && *spec.minimum > *spec.maximum) {
    reader.fail("minimum", fmt::format("{} is above the maximum {}", *spec.minimum, *spec.maximum));
  }
  if (spec.step && *spec.step <= 0.0) reader.fail("step", "must be above 0");
  if (spec.scale == Scale::log && !(spec.minimum && *spec.minimum > 0.0)) {
    reader.fail("scale", "log needs a minimum above 0");
  }
  const bool whole = (list ? spec.element : spec.type) == ParameterType::integer;
  if (!whole) return;
  for (const auto& [key, bound] : {std::pair{"minimum", spec.minimum}, {"maximum", spec.maximum}}) {
    if (bound && std::trunc(*bound) != *bound) reader.fail(key, "must be a whole number");
  }
}

void parse_length(ObjectReader& reader, ParameterSpec& spec) {
  const bool list = spec.type == ParameterType::list;
  constexpr std::int64_t longest = 1'000'000;
  for (const char* key : {"minimum_length", "maximum_length"}) {
    refuse_unless(list, reader, key, "list");
    if (reader.find(key) == nullptr) continue;
    const auto length = static_cast<std::size_t>(reader.integer(key, 0, longest));
    (key == std::string("minimum_length") ? spec.minimum_length : spec.maximum_length) = length;
  }
  if (spec.minimum_length && spec.maximum_length && *spec.minimum_length > *spec.maximum_length) {
    reader.fail("minimum_length", "is above maximum_length");
  }
}

Choice parse_choice(const Json& json, const std::string& place, const std::filesystem::path& file) {
  ObjectReader reader(json, place, file);
  Choice choice;
  choice.value = reader.text("value");
  // Choices travel in command lines, lists and messages, where commas and blanks separate.
  if (choice.value.find_first_of(" \t\r\n,'\"") != std::string::npos) {
    reader.fail("value", "must be without blanks, commas and quotes");
  }
  choice.label = reader.text_or("label", choice.value);
  choice.help = reader.text_or("help", "");
  reader.refuse_unknown();
  return choice;
}

void parse_choices(ObjectReader& reader, ParameterSpec& spec) {
  const bool texts = spec.type == ParameterType::list && spec.element == ParameterType::text;
  refuse_unless(texts || spec.type == ParameterType::choice, reader, "choices",
                "choice or a list of texts");
  reader.each("choices", [&](const Json& json, const std::string& place) {
    spec.choices.push_back(parse_choice(json, place, reader.file()));
    refuse_duplicate(spec.choices, &Choice::value, reader, "choices");
  });
  if (spec.type == ParameterType::choice && spec.choices.empty()) {
    reader.fail("choices", "must name at least one choice");
  }
}

void parse_default(ObjectReader& reader, ParameterSpec& spec) {
  const Json& json = reader.require("default");
  const std::optional<Value> value = value_from_json(json);
  if (!value) reader.fail("default", "must be a value or a plain list, not " + excerpt(json));
  const Checked checked = check_form(spec, *value);
  if (checked.problem) {
    reader.fail("default", fmt::format("{} {}; allowed: {}", excerpt(json), checked.problem->fault,
                                       checked.problem->allowed));
  }
  spec.default_value = *checked.value;
}

std::vector<std::string> keys_of(const std::vector<ParameterSpec>& parameters) {
  std::vector<std::string> keys;
  for (const ParameterSpec& spec : parameters) keys.push_back(spec.key);
  return keys;
}

}  // namespace

ParameterSpec parse_parameter(const Json& json, const std::string& place,
                              const std::filesystem::path& file) {
  ObjectReader reader(json, place, file);
  ParameterSpec spec;
  spec.key = reader.identifier("key");
  // They are keys of a configuration file themselves.
  for (const char* reserved : {"experiment", "preset", "seed", "version"}) {
    if (spec.key == reserved) reader.fail("key", "'" + spec.key + "' is a name of Assay's own");
  }
  spec.label = reader.text("label");
  spec.type = static_cast<ParameterType>(reader.one_of("type", parameter_type_names()));
  refuse_unless(spec.type == ParameterType::list, reader, "element", "list");
  if (spec.type == ParameterType::list) {
    constexpr ParameterType elements[] = {ParameterType::real, ParameterType::integer,
                                          ParameterType::text};
    spec.element = elements[reader.one_of("element", {"real", "integer", "text"})];
  }
  parse_range(reader, spec);
  parse_length(reader, spec);
  parse_choices(reader, spec);
  refuse_unless(spec.type == ParameterType::path, reader, "path_kind", "path");
  if (spec.type == ParameterType::path) {
    const std::vector<std::string> kinds = {"file", "folder", "any"};
    spec.path_kind = kinds[reader.one_of("path_kind", kinds, 2)];
  }
  spec.unit = reader.text_or("unit", "");
  spec.help = reader.text_or("help", "");
  spec.paper = reader.text_or("paper", "");
  spec.group = reader.text_or("group", "");
  spec.advanced = reader.boolean_or("advanced", false);
  parse_default(reader, spec);
  reader.refuse_unknown();
  return spec;
}

std::vector<ParameterSpec> parse_parameters(ObjectReader& owner) {
  std::vector<ParameterSpec> parameters;
  owner.each("parameters", [&](const Json& json, const std::string& place) {
    parameters.push_back(parse_parameter(json, place, owner.file()));
    refuse_duplicate(parameters, &ParameterSpec::key, owner, "parameters");
  });
  return parameters;
}

std::map<std::string, Value> parse_values(ObjectReader& owner, const std::string& key,
                                          const std::vector<ParameterSpec>& parameters) {
  std::map<std::string, Value> values;
  owner.each_member(key, [&](const std::string& name, const Json& json, const std::string& place) {
    const auto spec = std::find_if(parameters.begin(), parameters.end(),
                                   [&](const ParameterSpec& each) { return each.key == name; });
    if (spec == parameters.end()) {
      const std::vector<std::string> keys = keys_of(parameters);
      owner.fail_at(place, fmt::format("unknown parameter{}; allowed: {}", did_you_mean(name, keys),
                                       fmt::join(keys, ", ")));
    }
    const std::optional<Value> value = value_from_json(json);
    if (!value) owner.fail_at(place, "must be a value or a plain list, not " + excerpt(json));
    const Checked checked = check_form(*spec, *value);
    if (checked.problem) {
      owner.fail_at(place, fmt::format("{} {}; allowed: {}", excerpt(json), checked.problem->fault,
                                       checked.problem->allowed));
    }
    values[name] = *checked.value;
  });
  return values;
}

}  // namespace assay
