// A validator for the part of JSON Schema (draft 2020-12) that resources/plugin.schema.json uses.
#include "study/schema_check.h"

#include <cmath>
#include <regex>
#include <stdexcept>

namespace assay {
namespace {

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  std::string fault(const Json& schema, const Json& value, const std::string& place) const {
    if (schema.is_boolean()) return schema.get<bool>() ? "" : place + " is not allowed";
    for (const auto& [keyword, argument] : schema.items()) {
      const std::string found = keyword_fault(schema, keyword, argument, value, place);
      if (!found.empty()) return found;
    }
    return {};
  }

 private:
  bool fits(const Json& schema, const Json& value) const {
    return fault(schema, value, "").empty();
  }

  std::string keyword_fault(const Json& schema, const std::string& keyword, const Json& argument,
                            const Json& value, const std::string& place) const {
    const auto check = [&](bool good) { return good ? std::string() : place + ": " + keyword; };
    if (keyword == "$schema" || keyword == "title" || keyword == "description" ||
        keyword == "$defs" || keyword == "then" || keyword == "else") {
      return {};
    }
    if (keyword == "$ref") {
      const std::string reference = argument.get<std::string>();
      return fault(root_.at(Json::json_pointer(reference.substr(1))), value, place);
    }
    if (keyword == "type") return check(is_of_type(argument, value));
    if (keyword == "enum")
      return check(std::find(argument.begin(), argument.end(), value) != argument.end());
    if (keyword == "const") return check(value == argument);
    if (keyword == "not") return check(!fits(argument, value));
    if (keyword == "anyOf" || keyword == "oneOf") {
      const auto good = std::count_if(argument.begin(), argument.end(),
                                      [&](const Json& each) { return fits(each, value); });
      return check(keyword == "anyOf" ? good >= 1 : good == 1);
    }
    if (keyword == "allOf") {
      for (const Json& each : argument) {
        const std::string found = fault(each, value, place);
        if (!found.empty()) return found;
      }
      return {};
    }
    if (keyword == "if") {
      const char* branch = fits(argument, value) ? "then" : "else";
      return schema.contains(branch) ? fault(schema[branch], value, place) : std::string();
    }
    if (keyword == "minimum" || keyword == "maximum" || keyword == "exclusiveMinimum") {
      if (!value.is_number()) return {};
      const double number = value.get<double>(), bound = argument.get<double>();
      if (keyword == "minimum") return check(number >= bound);
      return check(keyword == "maximum" ? number <= bound : number > bound);
    }
    if (keyword == "minLength")
      return check(!value.is_string() || value.get_ref<const std::string&>().size() >= argument);
    if (keyword == "pattern") {
      return check(
          !value.is_string() ||
          std::regex_search(value.get<std::string>(), std::regex(argument.get<std::string>())));
    }
    if (keyword == "minItems") return check(!value.is_array() || value.size() >= argument);
    if (keyword == "items") return items_fault(argument, value, place);
    if (keyword == "required") return required_fault(argument, value, place);
    if (keyword == "properties") return properties_fault(argument, value, place);
    if (keyword == "additionalProperties") return additional_fault(schema, argument, value, place);
    throw std::logic_error("the schema uses '" + keyword + "', which this test does not check");
  }

  static bool is_of_type(const Json& type, const Json& value) {
    if (type.is_array()) {
      return std::any_of(type.begin(), type.end(),
                         [&](const Json& each) { return is_of_type(each, value); });
    }
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "number") return value.is_number();
    if (type == "integer") {
      return value.is_number_integer() ||
             (value.is_number() && std::trunc(value.get<double>()) == value.get<double>());
    }
    throw std::logic_error("unknown type " + type.dump());
  }

  std::string items_fault(const Json& schema, const Json& value, const std::string& place) const {
    if (!value.is_array()) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string found = fault(schema, value[i], place + "/" + std::to_string(i));
      if (!found.empty()) return found;
    }
    return {};
  }

  static std::string required_fault(const Json& keys, const Json& value, const std::string& place) {
    if (!value.is_object()) return {};
    for (const Json& key : keys) {
      if (!value.contains(key.get<std::string>())) return place + ": required " + key.dump();
    }
    return {};
  }

  std::string properties_fault(const Json& properties, const Json& value,
                               const std::string& place) const {
    if (!value.is_object()) return {};
    for (const auto& [key, schema] : properties.items()) {
      if (!value.contains(key)) continue;
      const std::string found = fault(schema, value[key], place + "/" + key);
      if (!found.empty()) return found;
    }
    return {};
  }

  std::string additional_fault(const Json& schema, const Json& additional, const Json& value,
                               const std::string& place) const {
    if (!value.is_object()) return {};
    for (const auto& [key, member] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(key)) continue;
      const std::string found = fault(additional, member, place + "/" + key);
      if (!found.empty()) return found;
    }
    return {};
  }

  const Json& root_;
};

}  // namespace

std::string schema_fault(const Json& schema, const Json& value) {
  return Validator(schema).fault(schema, value, "");
}

}  // namespace assay
