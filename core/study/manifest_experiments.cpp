// Experiments of plugin.json: presets, metrics, artifacts and the repair of older configurations.
#include <fmt/format.h>

#include <algorithm>

#include "core/study/manifest_parts.h"

namespace assay {
namespace {

Preset parse_preset(const Json& json, const std::string& place, const std::filesystem::path& file,
                    const std::vector<ParameterSpec>& parameters) {
  ObjectReader reader(json, place, file);
  Preset preset;
  preset.id = reader.identifier("id");
  preset.label = reader.text("label");
  preset.help = reader.text_or("help", "");
  preset.values = parse_values(reader, "values", parameters);
  reader.refuse_unknown();
  return preset;
}

// Keys of metrics and artifacts become file names, too.
std::string parse_key(ObjectReader& reader, bool wildcard) {
  const std::string key = reader.text("key");
  const bool ends_in_star = wildcard && key.back() == '*';
  const std::string fixed = ends_in_star ? key.substr(0, key.size() - 1) : key;
  const bool plain = std::all_of(fixed.begin(), fixed.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string("_.=+-/").find(c) != std::string::npos;
  });
  if (!plain || fixed.empty() || fixed.front() == '/' || fixed.find("..") != std::string::npos) {
    reader.fail("key",
                fmt::format("must be letters, digits, '_', '.', '=', '+', '-' and '/'{}, not '{}'",
                            wildcard ? ", with '*' at the end only" : "", key));
  }
  return key;
}

MetricSpec parse_metric(const Json& json, const std::string& place,
                        const std::filesystem::path& file) {
  ObjectReader reader(json, place, file);
  MetricSpec metric;
  metric.key = parse_key(reader, true);
  metric.label = reader.text("label");
  metric.unit = reader.text_or("unit", "");
  constexpr Better directions[] = {Better::lower, Better::higher, Better::neither};
  metric.better = directions[reader.one_of("better", {"lower", "higher", "neither"}, 2)];
  metric.shown = reader.boolean_or("shown", true);
  metric.axis = reader.text_or("axis", "step");
  metric.help = reader.text_or("help", "");
  reader.refuse_unknown();
  return metric;
}

ArtifactSpec parse_artifact(const Json& json, const std::string& place,
                            const std::filesystem::path& file) {
  ObjectReader reader(json, place, file);
  ArtifactSpec artifact;
  artifact.key = parse_key(reader, true);
  const std::vector<std::string> kinds = {"image", "table",  "tensor",
                                          "text",  "volume", "molecules"};
  artifact.kind = kinds[reader.one_of("kind", kinds)];
  artifact.label = reader.text("label");
  artifact.help = reader.text_or("help", "");
  reader.refuse_unknown();
  return artifact;
}

// {"old": "new", ...}
std::map<std::string, std::string> names_of(const Json& json, const std::string& place,
                                            const ObjectReader& reader) {
  if (!json.is_object()) reader.fail_at(place, "must be an object, not " + excerpt(json));
  std::map<std::string, std::string> names;
  for (const auto& [name, value] : json.items()) {
    if (!value.is_string()) {
      reader.fail_at(place + "." + name, "must be a text, not " + excerpt(value));
    }
    names[name] = value.get<std::string>();
  }
  return names;
}

ExperimentSpec::Repair parse_repair(const Json& json, const std::string& place,
                                    const std::filesystem::path& file,
                                    const ExperimentSpec& experiment) {
  ObjectReader reader(json, place, file);
  ExperimentSpec::Repair repair;
  if (experiment.version < 2) reader.fail("from", "there is no older version than 1 to repair");
  repair.from = static_cast<int>(reader.integer("from", 1, experiment.version - 1));
  if (const Json* renamed = reader.find("renamed")) {
    repair.renamed = names_of(*renamed, reader.place_of("renamed"), reader);
  }
  repair.removed = reader.texts("removed");
  reader.each_member("renamed_choices",
                     [&](const std::string& name, const Json& choices, const std::string& inner) {
                       repair.renamed_choices[name] = names_of(choices, inner, reader);
                     });
  // Earlier steps may lead to names that later steps change again; the last one may not.
  const bool last = repair.from == experiment.version - 1;
  for (const auto& [old_name, name] : repair.renamed) {
    if (last && experiment.parameter(name) == nullptr) {
      reader.fail("renamed." + old_name, "'" + name + "' is no parameter");
    }
  }
  reader.refuse_unknown();
  return repair;
}

bool matches(const std::string& pattern, const std::string& key) {
  if (pattern.empty() || pattern.back() != '*') return pattern == key;
  return key.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0;
}

template <typename Item>
const Item* named(const std::vector<Item>& items, std::string Item::*name, const std::string& key) {
  for (const Item& item : items) {
    if (item.*name == key) return &item;
  }
  return nullptr;
}

}  // namespace

ExperimentSpec parse_experiment(const Json& json, const std::string& place,
                                const std::filesystem::path& file) {
  ObjectReader reader(json, place, file);
  ExperimentSpec experiment;
  experiment.id = reader.identifier("id");
  experiment.title = reader.text("title");
  experiment.summary = reader.text("summary");
  experiment.version = static_cast<int>(reader.integer_or("version", 1, 1, 1'000'000));
  experiment.parameters = parse_parameters(reader);
  reader.each("presets", [&](const Json& element, const std::string& inner) {
    experiment.presets.push_back(parse_preset(element, inner, file, experiment.parameters));
    refuse_duplicate(experiment.presets, &Preset::id, reader, "presets");
  });
  reader.each("metrics", [&](const Json& element, const std::string& inner) {
    experiment.metrics.push_back(parse_metric(element, inner, file));
    refuse_duplicate(experiment.metrics, &MetricSpec::key, reader, "metrics");
  });
  reader.each("artifacts", [&](const Json& element, const std::string& inner) {
    experiment.artifacts.push_back(parse_artifact(element, inner, file));
    refuse_duplicate(experiment.artifacts, &ArtifactSpec::key, reader, "artifacts");
  });
  reader.each("repairs", [&](const Json& element, const std::string& inner) {
    experiment.repairs.push_back(parse_repair(element, inner, file, experiment));
    refuse_duplicate(experiment.repairs, &ExperimentSpec::Repair::from, reader, "repairs");
  });
  reader.refuse_unknown();
  return experiment;
}

const ParameterSpec* ExperimentSpec::parameter(const std::string& key) const {
  return named(parameters, &ParameterSpec::key, key);
}

const Preset* ExperimentSpec::preset(const std::string& key) const {
  return named(presets, &Preset::id, key);
}

const MetricSpec* ExperimentSpec::metric(const std::string& key) const {
  // The exact key first, then the longest beginning that fits.
  const MetricSpec* best = named(metrics, &MetricSpec::key, key);
  if (best != nullptr) return best;
  for (const MetricSpec& metric : metrics) {
    const bool longer = best == nullptr || metric.key.size() > best->key.size();
    if (longer && matches(metric.key, key)) best = &metric;
  }
  return best;
}

const ExperimentSpec* Manifest::experiment(const std::string& key) const {
  return named(experiments, &ExperimentSpec::id, key);
}

}  // namespace assay
