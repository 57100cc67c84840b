// Identity and life of processes, by /proc.
#include "core/base/process.h"

#include <sched.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "core/base/error.h"
#include "core/base/process_stat.h"

namespace assay {
namespace {

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

// -1 where the kernel has none: then the pid alone has to do.
int open_pidfd(std::int64_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0U));
}

}  // namespace

std::optional<ProcessStat> read_process_stat(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // Field 2, the program's name, may hold spaces and brackets; the last ')' ends it.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  ProcessStat stat;
  fields >> stat.state;  // field 3
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> stat.start_ticks;
  if (!fields) return std::nullopt;
  return stat;
}

ProcessIdentity identity_of(std::int64_t pid) {
  const std::optional<ProcessStat> stat = read_process_stat(pid);
  return {pid, stat ? stat->start_ticks : 0, boot_id()};
}

ProcessIdentity this_process() {
  return identity_of(::getpid());
}

bool is_alive(const ProcessIdentity& process) {
  if (process.pid <= 0) return false;
  const std::optional<ProcessStat> stat = read_process_stat(process.pid);
  if (!stat || stat->start_ticks != process.start_ticks) return false;
  if (stat->state == 'Z' || stat->state == 'X' || stat->state == 'x') return false;
  return process.boot_id == boot_id();
}

bool send_signal(const ProcessIdentity& process, int signal, bool group) {
  if (group) {
    return is_alive(process) && ::kill(-static_cast<pid_t>(process.pid), signal) == 0;
  }
  // The descriptor pins the process: its pid can't be taken by another one between the look and
  // the signal.
  const int pidfd = open_pidfd(process.pid);
  bool sent = false;
  if (is_alive(process)) {
    sent = pidfd >= 0 ? ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0U) == 0
                      : ::kill(static_cast<pid_t>(process.pid), signal) == 0;
  }
  if (pidfd >= 0) ::close(pidfd);
  return sent;
}

double now_seconds() {
  using namespace std::chrono;
  const auto since = duration_cast<microseconds>(system_clock::now().time_since_epoch());
  return static_cast<double>(since.count()) * 1e-6;
}

std::string random_id(int length) {
  constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
  std::string id(static_cast<std::size_t>(std::max(length, 0)), '\0');
  std::size_t filled = 0;
  while (filled < id.size()) {
    const ssize_t got = ::getrandom(id.data() + filled, id.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(ErrorKind::failed, "the kernel gives no random numbers");
    filled += static_cast<std::size_t>(got);
  }
  for (char& letter : id) letter = letters[static_cast<unsigned char>(letter) & 31U];
  return id;
}

int core_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(CPU_COUNT(&set), 1);
  // More processors than a cpu_set_t holds.
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

}  // namespace assay
