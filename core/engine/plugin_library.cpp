#include "core/engine/plugin_library.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include "core/base/error.h"

namespace assay {

Plugin& load_plugin(const Manifest& manifest) {
  if (!manifest.fault.empty()) {
    throw Error(ErrorKind::failed,
                fmt::format("plugin {} can't be used: {}", manifest.id, manifest.fault));
  }
  const std::string file = (manifest.folder / fmt::format("lib{}.so", manifest.id)).string();
  // RTLD_LOCAL: two plugins may carry symbols of the same name. Never closed: LibTorch can't be
  // unloaded, and objects of the plugin may live until the process ends.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    throw Error(ErrorKind::failed, fmt::format("plugin {} can't be loaded: {}", manifest.id,
                                               reason == nullptr ? file.c_str() : reason));
  }
  void* const symbol = dlsym(library, plugin_factory_name);
  if (symbol == nullptr) {
    throw Error(ErrorKind::failed, fmt::format("{}: no plugin of Assay: it exports no '{}'", file,
                                               plugin_factory_name));
  }
  Plugin* const plugin = reinterpret_cast<PluginFactory>(symbol)();
  if (plugin == nullptr) {
    throw Error(ErrorKind::failed, fmt::format("{}: its factory made no plugin", file));
  }
  if (plugin->abi() != plugin_abi) {
    throw Error(ErrorKind::failed,
                fmt::format("{}: built for version {} of the plugin interface, this is version {}; "
                            "build the plugin again",
                            file, plugin->abi(), plugin_abi));
  }
  return *plugin;
}

}  // namespace assay
