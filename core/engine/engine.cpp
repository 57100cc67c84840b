#include "core/engine/engine.h"

#include <fmt/core.h>

#include <array>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "core/base/error.h"
#include "core/engine/failure.h"
#include "core/engine/run_context.h"
#include "core/provenance/provenance.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// How far a checkpoint is. `finishing`: every step is done, finish() is not; `ended`: all is done
// and only the log's last row may be missing.
enum class Stage { stepping, finishing, ended };

constexpr std::array stage_names = {"stepping", "finishing", "ended"};

Stage stage_from(const std::string& name) {
  if (name == "finishing") return Stage::finishing;
  return name == "ended" ? Stage::ended : Stage::stepping;
}

double checkpoint_interval(const EngineOptions& options) {
  const char* const given = std::getenv("ASSAY_CHECKPOINT_SECONDS");
  if (given == nullptr) return options.checkpoint_seconds;
  char* end = nullptr;
  const double seconds = std::strtod(given, &end);
  return end != given && seconds >= 0.0 ? seconds : options.checkpoint_seconds;
}

RunWriter::MetricDirections directions_of(const ExperimentSpec& spec) {
  RunWriter::MetricDirections directions;
  for (const MetricSpec& metric : spec.metrics) {
    if (metric.key.ends_with('*')) {
      directions.prefixes.emplace_back(metric.key.substr(0, metric.key.size() - 1), metric.better);
    } else {
      directions.better[metric.key] = metric.better;
    }
  }
  return directions;
}

// One attempt at a run, from prepare() to the last checkpoint.
class Attempt {
 public:
  Attempt(Log& log, const Run& run, ParameterSet parameters, const Manifest& manifest,
          const ExperimentSpec& spec, Plugin& plugin, const EngineOptions& options)
      : log_(log),
        run_(log.run(run.id)),
        manifest_(manifest),
        spec_(spec),
        plugin_(plugin),
        threads_(options.threads > 0 ? options.threads
                                     : (run_.threads > 0 ? run_.threads : core_count())),
        checkpoint_file_(log.run_directory(run_.public_id) / "checkpoint" / "state.safetensors"),
        interval_(checkpoint_interval(options)),
        writer_(log.directory(), run_.id, directions_of(spec)),
        context_(log.directory(), run_, std::move(parameters), threads_, options, writer_) {}

  Outcome go() {
    Outcome outcome;
    try {
      outcome = work();
      writer_.close();
    } catch (...) {
      const Failure failure = describe_failure(std::current_exception(), preparing_);
      outcome = {RunState::failed, failure.exit_code, failure.reason};
      note_failure(failure.reason);
    }
    end(outcome);
    return outcome;
  }

 private:
  Outcome work() {
    record_provenance();
    const std::optional<Checkpoint> from = begin();
    if (stage_ == Stage::ended) return finished(from->sha256());
    preparing_ = false;
    if (stage_ == Stage::stepping) {
      if (const auto interrupted = steps()) return *interrupted;
      stage_ = Stage::finishing;
      checkpoint();
    }
    experiment_->finish(context_);
    stage_ = Stage::ended;
    return finished(checkpoint());
  }

  // Builds the experiment and puts it where the last checkpoint left it. Returns that checkpoint.
  std::optional<Checkpoint> begin() {
    std::optional<Checkpoint> from;
    if (fs::exists(checkpoint_file_)) from = read();
    if (stage_ == Stage::ended) return from;

    experiment_ = plugin_.make_experiment(spec_.id);
    if (!experiment_) {
      throw Error(ErrorKind::failed, fmt::format("plugin {} has no experiment '{}' in its library",
                                                 manifest_.id, spec_.id));
    }
    const auto start = std::chrono::steady_clock::now();
    experiment_->prepare(context_);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    context_.timing("prepare", took.count());
    if (from) {
      experiment_->load(*from);
      context_.ordinal = saved_ordinal_;
      context_.announce(EventLevel::info, fmt::format("resumed from step {}", step_));
    }
    if (context_.recorded_changed) record_provenance();
    last_checkpoint_ = std::chrono::steady_clock::now();
    return from;
  }

