// The contract between a paper's experiment and the workbench. No LibTorch, no Qt: an experiment
// may be written with either LibTorch or nothing at all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/engine/checkpoint.h"
#include "core/formats/image.h"
#include "core/formats/table.h"
#include "core/formats/tensors.h"
#include "core/study/parameters.h"

namespace assay {

// What an experiment may ask of and tell the workbench. Calls are cheap; rows are written by
// another thread. Everything told is tied to a step, so that a replay after a crash replaces it.
class RunContext {
 public:
  virtual ~RunContext() = default;
  virtual const ParameterSet& parameters() const = 0;
  virtual std::uint64_t seed() const = 0;
  // The seed of one named generator, derived from the root seed; recorded in the provenance.
  virtual std::uint64_t seed_for(std::string_view name) = 0;
  virtual int threads() const = 0;
  virtual std::string device() const = 0;  // "cpu", "cuda:0"
  // Is a stop or pause waiting? Long steps may look and return early, with step() still true.
  virtual bool interrupted() const = 0;

  virtual void metric(std::string_view key, std::int64_t step, double value) = 0;
  virtual void progress(std::int64_t done, std::int64_t total, std::string_view what = {}) = 0;
  virtual void text(std::string_view line) = 0;  // a log line
  virtual void warning(std::string_view line) = 0;
  // Wall-clock figures; never metrics (they differ from run to run).
  virtual void timing(std::string_view key, double seconds) = 0;
  // Artifacts: written as PNG, CSV, safetensors, text below the run's folder. `meta` is for the
  // viewer: axis names, ranges, colour map, caption.
  virtual void image(std::string_view key, std::int64_t step, const Image& image,
                     const Json& meta = Json::object()) = 0;
  virtual void table(std::string_view key, std::int64_t step, const Table& table,
                     const Json& meta = Json::object()) = 0;
  virtual void tensors(std::string_view key, std::int64_t step, const NamedTensors& tensors,
                       const Json& meta = Json::object()) = 0;
  virtual void document(std::string_view key, std::int64_t step, std::string_view text,
                        const Json& meta = Json::object()) = 0;
  // A data or weight file that was read: path, sha256, bytes, licence go to the provenance.
  virtual void data_used(std::string_view name, const std::string& path,
                         std::string_view licence = {}) = 0;
};

class Experiment {  // one run of one paper's experiment
 public:
  virtual ~Experiment() = default;
  virtual void prepare(RunContext& context) = 0;  // build data, model, optimiser; deterministic
  virtual bool step(RunContext& context) = 0;     // one unit of work, under about 1 s; false: done
  virtual void finish(RunContext& context) { static_cast<void>(context); }
  // Everything that prepare() does not make again: weights, buffers, optimiser, generators,
  // position, best so far. load() is called after prepare().
  virtual void save(Checkpoint& checkpoint) const = 0;
  virtual void load(const Checkpoint& checkpoint) = 0;
};

// An interactive function of a plugin: arguments in, numbers and arrays out. Stays alive between
// requests and may keep caches (a trained toy model).
struct Answer {
  Json values = Json::object();
  NamedTensors tensors;
};
class Explorable {
 public:
  virtual ~Explorable() = default;
  virtual Answer answer(const ParameterSet& arguments) = 0;  // throws Error
};

// The one thing that lib<id>.so exports:
//   extern "C" assay::Plugin* assay_plugin_v1();   // a static object of the library
class Plugin {
 public:
  virtual ~Plugin() = default;
  virtual int abi() const { return plugin_abi; }
  // Called once before anything else: thread count, determinism flags.
  virtual void configure(int threads) { static_cast<void>(threads); }
  virtual std::unique_ptr<Experiment> make_experiment(const std::string& id) = 0;  // null: unknown
  virtual std::unique_ptr<Explorable> make_explorable(const std::string& id) {
    static_cast<void>(id);
    return nullptr;
  }
  virtual Json libraries() const { return Json::object(); }  // versions for the provenance
};
using PluginFactory = Plugin* (*)();
inline constexpr const char* plugin_factory_name = "assay_plugin_v1";

}  // namespace assay
