#include "app/runner/claim_plan.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/runner/problems.h"

namespace assay {
namespace {

Resolved settings_of(const ExperimentSpec& experiment, const ClaimSide& side,
                     const std::string& preset, std::uint64_t seed) {
  Configuration configuration;
  configuration.preset = preset;
  configuration.seed = seed;
  configuration.file_values = side.parameters;
  return resolve(experiment, configuration);
}

class Planner {
 public:
  Planner(const Manifest& plugin, std::string preset)
      : plugin_(plugin), preset_(std::move(preset)) {}

  void add(std::size_t index, std::uint64_t seed) {
    const ClaimSpec& claim = plugin_.claims[index];
    const ExperimentSpec* const experiment = plugin_.experiment(claim.experiment);
    if (experiment == nullptr) {
      problems_.push_back(
          fmt::format("claim {}: there is no experiment '{}'", claim.id, claim.experiment));
      return;
    }
    PlannedPair pair{index, seed, 0, 0};
    pair.left = need(claim, *experiment, claim.left, seed);
    pair.right = claim.constant ? pair.left : need(claim, *experiment, claim.right, seed);
    plan_.pairs.push_back(pair);
  }

  ClaimPlan plan() {
    if (!problems_.empty()) throw Problems(std::move(problems_));
    return std::move(plan_);
  }

 private:
  std::size_t need(const ClaimSpec& claim, const ExperimentSpec& experiment, const ClaimSide& side,
                   std::uint64_t seed) {
    Resolved resolved = settings_of(experiment, side, preset_, seed);
    for (const Problem& problem : resolved.problems) {
      const std::string line = fmt::format("claim {}: {}", claim.id, problem.message());
      const bool known = std::find(problems_.begin(), problems_.end(), line) != problems_.end();
      if (!known) problems_.push_back(line);  // one line, not one a seed
    }
    const Json wanted = resolved.parameters.to_json();
    for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
      const NeededRun& run = plan_.runs[i];
      const bool same =
          run.experiment == &experiment && run.seed == seed && run.parameters.to_json() == wanted;
      if (same) return i;
    }
    plan_.runs.push_back({&experiment, std::move(resolved.parameters), resolved.preset, seed});
    return plan_.runs.size() - 1;
  }

  const Manifest& plugin_;
  std::string preset_;
  ClaimPlan plan_;
  std::vector<std::string> problems_;
};

}  // namespace

ClaimPlan plan_claims(const Manifest& plugin, const std::string& preset, int seeds) {
  Planner planner(plugin, preset);
  for (std::size_t index = 0; index < plugin.claims.size(); ++index) {
    const bool equality = plugin.claims[index].comparison == ClaimSpec::Comparison::equal;
    const int needed = equality ? 1 : seeds;
    for (int seed = 1; seed <= needed; ++seed) planner.add(index, static_cast<std::uint64_t>(seed));
  }
  return planner.plan();
}

}  // namespace assay