  // Until the experiment is done (none) or somebody asks for an end.
  std::optional<Outcome> steps() {
    while (true) {
      if (context_.stop_asked()) return interrupted(RunState::stopped, 130);
      if (context_.pause_asked()) return interrupted(RunState::paused, 0);
      const bool more = experiment_->step(context_);
      ++step_;
      if (!context_.has_progress()) context_.progress(step_, 0, {});
      if (!more) return std::nullopt;
      const std::chrono::duration<double> since =
          std::chrono::steady_clock::now() - last_checkpoint_;
      if (since.count() >= interval_) checkpoint();
    }
  }

  Outcome interrupted(RunState state, int exit_code) {
    checkpoint();
    context_.flush_progress();
    context_.announce(EventLevel::info, fmt::format("{} at step {}", to_string(state), step_));
    return {state, exit_code, {}};
  }

  Outcome finished(const std::string& digest) {
    digest_ = digest;
    context_.flush_progress();
    context_.announce(EventLevel::info, fmt::format("finished after {} steps, {:.1f} s of work",
                                                    step_, context_.clock.seconds()));
    return {RunState::finished, 0, {}};
  }

  // First the rows, then the checkpoint: a checkpoint never knows more than the log, so what a
  // resume doesn't replay is there. Returns the digest of the experiment's state.
  std::string checkpoint() {
    Checkpoint state;
    experiment_->save(state);
    writer_.work_seconds(context_.clock.seconds());
    if (context_.recorded_changed) record_provenance();
    writer_.flush();
    const std::string digest = stage_ == Stage::ended ? state.sha256() : std::string();
    Checkpoint file;
    file.tensors = std::move(state.tensors);
    file.values["engine"] = Json{{"step", step_},
                                 {"ordinal", context_.ordinal},
                                 {"seconds", context_.clock.seconds()},
                                 {"stage", stage_names[static_cast<std::size_t>(stage_)]}};
    file.values["experiment"] = std::move(state.values);
    std::error_code fault;
    fs::create_directories(checkpoint_file_.parent_path(), fault);
    write_checkpoint(checkpoint_file_, file);  // reports a folder that could not be made, too
    last_checkpoint_ = std::chrono::steady_clock::now();
    return digest;
  }

  Checkpoint read() {
    Checkpoint file = read_file_or_explain();
    try {
      const Json& engine = file.value("engine");
      step_ = engine.at("step").get<std::int64_t>();
      saved_ordinal_ = engine.at("ordinal").get<std::int64_t>();
      stage_ = stage_from(engine.at("stage").get<std::string>());
      context_.clock.start_from(engine.at("seconds").get<double>());
    } catch (const Json::exception& fault) {
      throw Error(ErrorKind::unreadable, fmt::format("{}: damaged checkpoint: {}",
                                                     checkpoint_file_.string(), fault.what()));
    }
    Checkpoint state;
    state.tensors = std::move(file.tensors);
    state.values = file.value("experiment");
    return state;
  }

  Checkpoint read_file_or_explain() {
    try {
      return read_checkpoint(checkpoint_file_);
    } catch (const Error& fault) {
      if (fault.kind() != ErrorKind::unreadable) throw;
      throw Error(fault.kind(), fmt::format("{}; remove it to begin this run again", fault.what()));
    }
  }

  void record_provenance() {
    Json record = provenance(threads_);
    record["libraries"].update(plugin_.libraries());
    record["plugin"] = Json{{"id", manifest_.id},
                            {"version", manifest_.version},
                            {"abi", manifest_.abi},
                            {"experiment", spec_.id},
                            {"experiment_version", spec_.version}};
    record["device"] = context_.device();
    record["seed"] = run_.seed;
    // Until this attempt has asked for its own, those of the last one stand.
    const bool fresh = !context_.recorded_changed && run_.provenance.is_object();
    record["seeds"] = fresh ? run_.provenance.value("seeds", Json::object()) : context_.seeds();
    record["data"] = fresh ? run_.provenance.value("data", Json::array()) : context_.data();
    record["lineage"] = Json{{"parent", run_.parent}, {"group", run_.group}};
    Json attempts = Json::array();
    if (run_.provenance.is_object() && run_.provenance.contains("attempts")) {
      attempts = run_.provenance.at("attempts");
    }
    attempts.push_back(
        Json{{"started", started_}, {"pid", this_process().pid}, {"from_step", step_}});
    record["attempts"] = std::move(attempts);
    writer_.provenance(record);
    context_.recorded_changed = false;
  }

