// What the engine hands to an experiment: parameters and seeds in, metrics, artifacts and lines
// out.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "core/engine/engine.h"
#include "core/log/writer.h"

namespace assay {

// Seconds of work, over all attempts.
class WorkClock {
 public:
  void start_from(double seconds) {
    base_ = seconds;
    start_ = std::chrono::steady_clock::now();
  }
  double seconds() const {
    return base_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double base_ = 0.0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class EngineContext final : public RunContext {
 public:
  EngineContext(const std::filesystem::path& log_directory, const Run& run, ParameterSet parameters,
                int threads, const EngineOptions& options, RunWriter& writer);

  const ParameterSet& parameters() const override { return parameters_; }
  std::uint64_t seed() const override { return run_.seed; }
  std::uint64_t seed_for(std::string_view name) override;
  int threads() const override { return threads_; }
  std::string device() const override { return options_.device; }
  bool interrupted() const override;

  void metric(std::string_view key, std::int64_t step, double value) override;
  void progress(std::int64_t done, std::int64_t total, std::string_view what) override;
  void text(std::string_view line) override;
  void warning(std::string_view line) override;
  void timing(std::string_view key, double seconds) override;
  void image(std::string_view key, std::int64_t step, const Image& image,
             const Json& meta) override;
  void table(std::string_view key, std::int64_t step, const Table& table,
             const Json& meta) override;
  void tensors(std::string_view key, std::int64_t step, const NamedTensors& tensors,
               const Json& meta) override;
  void document(std::string_view key, std::int64_t step, std::string_view text,
                const Json& meta) override;
  void data_used(std::string_view name, const std::string& path, std::string_view licence) override;

  // --- for the engine ---
  bool stop_asked() const;  // by request or, where no pause was asked for, by signal
  bool pause_asked() const { return writer_.pause_requested(); }
  // One line by the engine itself; not replaced by a replay.
  void announce(EventLevel level, const std::string& line);
  // Writes the latest progress whether due or not.
  void flush_progress();
  bool has_progress() const { return meter_.latest().has_value(); }

  WorkClock clock;
  std::int64_t ordinal = 0;  // of the experiment's next line
  // Named seeds and data files, as asked for; `recorded_changed` once something new came up.
  const Json& seeds() const { return seeds_; }
  const Json& data() const { return data_; }
  bool recorded_changed = false;

 private:
  void line(EventLevel level, std::string_view text);
  void store(std::string_view key, const char* kind, std::int64_t step, const char* extension,
             std::string_view bytes, const Json& meta);
  void report(const ProgressReport& report);

  std::filesystem::path log_directory_;
  const Run& run_;
  ParameterSet parameters_;
  int threads_;
  const EngineOptions& options_;
  RunWriter& writer_;
  ProgressMeter meter_;
  Json seeds_ = Json::object();
  Json data_ = Json::array();
};

}  // namespace assay
