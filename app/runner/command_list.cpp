// list, describe, show: what there is. None of them loads a plugin's library.
#include <fmt/core.h>

#include "app/runner/commands.h"
#include "app/runner/foreground.h"
#include "core/base/error.h"
#include "core/engine/engine.h"
#include "core/study/manifest.h"

namespace assay {
namespace {

Json summary(const Manifest& plugin) {
  Json experiments = Json::array();
  for (const ExperimentSpec& experiment : plugin.experiments) {
    Json presets = Json::array();
    for (const Preset& preset : experiment.presets) presets.push_back(preset.id);
    experiments.push_back({{"id", plugin.id + "." + experiment.id},
                           {"title", experiment.title},
                           {"summary", experiment.summary},
                           {"presets", std::move(presets)}});
  }
  return Json{{"id", plugin.id},
              {"title", plugin.title},
              {"idea", plugin.idea},
              {"version", plugin.version},
              {"folder", plugin.folder.string()},
              {"fault", plugin.fault},
              {"experiments", std::move(experiments)}};
}

std::string range_text(const ParameterSpec& parameter) {
  std::string text = to_string(parameter.type);
  if (parameter.minimum || parameter.maximum) {
    text += fmt::format(" {} to {}", parameter.minimum ? to_text(*parameter.minimum) : "-inf",
                        parameter.maximum ? to_text(*parameter.maximum) : "inf");
  }
  std::string names;
  for (const Choice& choice : parameter.choices)
    names += (names.empty() ? " " : ", ") + choice.value;
  return text + names;
}

void print_experiment(const Manifest& plugin, const ExperimentSpec& experiment) {
  fmt::print("{}.{}: {}\n  {}\n", plugin.id, experiment.id, experiment.title, experiment.summary);
  for (const Preset& preset : experiment.presets) {
    fmt::print("  preset {:<12} {}\n", preset.id, preset.help);
  }
  for (const ParameterSpec& parameter : experiment.parameters) {
    fmt::print("  {:<28} {:<20} {}{}{}\n", parameter.key, to_text(parameter.default_value),
               range_text(parameter), parameter.unit.empty() ? "" : " ", parameter.unit);
  }
  for (const MetricSpec& metric : experiment.metrics) {
    fmt::print("  metric {:<33} {}\n", metric.key, metric.label);
  }
}

void print_plugin(const Manifest& plugin) {
  fmt::print("{}: {}\n  {}\n  {} ({} {})\n", plugin.id, plugin.title, plugin.idea,
             plugin.paper.title, plugin.paper.venue, plugin.paper.year);
  if (!plugin.fault.empty()) fmt::print("  can't be used: {}\n", plugin.fault);
  for (const ExperimentSpec& experiment : plugin.experiments) print_experiment(plugin, experiment);
  for (const ClaimSpec& claim : plugin.claims) {
    fmt::print("  claim {:<34} {}\n", claim.id, claim.title);
  }
}

const Manifest* plugin_named(const std::vector<Manifest>& plugins, const std::string& id) {
  for (const Manifest& plugin : plugins) {
    if (plugin.id == id) return &plugin;
  }
  return nullptr;
}

}  // namespace

int list_command(const CommonOptions& common) {
  const std::vector<Manifest> plugins = find_plugins();
  if (common.json) {
    Json list = Json::array();
    for (const Manifest& plugin : plugins) list.push_back(summary(plugin));
    fmt::print("{}\n", Json{{"plugins", std::move(list)}}.dump());
    return 0;
  }
  for (const Manifest& plugin : plugins) {
    fmt::print("{}: {}\n", plugin.id, plugin.title);
    if (!plugin.fault.empty()) fmt::print("  can't be used: {}\n", plugin.fault);
    for (const ExperimentSpec& experiment : plugin.experiments) {
      fmt::print("  {}.{:<24} {}\n", plugin.id, experiment.id, experiment.title);
    }
  }
  return 0;
}

int describe_command(const CommonOptions& common, const std::string& id) {
  const std::vector<Manifest> plugins = find_plugins();
  if (const Manifest* const plugin = plugin_named(plugins, id)) {
    if (common.json) {
      fmt::print("{}\n", to_json(*plugin).dump());
    } else {
      print_plugin(*plugin);
    }
    return 0;
  }
  const ExperimentAddress address = find_experiment(plugins, id);
  if (common.json) {
    fmt::print("{}\n", to_json(*address.experiment).dump());
  } else {
    print_experiment(*address.plugin, *address.experiment);
  }
  return 0;
}

int show_command(const CommonOptions& common, const std::string& address) {
  Log log = open_log_for_reading(common);
  try {
    log.reap();  // a run that was killed outright shows as crashed
  } catch (const Error& fault) {
    if (fault.kind() != ErrorKind::storage) throw;  // read-only: shown as it stands
  }
  const Run run = log.find(address);
  if (common.json) {
    fmt::print("{}\n", describe_run(log, run, true).dump());
  } else {
    print_run(log, run, true);
  }
  return 0;
}

}  // namespace assay
