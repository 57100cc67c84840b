// The parsers of plugin.json's parts; inside core/study only.
#pragma once

#include <fmt/format.h>

#include "core/study/manifest.h"
#include "core/study/object_reader.h"

namespace assay {

inline const std::vector<std::string>& parameter_type_names() {
  static const std::vector<std::string> names = {"integer", "real", "boolean", "choice",
                                                 "text",    "path", "list"};
  return names;
}

ParameterSpec parse_parameter(const Json& json, const std::string& place,
                              const std::filesystem::path& file);
// All of one experiment's or explorable's, with unique keys.
std::vector<ParameterSpec> parse_parameters(ObjectReader& owner);
// {"key": value, ...} over known parameters, checked against them.
std::map<std::string, Value> parse_values(ObjectReader& owner, const std::string& key,
                                          const std::vector<ParameterSpec>& parameters);
ExperimentSpec parse_experiment(const Json& json, const std::string& place,
                                const std::filesystem::path& file);
ClaimSpec parse_claim(const Json& json, const std::string& place, const std::filesystem::path& file,
                      const std::vector<ExperimentSpec>& experiments);

// Refuses the last element's `name` when an earlier element has it already.
template <typename Item, typename Name>
void refuse_duplicate(const std::vector<Item>& items, Name name, const ObjectReader& reader,
                      const std::string& key) {
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    if (items[i].*name == items.back().*name) {
      reader.fail(key, fmt::format("'{}' is there twice", items.back().*name));
    }
  }
}

}  // namespace assay
