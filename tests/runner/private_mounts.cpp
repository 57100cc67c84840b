#include "runner/private_mounts.h"

#include <fmt/core.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace assay::test {
namespace {

std::string fault(const char* what) {
  return fmt::format("{}: {}", what, std::strerror(errno));
}

std::string result(int code, const char* what) {
  return code == 0 ? std::string() : fault(what);
}

void write_line(const char* file, const std::string& line) {
  std::ofstream(file) << line;
}

}  // namespace

std::string enter_private_mounts() {
  const auto user = geteuid();
  const auto group = getegid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return fault("unshare");
    write_line("/proc/self/setgroups", "deny");
    write_line("/proc/self/uid_map", fmt::format("0 {} 1", user));
    write_line("/proc/self/gid_map", fmt::format("0 {} 1", group));
  }
  return result(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "private mounts");
}

std::string mount_small(const std::string& folder, int kilobytes) {
  std::filesystem::create_directories(folder);
  const std::string size = fmt::format("size={}k", kilobytes);
  return result(mount("tmpfs", folder.c_str(), "tmpfs", 0, size.c_str()), "tmpfs");
}

std::string mount_read_only(const std::string& folder) {
  std::filesystem::create_directories(folder);
  if (mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) != 0) return fault("bind");
  return result(mount(nullptr, folder.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr),
                "read-only");
}

// Detached: a log keeps its file open as long as the process lives, for the sake of its locks.
std::string unmount(const std::string& folder) {
  return result(umount2(folder.c_str(), MNT_DETACH), "umount");
}

}  // namespace assay::test
