// From numbers of paired runs to a verdict.
#include "core/study/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

// Fewer seeds are a smoke test: a t interval over three says little, whichever side it falls.
constexpr std::size_t fewest_seeds = 5;

std::string number(double value) {
  return fmt::format("{:.4g}", value);
}

std::string with_unit(double value, const ClaimSpec& claim) {
  return claim.unit.empty() ? number(value) : number(value) + " " + claim.unit;
}

std::string seeds_text(std::size_t count) {
  return fmt::format("{} seed{}", count, count == 1 ? "" : "s");
}

// One pair for each seed: the same seed twice is no second observation.
std::vector<ClaimPair> one_for_each_seed(const ClaimSpec& claim,
                                         const std::vector<ClaimPair>& pairs) {
  std::vector<ClaimPair> kept;
  for (ClaimPair pair : pairs) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const ClaimPair& earlier) {
      return earlier.seed == pair.seed;
    });
    if (known) continue;
    if (claim.constant) pair.right = *claim.constant;
    kept.push_back(std::move(pair));
  }
  return kept;
}

const ClaimPair* not_finite(const std::vector<ClaimPair>& pairs) {
  for (const ClaimPair& pair : pairs) {
    if (!std::isfinite(pair.left) || !std::isfinite(pair.right)) return &pair;
  }
  return nullptr;
}

void decide_greater(const ClaimSpec& claim, ClaimResult& result) {
  std::vector<double> left, right;
  for (const ClaimPair& pair : result.pairs) {
    // Against the margin, so that the p value asks the same as the interval.
    left.push_back(pair.left - claim.margin);
    right.push_back(pair.right);
  }
  const PairedTest test = paired_test(left, right);
  const std::size_t count = result.pairs.size();
  // Two observations make a p value, however weak.
  result.tested = count >= 2;
  result.p_value = test.p;
  result.effect_size = test.effect_size;
  result.interval_low = test.low + claim.margin;
  result.interval_high = test.high + claim.margin;
  if (count < 2) {
    result.reason =
        fmt::format("difference {} over {}; a verdict needs at least {}",
                    with_unit(result.difference, claim), seeds_text(count), fewest_seeds);
    return;
  }
  const std::string interval = fmt::format(
      "95 % interval of the difference [{}, {}]{}{} over {}", number(result.interval_low),
      number(result.interval_high), claim.unit.empty() ? "" : " ", claim.unit, seeds_text(count));
  if (count < fewest_seeds) {
    result.reason = fmt::format("{}; a verdict needs at least {}", interval, fewest_seeds);
    return;
  }
  const std::string margin = number(claim.margin);
  // test.low is relative to the margin already: no rounding by adding it back decides.
  if (test.low > 0.0) {
    result.verdict = Verdict::reproduced;
    result.reason = interval + " lies above " + margin;
  } else if (test.high <= 0.0) {
    result.verdict = Verdict::not_reproduced;
    result.reason = interval + " lies at or below " + margin;
  } else {
    result.reason = interval + " holds " + margin;
  }
}

void decide_equal(const ClaimSpec& claim, ClaimResult& result) {
  double largest = 0.0;
  result.interval_low = result.interval_high =
      result.pairs.front().left - result.pairs.front().right;
  for (const ClaimPair& pair : result.pairs) {
    const double difference = pair.left - pair.right;
    largest = std::max(largest, std::abs(difference));
    result.interval_low = std::min(result.interval_low, difference);
    result.interval_high = std::max(result.interval_high, difference);
  }
  const bool equal = largest <= claim.tolerance;
  result.verdict = equal ? Verdict::reproduced : Verdict::not_reproduced;
  result.reason = fmt::format("largest difference {} over {} is {} the tolerance {}",
                              with_unit(largest, claim), seeds_text(result.pairs.size()),
                              equal ? "within" : "above", number(claim.tolerance));
}

Json pair_to_json(const ClaimPair& pair) {
  return {{"seed", pair.seed},
          {"left", number_to_json(pair.left)},
          {"right", number_to_json(pair.right)},
          {"left_run", pair.left_run},
          {"right_run", pair.right_run}};
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::not_reproduced:
      return "not reproduced";
    case Verdict::undecided:
      return "undecided";
  }
  return {};
}

ClaimResult decide(const ClaimSpec& claim, const std::vector<ClaimPair>& pairs) {
  ClaimResult result;
  result.claim = claim.id;
  result.pairs = one_for_each_seed(claim, pairs);
  result.left_mean = result.right_mean = result.difference = std::nan("");
  result.interval_low = result.interval_high = result.effect_size = std::nan("");
  if (result.pairs.empty()) {
    result.reason = "no finished runs";
    return result;
  }
  std::vector<double> left, right, differences;
  for (const ClaimPair& pair : result.pairs) {
    left.push_back(pair.left);
    right.push_back(pair.right);
    differences.push_back(pair.left - pair.right);
  }
  result.left_mean = summarize(left).mean;
  result.right_mean = summarize(right).mean;
  result.difference = summarize(differences).mean;
  if (const ClaimPair* bad = not_finite(result.pairs)) {
    result.reason = fmt::format("seed {}: {} is no finite number", bad->seed,
                                std::isfinite(bad->left) ? "the right side" : "the left side");
    return result;
  }
  if (claim.comparison == ClaimSpec::Comparison::equal) {
    decide_equal(claim, result);
  } else {
    decide_greater(claim, result);
  }
  return result;
}

void correct_for_several(std::vector<ClaimResult>& results) {
  std::vector<double> p;
  for (const ClaimResult& result : results) {
    if (result.tested) p.push_back(result.p_value);
  }
  const std::vector<double> corrected = holm(p);
  std::size_t next = 0;
  for (ClaimResult& result : results) {
    if (result.tested) result.p_corrected = corrected[next++];
  }
}

Json to_json(const ClaimResult& result) {
  Json pairs = Json::array();
  for (const ClaimPair& pair : result.pairs) pairs.push_back(pair_to_json(pair));
  return {{"claim", result.claim},
          {"verdict", to_string(result.verdict)},
          {"reason", result.reason},
          {"left_mean", number_to_json(result.left_mean)},
          {"right_mean", number_to_json(result.right_mean)},
          {"difference", number_to_json(result.difference)},
          {"interval", {number_to_json(result.interval_low), number_to_json(result.interval_high)}},
          {"p_value", number_to_json(result.p_value)},
          {"p_corrected", number_to_json(result.p_corrected)},
          {"effect_size", number_to_json(result.effect_size)},
          {"pairs", std::move(pairs)}};
}

}  // namespace assay
