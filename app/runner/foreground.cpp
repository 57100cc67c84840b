#include "app/runner/foreground.h"

#include <fmt/core.h>

#include "app/runner/signals.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/engine/engine.h"
#include "core/engine/failure.h"
#include "core/engine/plugin_library.h"
#include "core/formats/table.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

fs::path existing_directory(const CommonOptions& common) {
  const fs::path directory = log_directory(common.log);
  if (fs::exists(directory / "assay.sqlite")) return directory;
  throw Error(
      ErrorKind::not_found,
      fmt::format("{}: no experiment log there; --log names its folder", directory.string()));
}

EngineOptions options_for(Console& console, const std::string& name, int threads) {
  EngineOptions options;
  options.threads = threads;
  options.say = [&console](const std::string& line) { console.say(line); };
  options.progress = [&console, name](const ProgressReport& report) {
    console.progress(name, report);
  };
  options.stop_signalled = [] { return stop_signalled(); };
  return options;
}

// The library comes in only now, so that the row is there while LibTorch is still loading; a
// library that can't be loaded is the run's failure.
Outcome load_and_execute(Log& log, const Run& run, const std::vector<Manifest>& plugins,
                         int threads, Console& console) {
  Plugin* plugin = nullptr;
  ExperimentAddress address;
  try {
    address = find_experiment(plugins, run.plugin + "." + run.experiment);
    plugin = &load_plugin(*address.plugin);
    plugin->configure(threads);
  } catch (const std::exception&) {
    const Failure failure = describe_failure(std::current_exception(), true);
    log.end(run.id, RunState::failed, failure.reason, failure.exit_code, std::nullopt);
    return {RunState::failed, failure.exit_code, failure.reason};
  }
  const EngineOptions options = options_for(console, run.name, threads);
  return execute(log, run, *address.plugin, *address.experiment, *plugin, options);
}

std::string value_text(double value) {
  return shortest(value);
}

void print_metrics(Log& log, const Run& run) {
  for (const MetricSummary& metric : log.metrics(run.id)) {
    const std::string best =
        metric.best ? fmt::format("  best {} at {}", value_text(*metric.best), metric.best_step)
                    : std::string();
    fmt::print("  {:<40} {} at {}{}\n", metric.key, value_text(metric.last), metric.step, best);
  }
}

}  // namespace

Log open_existing_log(const CommonOptions& common) {
  return Log(existing_directory(common));
}

Log open_log_for_reading(const CommonOptions& common) {
  const fs::path directory = existing_directory(common);
  try {
    return Log(directory);
  } catch (const Error& fault) {
    if (fault.kind() != ErrorKind::storage) throw;
    return Log(directory, Log::Mode::read_only);
  }
}

int execute_here(Log& log, const Run& run, const std::vector<RunState>& from,
                 const std::vector<Manifest>& plugins, const CommonOptions& common) {
  install_stop_signals();
  const int threads = run.threads > 0 ? run.threads : core_count();
  if (!log.claim(run.id, from, this_process(), threads)) {
    throw Error(ErrorKind::bad_input, fmt::format("run {} is {} now; somebody else was faster",
                                                  run.public_id, to_string(log.run(run.id).state)));
  }
  Console console;
  const Run claimed = log.run(run.id);
  console.say(fmt::format("run {} ({}) in {}", claimed.public_id, claimed.name,
                          log.run_directory(claimed.public_id).string()));
  const Outcome outcome = load_and_execute(log, claimed, plugins, threads, console);
  console.clear();
  if (outcome.state == RunState::failed) {
    console.fault(fmt::format("run {} failed: {}", claimed.public_id, outcome.reason));
  }
  if (common.json) {
    fmt::print("{}\n", describe_run(log, claimed, false).dump());
  } else {
    print_run(log, claimed, false);
  }
  return outcome.exit_code;
}

void print_run(Log& log, const Run& run, bool full) {
  const Run now = log.run(run.id);
  fmt::print("{}  {}  {}.{}  preset {}  seed {}\n", now.public_id, now.name, now.plugin,
             now.experiment, now.preset, now.seed);
  fmt::print("  {} after {} of work{}{}\n", to_string(now.state), clock_text(now.seconds),
             now.reason.empty() ? "" : ": ", now.reason);
  if (full) {
    fmt::print("  created {}, {} threads, {}\n", date_text(now.created), now.threads,
               log.run_directory(now.public_id).string());
    if (now.progress_total > 0) {
      fmt::print("  progress {} of {} {}\n", now.progress_done, now.progress_total,
                 now.progress_text);
    }
    fmt::print("parameters\n");
    for (const auto& [key, value] : log.parameters(now.id)) {
      fmt::print("  {:<40} {}\n", key, to_text(value));
    }
    fmt::print("metrics\n");
  }
  print_metrics(log, now);
  if (full) {
    fmt::print("artifacts\n");
    for (const Artifact& artifact : log.artifacts(now.id)) {
      fmt::print("  {:<8} {:<32} step {:<8} {}\n", artifact.kind, artifact.key, artifact.step,
                 artifact.path);
    }
    fmt::print("events\n");
    for (const Event& event : log.events(now.id)) {
      fmt::print("  {}  {}\n", date_text(event.time), event.text);
    }
  }
  if (!now.state_sha256.empty()) fmt::print("  state sha256 {}\n", now.state_sha256);
}

}  // namespace assay
