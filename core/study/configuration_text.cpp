// A resolved run as a configuration file and as a command line.
#include <fmt/format.h>

#include <algorithm>

#include "core/study/parameters.h"

namespace assay {
namespace {

// What differs from the preset, in the order of the manifest.
std::vector<std::pair<std::string, Value>> changes(const ExperimentSpec& experiment,
                                                   const Resolved& run) {
  const Preset* preset = experiment.preset(run.preset);
  std::vector<std::pair<std::string, Value>> changed;
  for (const ParameterSpec& spec : experiment.parameters) {
    const auto held = run.parameters.all().find(spec.key);
    if (held == run.parameters.all().end()) continue;
    Value base = spec.default_value;
    if (preset != nullptr && preset->values.contains(spec.key)) base = preset->values.at(spec.key);
    if (held->second.value != base) changed.emplace_back(spec.key, held->second.value);
  }
  return changed;
}

// A TOML basic string (TOML 1.0, "String").
std::string toml_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string toml_value(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return toml_quoted(*text);
  if (const auto* real = std::get_if<double>(&value)) return real_text(*real);
  std::vector<std::string> elements;
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    for (const double element : *reals) elements.push_back(real_text(element));
  } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& element : *texts) elements.push_back(toml_quoted(element));
  } else {
    return to_text(value);
  }
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

// One word for a POSIX shell.
std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string("_-+=.,:/@%").find(c) != std::string::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string as_toml(const Manifest& plugin, const ExperimentSpec& experiment, const Resolved& run) {
  std::string text = fmt::format("experiment = \"{}.{}\"\n", plugin.id, experiment.id);
  if (!run.preset.empty()) text += "preset = " + toml_quoted(run.preset) + "\n";
  if (run.seeds.size() < 2) text += fmt::format("seed = {}\n", run.seed);
  text += fmt::format("version = {}\n", experiment.version);
  const auto changed = changes(experiment, run);
  if (!changed.empty()) text += "\n[parameters]\n";
  for (const auto& [key, value] : changed) text += key + " = " + toml_value(value) + "\n";
  if (run.seeds.size() > 1) {
    text += fmt::format("\n[sweep]\nseed = [{}]\n", fmt::join(run.seeds, ", "));
  }
  return text;
}

std::string as_command_line(const Manifest& plugin, const ExperimentSpec& experiment,
                            const Resolved& run) {
  std::string line = fmt::format("assay-run run {}.{}", plugin.id, experiment.id);
  if (!run.preset.empty()) line += " --preset " + shell_quoted(run.preset);
  line += fmt::format(" --seed {}", run.seed);
  for (const auto& [key, value] : changes(experiment, run)) {
    line += " --set " + shell_quoted(key + "=" + to_text(value));
  }
  return line;
}

}  // namespace assay
