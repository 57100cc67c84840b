// Processes: who we are, whether another one is still alive, how to start one that outlives us.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// A process for good: a pid alone is reused, pid + start time + boot id is not.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start_ticks = 0;  // field 22 of /proc/<pid>/stat
  std::string boot_id;           // /proc/sys/kernel/random/boot_id
  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();
// True while exactly this process exists and is no zombie.
bool is_alive(const ProcessIdentity& process);
// Sends `signal` to exactly this process (its whole group when `group`); false when it is gone.
bool send_signal(const ProcessIdentity& process, int signal, bool group = false);

// A started child in its own session and process group (setsid). The caller owns `input_fd` (-1
// unless asked for); closing it is how a warm runner is told to go.
struct Child {
  ProcessIdentity process;
  int input_fd = -1;
};
struct SpawnOptions {
  std::vector<std::string> arguments;                            // [0] is the program's path
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  std::filesystem::path output_file;  // stdout and stderr appended; empty: /dev/null
  bool input_pipe = false;
};
// Throws failed with the program's path and reason.
Child spawn(const SpawnOptions& options);
// How a child that spawn() started has ended.
struct EndedChild {
  ProcessIdentity process;
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;      // 0 when it ended by itself
};
// Reaps ended children of spawn() so that none stays a zombie; says how each ended, once. Call now
// and then. Other libraries' children (QProcess) are left alone.
std::vector<EndedChild> reap_children();

// Seconds since 1970, with microseconds.
double now_seconds();
// A random identifier of `length` characters out of a-z2-7, from the kernel's generator.
std::string random_id(int length = 10);
int core_count();  // usable by this process (affinity), at least 1

}  // namespace assay
