// wait: the warm runner. It has the libraries loaded before anybody asks for a run.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "app/runner/commands.h"
#include "app/runner/foreground.h"
#include "app/runner/problems.h"
#include "core/base/error.h"
#include "core/engine/plugin_library.h"

namespace assay {
namespace {

// One that can't be loaded is reported by the run that needs it.
void load_all(const std::vector<Manifest>& plugins, int threads) {
  for (const Manifest& manifest : plugins) {
    if (!manifest.fault.empty()) continue;
    try {
      load_plugin(manifest).configure(threads);
    } catch (const std::exception&) {
      continue;
    }
  }
}

void redirect_output(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    throw Error(ErrorKind::storage,
                fmt::format("{}: can't be written: {}", file.string(), std::strerror(errno)));
  }
  dup2(descriptor, STDOUT_FILENO);
  dup2(descriptor, STDERR_FILENO);
  close(descriptor);
}

// LibTorch takes its number of threads once: a run that wants another one gets a cold process, so
// that its bits are those of any other run with that number.
[[noreturn]] void start_cold(const CommonOptions& common, const std::string& run) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words = {program, "resume", run};
  if (!common.log.empty()) words.insert(words.end(), {"--log", common.log});
  if (common.json) words.emplace_back("--json");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw Error(ErrorKind::failed,
              fmt::format("{}: can't be started: {}", program, std::strerror(errno)));
}

}  // namespace

int wait_command(const CommonOptions& common, const std::string& threads_text) {
  const int given = thread_count(threads_text);
  const int threads = given > 0 ? given : core_count();
  const std::vector<Manifest> plugins = find_plugins();
  load_all(plugins, threads);

  std::string id;
  if (!std::getline(std::cin, id) || id.empty()) return 0;
  Log log = open_existing_log(common);
  const Run run = log.find(id);
  redirect_output(log.run_directory(run.public_id) / "log.txt");
  const int wanted = run.threads > 0 ? run.threads : core_count();
  if (wanted != threads) start_cold(common, run.public_id);
  return execute_here(log, run,
                      {RunState::queued, RunState::paused, RunState::stopped, RunState::crashed,
                       RunState::killed, RunState::failed},
                      plugins, common);
}

}  // namespace assay
