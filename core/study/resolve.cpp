// Default, preset, file and command line, laid over one another and checked.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/study/nearest.h"
#include "core/study/parameters.h"
#include "core/study/repair.h"

namespace assay {
namespace {

std::vector<std::string> keys_of(const ExperimentSpec& experiment) {
  std::vector<std::string> keys;
  for (const ParameterSpec& spec : experiment.parameters) keys.push_back(spec.key);
  return keys;
}

std::string list_text(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

Problem unknown_key(const ExperimentSpec& experiment, const std::string& key,
                    const std::string& value) {
  const std::vector<std::string> keys = keys_of(experiment);
  const std::string fate = fate_of_key(experiment, key);
  const std::string fault = "is given to an unknown parameter" +
                            (fate.empty() ? did_you_mean(key, keys) : " (it " + fate + ")");
  return {key, value, fault, list_text(keys)};
}

class Resolver {
 public:
  Resolver(const ExperimentSpec& experiment, const Configuration& given)
      : experiment_(experiment), given_(given) {}

  Resolved resolve() {
    choose_preset();
    lay_defaults_and_preset();
    lay_file();
    lay_command_line();
    choose_seeds();
    return std::move(result_);
  }

 private:
  void choose_preset() {
    const bool asked = !given_.preset.empty();
    result_.preset = asked ? given_.preset : "quick";
    preset_ = experiment_.preset(result_.preset);
    if (preset_ != nullptr) return;
    std::vector<std::string> names;
    for (const Preset& preset : experiment_.presets) names.push_back(preset.id);
    if (asked) {
      result_.problems.push_back(
          {"preset", given_.preset,
           "is no preset of '" + experiment_.id + "'" + did_you_mean(given_.preset, names),
           list_text(names)});
      return;
    }
    // Nobody asked for "quick": the first preset, or the defaults alone.
    preset_ = experiment_.presets.empty() ? nullptr : &experiment_.presets.front();
    result_.preset = preset_ == nullptr ? std::string() : preset_->id;
  }

  void lay_defaults_and_preset() {
    for (const ParameterSpec& spec : experiment_.parameters) {
      result_.parameters.set(spec.key, spec.default_value, Origin::default_value);
    }
    if (preset_ == nullptr) return;
    for (const auto& [key, value] : preset_->values) {
      result_.parameters.set(key, value, Origin::preset);
    }
  }

  std::map<std::string, Value> repaired_file_values() {
    if (given_.version == 0) return given_.file_values;
    if (given_.version < 0 || given_.version > experiment_.version) {
      const bool newer = given_.version > experiment_.version;
      result_.problems.push_back({"version", std::to_string(given_.version),
                                  newer ? "is newer than this program" : "is out of range",
                                  fmt::format("1 to {}", experiment_.version)});
      return given_.file_values;
    }
    return repair(experiment_, given_.version, given_.file_values, result_.repairs);
  }

  bool is_overridden(const std::string& key) const {
    return std::any_of(given_.set.begin(), given_.set.end(),
                       [&](const auto& pair) { return pair.first == key; });
  }

  void lay_file() {
    for (const auto& [key, value] : repaired_file_values()) {
      const ParameterSpec* spec = experiment_.parameter(key);
      if (spec == nullptr) {
        result_.problems.push_back(unknown_key(experiment_, key, to_text(value)));
      } else if (!is_overridden(key)) {
        take(check_value(*spec, value), *spec, Origin::file);
      }
    }
  }

  void lay_command_line() {
    for (std::size_t i = 0; i < given_.set.size(); ++i) {
      const auto& [key, text] = given_.set[i];
      const auto later = given_.set.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      const bool replaced = std::any_of(later, given_.set.end(), [&, name = key](const auto& pair) {
        return pair.first == name;
      });
      if (replaced) continue;
      const ParameterSpec* spec = experiment_.parameter(key);
      if (spec == nullptr) {
        // Said already when the file has the same unknown key.
        if (!given_.file_values.contains(key)) {
          result_.problems.push_back(unknown_key(experiment_, key, text));
        }
      } else {
        take(check_text(*spec, text), *spec, Origin::set);
      }
    }
  }

  void take(Checked checked, const ParameterSpec& spec, Origin origin) {
    if (checked.problem) {
      result_.problems.push_back(std::move(*checked.problem));
      return;
    }
    if (spec.type == ParameterType::path) {
      auto& path = std::get<std::string>(*checked.value);
      if (!path.empty()) path = std::filesystem::absolute(path).lexically_normal().string();
    }
    result_.parameters.set(spec.key, std::move(*checked.value), origin);
  }

  void choose_seeds() {
    result_.seed = given_.seed.value_or(1);
    for (const auto& [key, values] : given_.sweep) {
      if (key == "seed") {
        for (const Value& value : values) take_seed(value);
      } else {
        result_.problems.push_back({"sweep." + key, fmt::format("{} values", values.size()),
                                    "can't be swept over",
                                    "seed (for parameters start one run for each value)"});
      }
    }
    // --seed beats the file's list of seeds, as --set beats its parameters.
    if (given_.seed || result_.seeds.empty()) result_.seeds = {result_.seed};
    result_.seed = result_.seeds.front();
  }

  void take_seed(const Value& value) {
    const auto* seed = std::get_if<std::int64_t>(&value);
    if (seed == nullptr || *seed < 0) {
      result_.problems.push_back(
          {"sweep.seed", to_text(value), "is no seed", "whole numbers, at least 0"});
      return;
    }
    const auto number = static_cast<std::uint64_t>(*seed);
    const bool twice =
        std::find(result_.seeds.begin(), result_.seeds.end(), number) != result_.seeds.end();
    if (!twice) result_.seeds.push_back(number);
  }

  const ExperimentSpec& experiment_;
  const Configuration& given_;
  const Preset* preset_ = nullptr;
  Resolved result_;
};

}  // namespace

Resolved resolve(const ExperimentSpec& experiment, const Configuration& configuration) {
  return Resolver(experiment, configuration).resolve();
}

}  // namespace assay
