// A file system of a few kilobytes, to see what happens when a disk is full.
#include "support/small_disk.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace assay {
namespace {

constexpr char cant_mount = '!';
constexpr char done = '.';

void write_line(const char* path, const std::string& line) {
  std::ofstream(path) << line;
}

// Root needs a mount namespace alone, everybody else a user namespace as well, in which they are
// root: files of an unknown owner could not be made.
bool enter_namespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWNS) == 0) return true;
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  write_line("/proc/self/setgroups", "deny");
  write_line("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
  write_line("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
  return true;
}

// A mount that only this process sees and that goes with it.
bool mount_tmpfs(const std::string& folder, std::size_t bytes) {
  if (!enter_namespace()) return false;
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  const std::string size = "size=" + std::to_string(bytes);
  return ::mount("assay", folder.c_str(), "tmpfs", 0, size.c_str()) == 0;
}

std::string report_of(const std::string& folder, std::size_t bytes,
                      const std::function<std::string(const std::filesystem::path&)>& work) {
  if (!mount_tmpfs(folder, bytes)) {
    return cant_mount + std::string("no tmpfs can be mounted here (") + std::strerror(errno) +
           "): run the tests as root or allow user namespaces";
  }
  try {
    return done + work(folder);
  } catch (const std::exception& fault) {
    return done + std::string("exception: ") + fault.what();
  }
}

}  // namespace

std::string on_small_disk(std::size_t bytes,
                          const std::function<std::string(const std::filesystem::path&)>& work) {
  std::string folder = (std::filesystem::temp_directory_path() / "assay-disk-XXXXXX").string();
  std::array<int, 2> ends{};
  if (::mkdtemp(folder.data()) == nullptr || ::pipe(ends.data()) != 0) {
    throw std::runtime_error("no temporary folder or pipe");
  }
  // A user namespace can be entered by a process of one thread only: the test program has more.
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string report = report_of(folder, bytes, work);
    std::size_t sent = 0;
    while (sent < report.size()) {
      const ssize_t put = ::write(ends[1], report.data() + sent, report.size() - sent);
      if (put <= 0) break;
      sent += static_cast<std::size_t>(put);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string report;
  std::array<char, 4096> piece{};
  while (child > 0) {
    const ssize_t got = ::read(ends[0], piece.data(), piece.size());
    if (got <= 0) break;
    report.append(piece.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  std::filesystem::remove(folder);
  if (report.empty()) throw std::runtime_error("the child process died without a word");
  if (report.front() == cant_mount) throw std::runtime_error(report.substr(1));
  return report.substr(1);
}

}  // namespace assay
