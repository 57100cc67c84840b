// serve: a plugin's explorables for the window.
#include <fmt/core.h>
#include <signal.h>

#include "app/runner/commands.h"
#include "app/runner/console.h"
#include "app/runner/explore_server.h"
#include "app/runner/problems.h"
#include "core/base/error.h"
#include "core/base/process.h"
#include "core/engine/plugin_library.h"

namespace assay {

int serve_command(const ServeOptions& options) {
  const int given = thread_count(options.threads);
  const std::vector<Manifest> plugins = find_plugins();
  const Manifest* manifest = nullptr;
  for (const Manifest& candidate : plugins) {
    if (candidate.id == options.plugin) manifest = &candidate;
  }
  if (manifest == nullptr) {
    find_experiment(plugins, options.plugin);  // throws with what there is
    throw Error(ErrorKind::not_found, fmt::format("there is no plugin '{}'", options.plugin));
  }
  signal(SIGPIPE, SIG_IGN);
  Plugin& plugin = load_plugin(*manifest);
  plugin.configure(given > 0 ? given : core_count());
  ExploreServer server(*manifest, plugin, options.socket);
  Console().say(fmt::format("serving {} at {}", manifest->id, options.socket));
  server.serve(options.until_input_closes);
  return 0;
}

}  // namespace assay
