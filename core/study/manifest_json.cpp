// The manifest as JSON again, with the keys of plugin.json.
#include "core/study/manifest.h"
#include "core/study/manifest_parts.h"

namespace assay {
namespace {

template <typename Item>
Json list_of(const std::vector<Item>& items, Json (*convert)(const Item&)) {
  Json json = Json::array();
  for (const Item& item : items) json.push_back(convert(item));
  return json;
}

void put_text(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json values_to_json(const std::map<std::string, Value>& values) {
  Json json = Json::object();
  for (const auto& [key, value] : values) json[key] = to_json(value);
  return json;
}

Json choice_to_json(const Choice& choice) {
  Json json = {{"value", choice.value}, {"label", choice.label}};
  put_text(json, "help", choice.help);
  return json;
}

// A bound of an integer is written as one.
Json bound_to_json(double bound, bool whole) {
  return whole ? Json(static_cast<std::int64_t>(bound)) : Json(bound);
}

Json parameter_to_json(const ParameterSpec& spec) {
  const bool list = spec.type == ParameterType::list;
  const bool whole = (list ? spec.element : spec.type) == ParameterType::integer;
  Json json = {{"key", spec.key}, {"label", spec.label}, {"type", to_string(spec.type)}};
  if (list) json["element"] = to_string(spec.element);
  json["default"] = to_json(spec.default_value);
  if (spec.minimum) json["minimum"] = bound_to_json(*spec.minimum, whole);
  if (spec.maximum) json["maximum"] = bound_to_json(*spec.maximum, whole);
  if (spec.step) json["step"] = *spec.step;
  if (spec.minimum_length) json["minimum_length"] = *spec.minimum_length;
  if (spec.maximum_length) json["maximum_length"] = *spec.maximum_length;
  put_text(json, "unit", spec.unit);
  if (spec.scale == Scale::log) json["scale"] = "log";
  if (!spec.choices.empty()) json["choices"] = list_of(spec.choices, choice_to_json);
  put_text(json, "path_kind", spec.path_kind);
  put_text(json, "help", spec.help);
  put_text(json, "paper", spec.paper);
  put_text(json, "group", spec.group);
  if (spec.advanced) json["advanced"] = true;
  return json;
}

Json preset_to_json(const Preset& preset) {
  Json json = {{"id", preset.id}, {"label", preset.label}};
  put_text(json, "help", preset.help);
  json["values"] = values_to_json(preset.values);
  return json;
}

Json metric_to_json(const MetricSpec& metric) {
  Json json = {{"key", metric.key}, {"label", metric.label}};
  put_text(json, "unit", metric.unit);
  json["better"] = to_string(metric.better);
  json["shown"] = metric.shown;
  json["axis"] = metric.axis;
  put_text(json, "help", metric.help);
  return json;
}

Json artifact_to_json(const ArtifactSpec& artifact) {
  Json json = {{"key", artifact.key}, {"kind", artifact.kind}, {"label", artifact.label}};
  put_text(json, "help", artifact.help);
  return json;
}

Json repair_to_json(const ExperimentSpec::Repair& repair) {
  return {{"from", repair.from},
          {"renamed", repair.renamed},
          {"removed", repair.removed},
          {"renamed_choices", repair.renamed_choices}};
}

Json explorable_to_json(const ExplorableSpec& explorable) {
  return {{"id", explorable.id},
          {"title", explorable.title},
          {"summary", explorable.summary},
          {"parameters", list_of(explorable.parameters, parameter_to_json)}};
}

Json side_to_json(const ClaimSide& side) {
  return {{"label", side.label},
          {"metric", side.metric},
          {"value", side.value},
          {"parameters", values_to_json(side.parameters)}};
}

Json claim_to_json(const ClaimSpec& claim) {
  const bool greater = claim.comparison == ClaimSpec::Comparison::greater;
  Json json = {{"id", claim.id},
               {"title", claim.title},
               {"statement", claim.statement},
               {"experiment", claim.experiment},
               {"comparison", greater ? "greater" : "equal"},
               {"left", side_to_json(claim.left)}};
  if (claim.constant) {
    json["constant"] = *claim.constant;
  } else {
    json["right"] = side_to_json(claim.right);
  }
  json[greater ? "margin" : "tolerance"] = greater ? claim.margin : claim.tolerance;
  put_text(json, "unit", claim.unit);
  return json;
}

Json paper_to_json(const Paper& paper) {
  Json json = {{"title", paper.title},
               {"authors", paper.authors},
               {"venue", paper.venue},
               {"year", paper.year},
               {"abstract", paper.abstract}};
  put_text(json, "bibtex_key", paper.bibtex_key);
  put_text(json, "bibtex", paper.bibtex);
  put_text(json, "url", paper.url);
  return json;
}

Json data_to_json(const DataSpec& data) {
  return {{"id", data.id},
          {"title", data.title},
          {"path", data.path},
          {"kind", data.kind},
          {"licence", data.licence},
          {"help", data.help},
          {"how_to_get", data.how_to_get}};
}

}  // namespace

std::string to_string(ParameterType type) {
  return parameter_type_names()[static_cast<std::size_t>(type)];
}

std::string to_string(Better better) {
  switch (better) {
    case Better::lower:
      return "lower";
    case Better::higher:
      return "higher";
    case Better::neither:
      return "neither";
  }
  return {};
}

Json to_json(const ExperimentSpec& experiment) {
  Json json = {{"id", experiment.id},
               {"title", experiment.title},
               {"summary", experiment.summary},
               {"version", experiment.version}};
  json["parameters"] = list_of(experiment.parameters, parameter_to_json);
  json["presets"] = list_of(experiment.presets, preset_to_json);
  json["metrics"] = list_of(experiment.metrics, metric_to_json);
  json["artifacts"] = list_of(experiment.artifacts, artifact_to_json);
  if (!experiment.repairs.empty()) json["repairs"] = list_of(experiment.repairs, repair_to_json);
  return json;
}

Json to_json(const Manifest& manifest) {
  Json json = {{"id", manifest.id}, {"title", manifest.title}};
  if (!manifest.fault.empty()) {
    // Nothing else of a broken plugin can be relied on.
    json["abi"] = manifest.abi;
    json["folder"] = manifest.folder.string();
    json["fault"] = manifest.fault;
    return json;
  }
  json["idea"] = manifest.idea;
  json["abi"] = manifest.abi;
  json["version"] = manifest.version;
  json["paper"] = paper_to_json(manifest.paper);
  json["explanation"] = manifest.explanation;
  Json experiments = Json::array();
  for (const ExperimentSpec& experiment : manifest.experiments) {
    experiments.push_back(to_json(experiment));
  }
  json["experiments"] = std::move(experiments);
  json["explorables"] = list_of(manifest.explorables, explorable_to_json);
  json["claims"] = list_of(manifest.claims, claim_to_json);
  json["data"] = list_of(manifest.data, data_to_json);
  json["try_it"] = manifest.try_it;
  json["folder"] = manifest.folder.string();
  return json;
}

}  // namespace assay
