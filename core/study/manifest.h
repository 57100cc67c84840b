// plugin.json as values: what a paper is, its experiments, parameters, metrics, claims.
// Both programs read it; neither needs LibTorch or Qt to do so.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/study/value.h"

namespace assay {

// The version of the contract between plugins and programs (manifest key "abi", both factories).
inline constexpr int plugin_abi = 1;

enum class ParameterType { integer, real, boolean, choice, text, path, list };
enum class Scale { linear, log };
enum class Better { lower, higher, neither };

struct Choice {
  std::string value;
  std::string label;
  std::string help;
};

struct ParameterSpec {
  std::string key;    // snake_case, stable for ever
  std::string label;  // "Learning rate"
  ParameterType type = ParameterType::real;
  ParameterType element = ParameterType::real;  // of a list: real, integer or text
  Value default_value;
  std::optional<double> minimum, maximum;  // of the value, or of each element of a list
  std::optional<double> step;              // of the spin box
  std::optional<std::size_t> minimum_length, maximum_length;  // of a list
  std::string unit;                                           // "", "px", "epochs"
  Scale scale = Scale::linear;
  std::vector<Choice> choices;
  std::string path_kind;  // "file", "folder" or "any"; an empty path means "not set"
  std::string help;       // one or two sentences
  std::string paper;      // the paper's own value and where it stands: "0.1 (section 4.1)"
  std::string group;      // heading in the form
  bool advanced = false;
};

struct Preset {
  std::string id;  // quick, standard, paper
  std::string label;
  std::string help;                     // what it costs and what it is good for
  std::map<std::string, Value> values;  // over the defaults
};

struct MetricSpec {
  std::string key;  // "trainable_ct/test_accuracy": the part before the slash groups
  std::string label;
  std::string unit;
  Better better = Better::neither;
  bool shown = true;  // by default
  std::string axis;   // what its step counts: "step", "epoch", "beta index"
  std::string help;
};

struct ArtifactSpec {
  std::string key;
  std::string kind;  // image, table, tensor, text, volume, molecules
  std::string label;
  std::string help;
};

struct ExperimentSpec {
  std::string id;       // "transfer"
  std::string title;    // "Transfer"
  std::string summary;  // what it does, two or three sentences
  int version = 1;      // of the parameters' meaning; older configurations are repaired
  std::vector<ParameterSpec> parameters;
  std::vector<Preset> presets;
  std::vector<MetricSpec> metrics;  // a key may end in "*": any key with that beginning
  std::vector<ArtifactSpec> artifacts;
  // Repair of older configurations: from version N to N+1.
  struct Repair {
    int from = 1;
    std::map<std::string, std::string> renamed;  // old key -> new key
    std::vector<std::string> removed;
    std::map<std::string, std::map<std::string, std::string>> renamed_choices;  // key -> old -> new
  };
  std::vector<Repair> repairs;

  const ParameterSpec* parameter(const std::string& key) const;  // nullptr: none
  const Preset* preset(const std::string& key) const;            // nullptr: none
  const MetricSpec* metric(const std::string& key) const;        // wildcards considered
};

struct ExplorableSpec {
  std::string id;
  std::string title;
  std::string summary;
  std::vector<ParameterSpec> parameters;  // the sliders and choices it takes
};

// One side of a claim: the value of a metric in runs of an experiment with these settings.
struct ClaimSide {
  std::string label;                        // "Trainable CT"
  std::string metric;                       // key
  std::string value;                        // "last", "best" or "first"
  std::map<std::string, Value> parameters;  // over the preset
};

struct ClaimSpec {
  std::string id;
  std::string title;       // "Trainable CT beats the linear probe"
  std::string statement;   // as the paper says it, in our words, with the place
  std::string experiment;  // which runs decide it
  // greater: mean(left - right) > margin, by a 95 % interval of the paired differences over seeds.
  // equal: left == right (to `tolerance`) in every run; decided by a single seed.
  enum class Comparison { greater, equal } comparison = Comparison::greater;
  ClaimSide left;
  ClaimSide right;
  std::optional<double> constant;  // used instead of `right` when set
  double margin = 0.0;
  double tolerance = 0.0;
  std::string unit;
};

// A data set or weight file that a paper can use: shown on the Data page, with what to do when it
// is missing.
struct DataSpec {
  std::string id;
  std::string title;  // "Fashion-MNIST"
  std::string path;   // where it usually is; empty: wherever the user has it
  std::string kind;   // "images", "weights", "table", "volumes", "molecules"
  std::string licence;
  std::string help;        // what it is used for
  std::string how_to_get;  // "Debian package dataset-fashion-mnist", or the publisher's page
};

struct Paper {
  std::string title;
  std::vector<std::string> authors;
  std::string venue;
  int year = 0;
  std::string abstract;  // in our words
  std::string bibtex_key;
  std::string bibtex;
  std::string url;
};

struct Manifest {
  std::string id;     // folder name, snake_case
  std::string title;  // of the card
  std::string idea;   // one sentence
  int abi = 0;
  std::string version;
  Paper paper;
  std::vector<std::string> explanation;  // paragraphs in plain words; "$...$" marks an equation
  std::vector<ExperimentSpec> experiments;
  std::vector<ExplorableSpec> explorables;
  std::vector<ClaimSpec> claims;
  std::vector<DataSpec> data;  // optional
  std::string try_it;          // the experiment that "Try it" runs with its quick preset
  std::filesystem::path folder;
  std::string fault;  // not empty: can't be used, and why (bad JSON, other ABI, missing library)

  const ExperimentSpec* experiment(const std::string& key) const;  // nullptr: none
};

// Reads and checks one plugin.json. Throws Error(bad_input) naming file, place ("experiments[0].
// parameters[3].minimum") and what is expected.
Manifest read_manifest(const std::filesystem::path& file);
Manifest parse_manifest(const Json& json, const std::filesystem::path& file);

// All plugins of the given folders (plugin_directories() when empty), by title. A broken one is in
// the list with its fault, never an exception. The first of two with the same id wins.
std::vector<Manifest> find_plugins(const std::vector<std::filesystem::path>& folders = {});

struct ExperimentAddress {
  const Manifest* plugin = nullptr;
  const ExperimentSpec* experiment = nullptr;
};
// "curvature_tuning.transfer", or "curvature_tuning" alone for a plugin with one experiment. Throws
// Error(not_found) with what there is (and the nearest name) or with the plugin's fault.
ExperimentAddress find_experiment(const std::vector<Manifest>& plugins, const std::string& address);

// The manifest as JSON again, for `describe --json`.
Json to_json(const Manifest& manifest);
Json to_json(const ExperimentSpec& experiment);
std::string to_string(ParameterType type);
std::string to_string(Better better);

}  // namespace assay
