// From what the user gave to a complete, checked set of parameters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/study/manifest.h"

namespace assay {

// Where a value came from; later beats earlier.
enum class Origin { default_value, preset, file, set };
std::string to_string(Origin origin);  // "default", "preset", "file", "set"

struct Parameter {
  Value value;
  Origin origin = Origin::default_value;
};

// Complete and valid: every key of the experiment, nothing else. Reading a key that the manifest
// lacks, or with the wrong type, is a programmer error: throws std::logic_error.
class ParameterSet {
 public:
  bool boolean(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  double real(const std::string& key) const;              // an integer parameter reads as real too
  const std::string& text(const std::string& key) const;  // choice, text, path
  std::vector<double> reals(const std::string& key) const;
  std::vector<std::int64_t> integers(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;

  const std::map<std::string, Parameter>& all() const { return values_; }
  void set(const std::string& key, Value value, Origin origin);
  Json to_json() const;  // key -> value, in key order
  // The reverse; every origin is `set`. Throws Error(unreadable) for what is no such object.
  static ParameterSet from_json(const Json& json);

 private:
  std::map<std::string, Parameter> values_;
};

// One thing wrong with one input.
struct Problem {
  std::string key;      // parameter, or "preset", "experiment", "seed", ...
  std::string value;    // as given
  std::string fault;    // "is out of range", "is not a number", ...
  std::string allowed;  // "0.0 to 1.0", "one of: spiral, moons", ...
  // "beta_sweep: 1.5 is out of range; allowed: each between 0.0 and 1.0"
  std::string message() const;
};

// Text (command line, form) to a value of the parameter's type, checked against range, choices and,
// for paths, existence. Lists are comma-separated. "1e-3" reads as an integer only when whole.
struct Checked {
  std::optional<Value> value;
  std::optional<Problem> problem;
};
Checked check_text(const ParameterSpec& spec, const std::string& text);
Checked check_value(const ParameterSpec& spec, const Value& value);
// What a parameter takes, for a message or a form: "0.0 to 1.0", "whole numbers from 1 to 64 px",
// "one of: spiral, moons", "each between 0.0 and 1.0, separated by commas; 1 to 20 of them".
std::string allowed_text(const ParameterSpec& spec);

// What the user asked for, before it is checked.
struct Configuration {
  std::string experiment;  // "curvature_tuning.transfer"
  std::string preset;      // empty: "quick"
  std::optional<std::uint64_t> seed;
  int version = 0;                           // of the experiment's parameters; 0: current
  std::map<std::string, Value> file_values;  // [parameters] of the file
  std::vector<std::pair<std::string, std::string>> set;  // --set key=text, in order
  std::map<std::string, std::vector<Value>> sweep;       // [sweep] of the file
};

struct Resolved {
  ParameterSet parameters;
  std::string preset;
  std::uint64_t seed = 1;
  std::vector<std::uint64_t> seeds;  // all that are asked for: the sweep's, else just `seed`
  std::vector<Problem> problems;     // empty: usable
  std::vector<std::string> repairs;  // "renamed 'lr' to 'learning_rate' (version 1 to 2)"
};
// Never throws for what the user gave: all problems are collected, each once. Of a key that is
// given several times the last counts. Paths become absolute (relative ones start at the working
// folder), so that a run can be resumed from elsewhere. The only sweep there is yet is one of
// "seed".
Resolved resolve(const ExperimentSpec& experiment, const Configuration& configuration);

// FILE.toml: experiment, preset, seed, version, [parameters], [sweep]. Throws Error(bad_input) with
// file and line, one line of the message for each problem.
Configuration read_configuration(const std::filesystem::path& file);
// The same settings as a file and as a command line; only what differs from the preset is written.
std::string as_toml(const Manifest& plugin, const ExperimentSpec& experiment, const Resolved& run);
std::string as_command_line(const Manifest& plugin, const ExperimentSpec& experiment,
                            const Resolved& run);

}  // namespace assay
