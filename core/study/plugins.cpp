// Finding the plugins of this machine, and one of their experiments by its address.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/study/manifest.h"
#include "core/study/nearest.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

Manifest read_or_fault(const fs::path& file) {
  Manifest manifest;
  try {
    manifest = read_manifest(file);
  } catch (const std::exception& fault) {
    manifest.id = file.parent_path().filename().string();
    manifest.title = manifest.id;
    manifest.folder = file.parent_path();
    manifest.fault = fault.what();
    return manifest;
  }
  const fs::path library = manifest.folder / ("lib" + manifest.id + ".so");
  std::error_code ignored;
  if (manifest.fault.empty() && !fs::is_regular_file(library, ignored)) {
    manifest.fault = library.string() + " is missing: build or install the plugin again";
  }
  return manifest;
}

// In the order of their names, so that two machines list the same.
std::vector<fs::path> manifests_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const fs::path file = entry->path() / "plugin.json";
    std::error_code ignored;
    if (fs::exists(file, ignored)) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool has_id(const std::vector<Manifest>& plugins, const std::string& id) {
  return std::any_of(plugins.begin(), plugins.end(),
                     [&](const Manifest& plugin) { return plugin.id == id; });
}

std::vector<std::string> addresses_of(const std::vector<Manifest>& plugins) {
  std::vector<std::string> addresses;
  for (const Manifest& plugin : plugins) {
    for (const ExperimentSpec& experiment : plugin.experiments) {
      addresses.push_back(plugin.id + "." + experiment.id);
    }
  }
  return addresses;
}

[[noreturn]] void fail(const std::string& address, const std::string& what,
                       const std::vector<std::string>& there) {
  throw Error(
      ErrorKind::not_found,
      fmt::format("experiment: '{}' {}{}; allowed: {}", address, what, did_you_mean(address, there),
                  there.empty() ? "none (no plugin was found)"
                                : fmt::format("{}", fmt::join(there, ", "))));
}

}  // namespace

std::vector<Manifest> find_plugins(const std::vector<fs::path>& folders) {
  std::vector<Manifest> plugins;
  for (const fs::path& folder : folders.empty() ? plugin_directories() : folders) {
    for (const fs::path& file : manifests_in(folder)) {
      Manifest manifest = read_or_fault(file);
      if (!has_id(plugins, manifest.id)) plugins.push_back(std::move(manifest));
    }
  }
  std::stable_sort(plugins.begin(), plugins.end(), [](const Manifest& left, const Manifest& right) {
    return left.title < right.title;
  });
  return plugins;
}

ExperimentAddress find_experiment(const std::vector<Manifest>& plugins,
                                  const std::string& address) {
  const std::size_t dot = address.find('.');
  const std::string id = address.substr(0, dot);
  const auto plugin = std::find_if(plugins.begin(), plugins.end(),
                                   [&](const Manifest& each) { return each.id == id; });
  if (plugin == plugins.end()) fail(address, "does not exist", addresses_of(plugins));
  if (!plugin->fault.empty()) {
    throw Error(ErrorKind::not_found, "plugin '" + id + "' can't be used: " + plugin->fault);
  }
  if (dot == std::string::npos) {
    if (plugin->experiments.size() == 1) return {&*plugin, &plugin->experiments.front()};
    fail(address, "has several experiments", addresses_of({*plugin}));
  }
  const ExperimentSpec* experiment = plugin->experiment(address.substr(dot + 1));
  if (experiment == nullptr) fail(address, "does not exist", addresses_of({*plugin}));
  return {&*plugin, experiment};
}

}  // namespace assay
