// The complete set of a run's parameters, read by key and type.
#include "core/study/parameters.h"

#include <fmt/format.h>

#include <stdexcept>

#include "core/base/error.h"

namespace assay {
namespace {

const Value& held(const std::map<std::string, Parameter>& values, const std::string& key) {
  const auto found = values.find(key);
  if (found == values.end()) {
    throw std::logic_error("parameter '" + key + "' is not in the manifest");
  }
  return found->second.value;
}

template <typename Type>
const Type& as(const Value& value, const std::string& key, const char* type) {
  const Type* typed = std::get_if<Type>(&value);
  if (typed == nullptr) throw std::logic_error("parameter '" + key + "' is not " + type);
  return *typed;
}

bool is_empty_list(const Value& value) {
  const auto* reals = std::get_if<std::vector<double>>(&value);
  const auto* texts = std::get_if<std::vector<std::string>>(&value);
  return (reals != nullptr && reals->empty()) || (texts != nullptr && texts->empty());
}

}  // namespace

std::string to_string(Origin origin) {
  switch (origin) {
    case Origin::default_value:
      return "default";
    case Origin::preset:
      return "preset";
    case Origin::file:
      return "file";
    case Origin::set:
      return "set";
  }
  return {};
}

bool ParameterSet::boolean(const std::string& key) const {
  return as<bool>(held(values_, key), key, "boolean");
}

std::int64_t ParameterSet::integer(const std::string& key) const {
  return as<std::int64_t>(held(values_, key), key, "an integer");
}

double ParameterSet::real(const std::string& key) const {
  const Value& value = held(values_, key);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  return as<double>(value, key, "a number");
}

const std::string& ParameterSet::text(const std::string& key) const {
  return as<std::string>(held(values_, key), key, "a text");
}

std::vector<double> ParameterSet::reals(const std::string& key) const {
  const Value& value = held(values_, key);
  if (is_empty_list(value)) return {};
  return as<std::vector<double>>(value, key, "a list of numbers");
}

std::vector<std::int64_t> ParameterSet::integers(const std::string& key) const {
  std::vector<std::int64_t> integers;
  for (const double real : reals(key)) {
    const auto integer = static_cast<std::int64_t>(real);
    if (static_cast<double>(integer) != real) {
      throw std::logic_error("parameter '" + key + "' is not a list of integers");
    }
    integers.push_back(integer);
  }
  return integers;
}

std::vector<std::string> ParameterSet::texts(const std::string& key) const {
  const Value& value = held(values_, key);
  if (is_empty_list(value)) return {};
  return as<std::vector<std::string>>(value, key, "a list of texts");
}

void ParameterSet::set(const std::string& key, Value value, Origin origin) {
  values_[key] = Parameter{std::move(value), origin};
}

Json ParameterSet::to_json() const {
  Json json = Json::object();
  for (const auto& [key, parameter] : values_) json[key] = assay::to_json(parameter.value);
  return json;
}

ParameterSet ParameterSet::from_json(const Json& json) {
  if (!json.is_object()) {
    throw Error(ErrorKind::unreadable, "the stored parameters are no JSON object");
  }
  ParameterSet set;
  for (const auto& [key, element] : json.items()) {
    std::optional<Value> value = value_from_json(element);
    if (!value) {
      throw Error(ErrorKind::unreadable,
                  fmt::format("the stored parameter '{}' is of no known type", key));
    }
    set.set(key, std::move(*value), Origin::set);
  }
  return set;
}

}  // namespace assay