  // What the run managed to do stays in the log, as far as the log can still be written.
  void note_failure(const std::string& reason) {
    try {
      writer_.work_seconds(context_.clock.seconds());
      writer_.event(EventLevel::error, reason);  // the caller says it
    } catch (const std::exception&) {
      // The reason goes to the run's row below and to the caller.
    }
    try {
      writer_.close();
    } catch (const std::exception&) {
    }
  }

  // A full disk may have a little room again a moment later (the log's own checkpoint, a removed
  // partial file), and a run marked failed is worth more than one found crashed.
  void end(const Outcome& outcome) {
    for (int attempt = 1;; ++attempt) {
      try {
        log_.end(
            run_.id, outcome.state, outcome.reason,
            outcome.state == RunState::paused ? std::nullopt : std::optional(outcome.exit_code),
            std::nullopt, digest_);
        return;
      } catch (const Error& fault) {
        if (attempt == 5) {
          const std::string first = outcome.reason.empty() ? "" : outcome.reason + "; ";
          throw Error(
              ErrorKind::storage,
              fmt::format("{}run {} can't be marked {} in the log: {}; free some space, then: "
                          "assay-run resume {}",
                          first, run_.public_id, to_string(outcome.state), fault.what(),
                          run_.public_id));
        }
      }
      std::this_thread::sleep_for(200ms);
    }
  }

  Log& log_;
  const Run run_;
  const Manifest& manifest_;
  const ExperimentSpec& spec_;
  Plugin& plugin_;
  int threads_;
  fs::path checkpoint_file_;
  double interval_;
  double started_ = now_seconds();
  RunWriter writer_;
  EngineContext context_;
  std::unique_ptr<Experiment> experiment_;
  bool preparing_ = true;
  Stage stage_ = Stage::stepping;
  std::int64_t step_ = 0;
  std::int64_t saved_ordinal_ = 0;
  std::string digest_;
  std::chrono::steady_clock::time_point last_checkpoint_ = std::chrono::steady_clock::now();
};

// The run's own parameters; those of an older version of the experiment are repaired, and what the
// manifest has gained since gets its default.
ParameterSet parameters_of(Log& log, const Run& run, const ExperimentSpec& spec) {
  ParameterSet parameters = log.parameter_set(run.id);
  if (run.version != spec.version) {
    Configuration stored;
    stored.preset = run.preset;
    stored.version = run.version;
    for (const auto& [key, parameter] : parameters.all()) {
      stored.file_values[key] = parameter.value;
    }
    Resolved resolved = resolve(spec, stored);
    if (!resolved.problems.empty()) {
      throw Error(
          ErrorKind::bad_input,
          fmt::format("its parameters (version {}) don't fit version {} of the experiment: {}",
                      run.version, spec.version, resolved.problems.front().message()));
    }
    return resolved.parameters;
  }
  for (const ParameterSpec& parameter : spec.parameters) {
    if (parameters.all().contains(parameter.key)) continue;
    parameters.set(parameter.key, parameter.default_value, Origin::default_value);
  }
  return parameters;
}

}  // namespace

Outcome execute(Log& log, const Run& run, const Manifest& manifest, const ExperimentSpec& spec,
                Plugin& plugin, const EngineOptions& options) {
  ParameterSet parameters;
  try {
    parameters = parameters_of(log, run, spec);
  } catch (const Error& fault) {
    const Outcome outcome{RunState::failed, fault.exit_code(), fault.what()};
    log.end(run.id, outcome.state, outcome.reason, outcome.exit_code, std::nullopt);
    return outcome;
  }
  return Attempt(log, run, std::move(parameters), manifest, spec, plugin, options).go();
}

}  // namespace assay
