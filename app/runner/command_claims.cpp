// claims: a paper's claims, decided from runs over several seeds.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "app/runner/claim_plan.h"
#include "app/runner/claim_runs.h"
#include "app/runner/commands.h"
#include "app/runner/foreground.h"
#include "app/runner/problems.h"
#include "app/runner/signals.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/study/claims.h"

namespace assay {
namespace {

const Manifest& usable_plugin(const std::vector<Manifest>& plugins, const std::string& id) {
  for (const Manifest& plugin : plugins) {
    if (plugin.id != id) continue;
    if (plugin.fault.empty()) return plugin;
    throw Error(ErrorKind::failed, fmt::format("plugin {} can't be used: {}", id, plugin.fault));
  }
  std::string known;
  for (const Manifest& plugin : plugins) known += (known.empty() ? "" : ", ") + plugin.id;
  throw Error(ErrorKind::not_found,
              fmt::format("there is no plugin '{}'; there are: {}", id, known));
}

struct SideValue {
  std::optional<double> value;
  std::string fault;  // why there is none
};

SideValue value_of(Log& log, const Run& run, const ClaimSide& side) {
  if (run.state != RunState::finished) {
    return {std::nullopt,
            fmt::format("run {} (seed {}) is {}{}{}", run.public_id, run.seed, to_string(run.state),
                        run.reason.empty() ? "" : ": ", run.reason)};
  }
  for (const MetricSummary& metric : log.metrics(run.id)) {
    if (metric.key != side.metric) continue;
    if (side.value == "best" && metric.best) return {*metric.best, {}};
    if (side.value == "first") return {log.curve(run.id, metric.key).front().value, {}};
    if (side.value != "best") return {metric.last, {}};
  }
  return {std::nullopt, fmt::format("run {} (seed {}) has no {} value of the metric '{}'",
                                    run.public_id, run.seed, side.value, side.metric)};
}

class Decider {
 public:
  Decider(Log& log, const Manifest& plugin, const ClaimPlan& plan,
          const std::vector<GatheredRun>& gathered)
      : log_(log), plugin_(plugin), plan_(plan), gathered_(gathered) {}

  std::vector<ClaimResult> results() {
    std::vector<ClaimResult> results;
    for (std::size_t i = 0; i < plugin_.claims.size(); ++i) results.push_back(result(i));
    correct_for_several(results);
    return results;
  }

 private:
  ClaimResult result(std::size_t index) {
    const ClaimSpec& claim = plugin_.claims[index];
    std::vector<ClaimPair> pairs;
    std::set<std::string> faults;
    for (const PlannedPair& planned : plan_.pairs) {
      if (planned.claim != index) continue;
      const Run& left_run = gathered_[planned.left].run;
      const Run& right_run = gathered_[planned.right].run;
      const SideValue left = value_of(log_, left_run, claim.left);
      const SideValue right =
          claim.constant ? SideValue{claim.constant, {}} : value_of(log_, right_run, claim.right);
      if (!left.value) faults.insert(left.fault);
      if (!right.value) faults.insert(right.fault);
      if (!left.value || !right.value) continue;
      pairs.push_back({planned.seed, *left.value, *right.value, left_run.public_id,
                       claim.constant ? std::string() : right_run.public_id});
    }
    ClaimResult result = decide(claim, pairs);
    for (const std::string& fault : faults) {
      result.reason += (result.reason.empty() ? "" : "; ") + fault;
    }
    // A seed without a result is not evidence for either side.
    if (!faults.empty()) result.verdict = Verdict::undecided;
    return result;
  }

  Log& log_;
  const Manifest& plugin_;
  const ClaimPlan& plan_;
  const std::vector<GatheredRun>& gathered_;
};

void store(Log& log, const Manifest& plugin, const std::string& preset,
           const std::vector<ClaimResult>& results) {
  for (const ClaimResult& result : results) {
    StoredClaim claim;
    claim.plugin = plugin.id;
    claim.claim = result.claim;
    claim.preset = preset;
    claim.time = now_seconds();
    claim.result = to_json(result);
    log.store_claim(claim);
  }
}

void print_json(const Log& log, const Manifest& plugin, const ClaimsOptions& options,
                const std::vector<ClaimResult>& results, const std::vector<GatheredRun>& gathered) {
  Json claims = Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    Json claim = to_json(results[i]);
    claim["title"] = plugin.claims[i].title;
    claims.push_back(std::move(claim));
  }
  Json runs = Json::array();
  for (const GatheredRun& run : gathered) {
    runs.push_back({{"run", run.run.public_id},
                    {"seed", run.run.seed},
                    {"state", to_string(run.run.state)},
                    {"reused", run.reused}});
  }
  fmt::print("{}\n", Json{{"plugin", plugin.id},
                          {"preset", options.preset},
                          {"seeds", options.seeds},
                          {"claims", std::move(claims)},
                          {"runs", std::move(runs)},
                          {"log", log.directory().string()}}
                         .dump());
}

void print_table(const Manifest& plugin, const std::vector<ClaimResult>& results) {
  std::size_t width = 5;
  for (const ClaimSpec& claim : plugin.claims) width = std::max(width, claim.title.size());
  fmt::print("{:<{}}  {:<14}  {:>10}  {:>24}  {:>9}  {:>5}\n", "claim", width, "verdict",
             "difference", "95 % interval", "p (Holm)", "seeds");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ClaimResult& result = results[i];
    const bool tested = plugin.claims[i].comparison == ClaimSpec::Comparison::greater;
    fmt::print(
        "{:<{}}  {:<14}  {:>10.4g}  {:>24}  {:>9}  {:>5}\n", plugin.claims[i].title, width,
        to_string(result.verdict), result.difference,
        tested ? fmt::format("[{:.4g}, {:.4g}]", result.interval_low, result.interval_high) : "",
        tested ? fmt::format("{:.3g}", result.p_corrected) : "", result.pairs.size());
    fmt::print("  {}\n", result.reason);
  }
}

}  // namespace

int claims_command(const CommonOptions& common, const ClaimsOptions& options) {
  const int threads = thread_count(options.threads);
  const std::vector<Manifest> plugins = find_plugins();
  const Manifest& plugin = usable_plugin(plugins, options.plugin);
  const ClaimPlan plan = plan_claims(plugin, options.preset, options.seeds);
  Log log(log_directory(common.log));
  install_stop_signals();
  Console console;
  console.say(fmt::format("{} claims need {} runs", plugin.claims.size(), plan.runs.size()));

  RunGatherer gatherer(log, plugin, threads);
  std::vector<GatheredRun> gathered;
  for (const NeededRun& needed : plan.runs) {
    const auto run = gatherer.gather(needed);
    if (!run) {
      console.fault("stopped; what is finished will be reused");
      return 130;
    }
    gathered.push_back(*run);
    console.say(fmt::format("[{}/{}] {}  {}{}{}{}", gathered.size(), plan.runs.size(),
                            run->run.public_id, to_string(run->run.state),
                            run->reused ? ", reused" : "", run->run.reason.empty() ? "" : ": ",
                            run->run.reason));
  }
  const std::vector<ClaimResult> results = Decider(log, plugin, plan, gathered).results();
  store(log, plugin, options.preset, results);
  if (common.json) {
    print_json(log, plugin, options, results, gathered);
  } else {
    print_table(plugin, results);
  }
  return 0;
}

}  // namespace assay
