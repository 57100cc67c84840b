// See made_log.h.
#include "report/made_log.h"

#include <cmath>
#include <limits>

#include "core/base/process.h"
#include "core/log/writer.h"

namespace assay::test {
namespace {

Json made_provenance() {
  return {{"build",
           {{"version", "1.2.3"},
            {"commit", "0123456789abcdef"},
            {"dirty", true},
            {"compiler", "g++ 12.2"},
            {"flags", "-O2"}}},
          {"machine",
           {{"host", "bench_1"},
            {"cpu", "A & B <CPU>"},
            {"cores", 2},
            {"memory_bytes", 8589934592},
            {"kernel", "Linux 6"},
            {"distribution", "Debian 12"}}},
          {"libraries", {{"SQLite", "3.40"}}},
          {"data", Json::array({{{"name", "digits"},
                                 {"path", "/data/digits_100%.csv"},
                                 {"sha256", std::string(64, 'a')}}})}};
}

std::string make_run(Log& log, const std::string& name, const std::string& method,
                     std::uint64_t seed, double offset, bool finite, bool metrics) {
  NewRun request;
  request.name = name;
  request.plugin = "made_paper";
  request.experiment = "trial";
  request.preset = "quick";
  request.seed = seed;
  request.threads = 2;
  request.parameters.set("method", method, Origin::set);
  request.parameters.set("rate", 0.1, Origin::preset);
  request.parameters.set("note", std::string("50% of_all & #1"), Origin::default_value);
  if (method == "beta") request.parameters.set("rank", std::int64_t{1}, Origin::set);
  const Run run = log.insert(request);
  log.claim(run.id, {RunState::queued}, this_process(), 2);
  RunWriter::MetricDirections directions;
  directions.better["accuracy"] = Better::higher;
  directions.better["loss"] = Better::lower;
  RunWriter writer(log.directory(), run.id, directions);
  writer.provenance(made_provenance());
  for (int step = 0; metrics && step <= 40; ++step) {
    const double part = step / 40.0;
    const double wiggle = 0.01 * std::sin(3.0 * static_cast<double>(seed) + step);
    writer.metric("accuracy", step, offset + 0.4 * part + wiggle, 0.1 * step);
    const double loss =
        finite || step < 40 ? 1.0 - 0.8 * part : std::numeric_limits<double>::quiet_NaN();
    writer.metric("loss", step, loss, 0.1 * step);
  }
  if (metrics) writer.metric("parameters", 0, 3968, 0.0);
  writer.work_seconds(4.25);
  writer.close();
  log.end(run.id, RunState::finished, {}, 0, {}, std::string(60, 'f') + std::to_string(seed));
  return run.public_id;
}

}  // namespace

MadeLog make_log(const std::string& directory) {
  Log log(directory);
  MadeLog made;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    made.runs.push_back(
        make_run(log, "alpha_" + std::to_string(seed), "alpha", seed, 0.5, true, true));
  }
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    made.runs.push_back(make_run(log,
                                 "<b>βeta</b> \\ 100% | #" + std::to_string(seed) + " \"q\" 中 😀",
                                 "beta", seed, 0.45, true, true));
  }
  made.not_finite = make_run(log, "diverged", "alpha", 4, 0.5, false, true);
  made.without_metrics = make_run(log, "silent", "alpha", 5, 0.5, true, false);
  StoredClaim claim;
  claim.plugin = "made_paper";
  claim.claim = "alpha_wins";
  claim.preset = "quick";
  claim.time = 1.0;
  claim.result = {
      {"verdict", "undecided"},         {"reason", "3 seeds are too few"}, {"difference", 0.05},
      {"interval_low", 0.01},           {"interval_high", 0.09},           {"p_corrected", 0.03},
      {"pairs", Json::array({1, 2, 3})}};
  log.store_claim(claim);
  return made;
}

std::vector<Manifest> made_plugins() {
  Manifest plugin;
  plugin.id = "made_paper";
  plugin.title = "A made paper";
  plugin.abi = plugin_abi;
  plugin.paper.title = "On made things";
  plugin.paper.authors = {"A. Author", "B. Müller"};
  plugin.paper.year = 2024;
  ExperimentSpec experiment;
  experiment.id = "trial";
  experiment.title = "Trial";
  MetricSpec accuracy;
  accuracy.key = "accuracy";
  accuracy.label = "Target accuracy";
  accuracy.better = Better::higher;
  MetricSpec loss;
  loss.key = "loss";
  loss.label = "Loss";
  loss.unit = "nats";
  loss.better = Better::lower;
  MetricSpec parameters;
  parameters.key = "parameters";
  parameters.label = "Trained parameters";
  experiment.metrics = {accuracy, loss, parameters};
  plugin.experiments = {experiment};
  ClaimSpec claim;
  claim.id = "alpha_wins";
  claim.title = "Alpha beats beta";
  claim.experiment = "trial";
  plugin.claims = {claim};
  return {plugin};
}

}  // namespace assay::test
