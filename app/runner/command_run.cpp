// run, resume: one run in the foreground, to its end.
#include <fmt/core.h>

#include "app/runner/commands.h"
#include "app/runner/foreground.h"
#include "app/runner/problems.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/engine/engine.h"
#include "core/study/parameters.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool names_a_file(const std::string& target) {
  return target.ends_with(".toml") || target.find('/') != std::string::npos;
}

Configuration configuration_of(const RunOptions& options, std::vector<std::string>& problems) {
  Configuration configuration;
  if (names_a_file(options.target)) {
    configuration = read_configuration(options.target);
  } else {
    configuration.experiment = options.target;
  }
  if (!options.preset.empty()) configuration.preset = options.preset;
  if (!options.seed.empty()) {
    configuration.seed = whole_number("seed", options.seed, 0, UINT64_MAX, 1, problems);
  }
  for (const std::string& item : options.set) {
    const auto sign = item.find('=');
    if (sign == std::string::npos || sign == 0) {
      problems.push_back(fmt::format("--set {}: allowed: KEY=VALUE", item));
      continue;
    }
    configuration.set.emplace_back(item.substr(0, sign), item.substr(sign + 1));
  }
  if (!configuration.sweep.empty()) {
    problems.push_back(
        fmt::format("{}: [sweep] describes several runs; allowed here: one run without a "
                    "[sweep] (the window starts sweeps)",
                    options.target));
  }
  return configuration;
}

// A run may be resumed from another folder.
void make_paths_absolute(const ExperimentSpec& experiment, ParameterSet& parameters) {
  for (const ParameterSpec& spec : experiment.parameters) {
    if (spec.type != ParameterType::path) continue;
    const std::string path = parameters.text(spec.key);
    if (path.empty() || fs::path(path).is_absolute()) continue;
    parameters.set(spec.key, fs::absolute(path).lexically_normal().string(),
                   parameters.all().at(spec.key).origin);
  }
}

NewRun checked_run(const RunOptions& options, const std::vector<Manifest>& plugins) {
  std::vector<std::string> problems;
  const Configuration configuration = configuration_of(options, problems);
  const auto threads = whole_number("threads", options.threads, 1, 1024, 0, problems);
  const ExperimentAddress address = find_experiment(plugins, configuration.experiment);
  if (!address.plugin->fault.empty()) {
    throw Error(ErrorKind::failed, fmt::format("plugin {} can't be used: {}", address.plugin->id,
                                               address.plugin->fault));
  }
  Resolved resolved = resolve(*address.experiment, configuration);
  for (const Problem& problem : resolved.problems) problems.push_back(problem.message());
  if (!problems.empty()) throw Problems(std::move(problems));
  Console console;
  for (const std::string& repair : resolved.repairs) console.say(repair);
  make_paths_absolute(*address.experiment, resolved.parameters);

  NewRun run;
  run.name = options.name;
  run.plugin = address.plugin->id;
  run.experiment = address.experiment->id;
  run.version = address.experiment->version;
  run.preset = resolved.preset;
  run.seed = resolved.seed;
  run.threads = static_cast<int>(threads);
  run.parameters = std::move(resolved.parameters);
  run.tags = options.tags;
  return run;
}

}  // namespace

int run_command(const CommonOptions& common, const RunOptions& options) {
  const std::vector<Manifest> plugins = find_plugins();
  const NewRun request = checked_run(options, plugins);
  Log log(log_directory(common.log));
  const Run run = log.insert(request);
  return execute_here(log, run, {RunState::queued}, plugins, common);
}

int resume_command(const CommonOptions& common, const std::string& address) {
  Log log = open_existing_log(common);
  log.reap();
  const Run run = log.find(address);
  if (run.state == RunState::finished) {
    if (common.json) {
      fmt::print("{}\n", describe_run(log, run, false).dump());
    } else {
      print_run(log, run, false);
    }
    return 0;
  }
  if (run.state == RunState::running) {
    throw Error(ErrorKind::bad_input,
                fmt::format("run {} is running (process {}); it can be resumed once it has ended",
                            run.public_id, run.process.pid));
  }
  if (run.trashed) {
    throw Error(ErrorKind::bad_input,
                fmt::format("run {} is in the trash; restore it first", run.public_id));
  }
  return execute_here(log, run,
                      {RunState::queued, RunState::paused, RunState::stopped, RunState::crashed,
                       RunState::killed, RunState::failed},
                      find_plugins(), common);
}

}  // namespace assay
