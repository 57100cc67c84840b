// Where things are: the XDG data folder, the program's own folder, plugins and resources.
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/files.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string() : std::string(text);
}

fs::path home_directory() {
  if (const std::string home = variable("HOME"); !home.empty()) return home;
  // A service or a bare `env -i` has no $HOME; the user database still knows it.
  const passwd* entry = ::getpwuid(::getuid());
  if (entry != nullptr && entry->pw_dir != nullptr) return entry->pw_dir;
  throw Error(ErrorKind::bad_input, "HOME is not set: give the log directory with --log DIR");
}

fs::path data_directory() {
  // The XDG rules: a relative path is invalid and passed over.
  const fs::path data = variable("XDG_DATA_HOME");
  if (data.is_absolute()) return data / "assay";
  return home_directory() / ".local" / "share" / "assay";
}

void add_if_folder(std::vector<fs::path>& folders, const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) folders.push_back(folder.lexically_normal());
}

}  // namespace

fs::path log_directory(const std::string& given) {
  if (!given.empty()) return fs::absolute(given).lexically_normal();
  if (const std::string log = variable("ASSAY_LOG"); !log.empty()) {
    return fs::absolute(log).lexically_normal();
  }
  return data_directory();
}

fs::path user_plugin_directory() {
  return data_directory() / "plugins";
}

fs::path program_directory() {
  return fs::read_symlink("/proc/self/exe").parent_path();
}

std::vector<fs::path> plugin_directories() {
  std::vector<fs::path> folders;
  const std::string given = variable("ASSAY_PLUGINS");
  for (std::size_t begin = 0; begin < given.size();) {
    const std::size_t end = std::min(given.find(':', begin), given.size());
    if (end > begin) add_if_folder(folders, fs::absolute(given.substr(begin, end - begin)));
    begin = end + 1;
  }
  const fs::path above = program_directory().parent_path();
  add_if_folder(folders, above / "plugins");
  add_if_folder(folders, above / "lib" / "assay" / "plugins");
  add_if_folder(folders, user_plugin_directory());
  return folders;
}

fs::path resource_directory() {
  const fs::path above = program_directory().parent_path();
  const fs::path installed = above / "share" / "assay";
  std::error_code ignored;
  for (const fs::path& folder :
       {installed, above / "resources", above.parent_path() / "resources"}) {
    if (fs::is_directory(folder, ignored)) return folder;
  }
  return installed;
}

}  // namespace assay
