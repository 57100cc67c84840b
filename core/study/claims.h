// Claims: from numbers of paired runs to a verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/stats/stats.h"
#include "core/study/manifest.h"

namespace assay {

enum class Verdict { reproduced, not_reproduced, undecided };
std::string to_string(Verdict verdict);  // "reproduced", "not reproduced", "undecided"

struct ClaimPair {
  std::uint64_t seed = 0;
  double left = 0.0;
  double right = 0.0;
  std::string left_run, right_run;  // public ids
};

struct ClaimResult {
  std::string claim;
  Verdict verdict = Verdict::undecided;
  std::string reason;  // "95 % interval of the difference [0.012, 0.034] over 5 seeds lies above 0"
  double left_mean = 0.0, right_mean = 0.0, difference = 0.0;
  // greater: 95 %, of left - right; equal: the smallest and the largest difference. NaN: unknown.
  double interval_low = 0.0, interval_high = 0.0;
  bool tested = false;  // p_value comes from a test (greater, two seeds or more)
  double p_value = 1.0, p_corrected = 1.0, effect_size = 0.0;
  std::vector<ClaimPair> pairs;
};

// greater: reproduced when the whole 95 % interval of left - right lies above the margin, not
// reproduced when it lies wholly at or below it; fewer than 5 seeds is always undecided, with the
// interval. equal: by the tolerance, one seed is enough. Of pairs with the same seed the first
// counts; one value that is no finite number leaves the claim undecided. A claim's constant stands
// in for `right`.
ClaimResult decide(const ClaimSpec& claim, const std::vector<ClaimPair>& pairs);
// Holm's correction over all "greater" claims decided together; fills p_corrected.
void correct_for_several(std::vector<ClaimResult>& results);

Json to_json(const ClaimResult& result);

}  // namespace assay
