// Starting children in a session of their own, and reaping them.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/process.h"
#include "core/base/process_stat.h"

namespace assay {
namespace {

std::string reason_of(int code) {
  return std::generic_category().message(code);
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct FileActions {
  posix_spawn_file_actions_t actions;
  FileActions() { ::posix_spawn_file_actions_init(&actions); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
};

// A new session; no blocked or ignored signals left over from a window's or a test's settings.
struct Attributes {
  posix_spawnattr_t attributes;
  Attributes() {
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
};

// Ours, with the given ones in place of those of the same name.
std::vector<std::string> merged_environment(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> lines;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string line = *entry;
    const bool replaced = std::any_of(added.begin(), added.end(), [&](const auto& pair) {
      return line.compare(0, pair.first.size() + 1, pair.first + "=") == 0;
    });
    if (!replaced) lines.push_back(line);
  }
  for (const auto& [name, value] : added) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The one piece of state of this file: whom reap_children() may wait for. Waiting for "any child"
// would steal the exit status of children that another library (Qt's QProcess) waits for.
class ChildList {
 public:
  static ChildList& instance() {
    static ChildList list;
    return list;
  }
  void add(const ProcessIdentity& child) {
    const std::lock_guard lock(mutex_);
    children_.push_back(child);
  }
  std::vector<EndedChild> reap() {
    const std::lock_guard lock(mutex_);
    std::vector<EndedChild> ended;
    std::erase_if(children_, [&](const ProcessIdentity& child) {
      int status = 0;
      const pid_t got = ::waitpid(static_cast<pid_t>(child.pid), &status, WNOHANG);
      if (got == 0 || (got < 0 && errno == EINTR)) return false;
      if (got < 0) return true;  // somebody else has reaped it
      ended.push_back({child, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                       WIFSIGNALED(status) ? WTERMSIG(status) : 0});
      return true;
    });
    return ended;
  }

 private:
  std::mutex mutex_;
  std::vector<ProcessIdentity> children_;
};

}  // namespace

Child spawn(const SpawnOptions& options) {
  if (options.arguments.empty()) throw Error(ErrorKind::failed, "no program to start was named");
  const std::string& program = options.arguments.front();
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorKind::failed, program + ": can't be started: " + why);
  };

  const std::string output_name =
      options.output_file.empty() ? "/dev/null" : options.output_file.string();
  const Descriptor output(
      ::open(output_name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (output.get() < 0) fail("its output file " + output_name + ": " + reason_of(errno));

  int pipe_ends[2] = {-1, -1};
  if (options.input_pipe && ::pipe2(pipe_ends, O_CLOEXEC) != 0) fail(reason_of(errno));
  Descriptor pipe_read(pipe_ends[0]);
  Descriptor pipe_write(pipe_ends[1]);
  const Descriptor nothing(options.input_pipe ? -1 : ::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int input = options.input_pipe ? pipe_read.get() : nothing.get();
  if (input < 0) fail("/dev/null: " + reason_of(errno));

  // Our descriptors are all above 2 unless a standard stream is closed here; dup2 onto itself
  // clears close-on-exec in glibc, so that works as well.
  FileActions files;
  ::posix_spawn_file_actions_adddup2(&files.actions, input, 0);
  ::posix_spawn_file_actions_adddup2(&files.actions, output.get(), 1);
  ::posix_spawn_file_actions_adddup2(&files.actions, output.get(), 2);
  // Nothing else of ours (a socket, a log) may be held open by a child that outlives us.
  ::posix_spawn_file_actions_addclosefrom_np(&files.actions, 3);

  const Attributes attributes;
  std::vector<std::string> argument_texts = options.arguments;
  std::vector<std::string> environment_texts = merged_environment(options.environment);
  const std::vector<char*> arguments = pointers_to(argument_texts);
  const std::vector<char*> environment = pointers_to(environment_texts);
  pid_t pid = 0;
  const int code = ::posix_spawn(&pid, program.c_str(), &files.actions, &attributes.attributes,
                                 arguments.data(), environment.data());
  if (code != 0) fail(reason_of(code));

  // Not reaped yet, so the pid is still this child's even when it has ended already.
  const Child child{identity_of(pid), pipe_write.release()};
  ChildList::instance().add(child.process);
  return child;
}

std::vector<EndedChild> reap_children() {
  return ChildList::instance().reap();
}

}  // namespace assay
