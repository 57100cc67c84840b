// Claims of plugin.json: each must name an experiment, metrics and settings that exist.
#include <fmt/format.h>

#include "core/study/manifest_parts.h"
#include "core/study/nearest.h"

namespace assay {
namespace {

ClaimSide parse_side(const Json& json, const std::string& place, const std::filesystem::path& file,
                     const ExperimentSpec& experiment) {
  ObjectReader reader(json, place, file);
  ClaimSide side;
  side.label = reader.text("label");
  side.metric = reader.text("metric");
  const MetricSpec* metric = experiment.metric(side.metric);
  if (metric == nullptr || side.metric.back() == '*') {
    std::vector<std::string> keys;
    for (const MetricSpec& each : experiment.metrics) keys.push_back(each.key);
    reader.fail("metric",
                fmt::format("'{}' is no metric of '{}'{}; allowed: {}", side.metric, experiment.id,
                            did_you_mean(side.metric, keys), fmt::join(keys, ", ")));
  }
  const std::vector<std::string> values = {"last", "best", "first"};
  side.value = values[reader.one_of("value", values, 0)];
  if (side.value == "best" && metric->better == Better::neither) {
    reader.fail("value", "'best' needs a metric whose \"better\" is lower or higher");
  }
  side.parameters = parse_values(reader, "parameters", experiment.parameters);
  reader.refuse_unknown();
  return side;
}

double non_negative(ObjectReader& reader, const std::string& key) {
  const double value = reader.number(key).value_or(0.0);
  if (value < 0.0) reader.fail(key, fmt::format("must be at least 0, not {}", value));
  return value;
}

}  // namespace

ClaimSpec parse_claim(const Json& json, const std::string& place, const std::filesystem::path& file,
                      const std::vector<ExperimentSpec>& experiments) {
  ObjectReader reader(json, place, file);
  ClaimSpec claim;
  claim.id = reader.identifier("id");
  claim.title = reader.text("title");
  claim.statement = reader.text("statement");
  std::vector<std::string> names;
  for (const ExperimentSpec& experiment : experiments) names.push_back(experiment.id);
  const ExperimentSpec& experiment = experiments[reader.one_of("experiment", names)];
  claim.experiment = experiment.id;
  claim.comparison = reader.one_of("comparison", {"greater", "equal"}) == 0
                         ? ClaimSpec::Comparison::greater
                         : ClaimSpec::Comparison::equal;
  claim.left = parse_side(reader.require("left"), reader.place_of("left"), file, experiment);
  claim.constant = reader.number("constant");
  const Json* right = reader.find("right");
  if ((right != nullptr) == claim.constant.has_value()) {
    reader.fail("right", "exactly one of \"right\" and \"constant\" must be given");
  }
  if (right != nullptr) {
    claim.right = parse_side(*right, reader.place_of("right"), file, experiment);
  }
  const bool greater = claim.comparison == ClaimSpec::Comparison::greater;
  if (greater && reader.find("tolerance") != nullptr) {
    reader.fail("tolerance", "is only for comparison equal");
  }
  if (!greater && reader.find("margin") != nullptr) {
    reader.fail("margin", "is only for comparison greater");
  }
  // A margin may be negative: "not worse by more than".
  claim.margin = reader.number("margin").value_or(0.0);
  claim.tolerance = non_negative(reader, "tolerance");
  claim.unit = reader.text_or("unit", "");
  reader.refuse_unknown();
  return claim;
}

}  // namespace assay
