// Which runs decide a paper's claims.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/study/claims.h"
#include "core/study/parameters.h"

namespace assay {

// One run that is needed. Identical settings are needed once, whatever number of claims uses them.
struct NeededRun {
  const ExperimentSpec* experiment = nullptr;
  ParameterSet parameters;
  std::string preset;
  std::uint64_t seed = 1;
};

// One claim at one seed: where in ClaimPlan::runs its sides are.
struct PlannedPair {
  std::size_t claim = 0;  // in Manifest::claims
  std::uint64_t seed = 1;
  std::size_t left = 0;
  std::size_t right = 0;  // as left where the claim compares with a constant
};

struct ClaimPlan {
  std::vector<NeededRun> runs;
  std::vector<PlannedPair> pairs;
};

// Seeds 1 to `seeds`. A claim of equality is decided by a single seed and asks for no more. Throws
// Problems for settings that the experiment refuses.
ClaimPlan plan_claims(const Manifest& plugin, const std::string& preset, int seeds);

}  // namespace assay
