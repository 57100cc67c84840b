// Whole-file reads with a limit, and writes that either happen completely or not at all.
#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/base/error.h"

namespace assay {
namespace {

std::string reason_of(int code) {
  return std::generic_category().message(code);
}

[[noreturn]] void fail_reading(const std::filesystem::path& path, int code) {
  if (code == ENOENT || code == ENOTDIR) {
    throw Error(ErrorKind::not_found, path.string() + ": no such file");
  }
  throw Error(ErrorKind::storage, path.string() + ": can't be read: " + reason_of(code));
}

class FileHandle {
 public:
  FileHandle(const std::filesystem::path& path, int flags)
      : fd_(::open(path.c_str(), flags, 0644)) {}
  ~FileHandle() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  int fd() const { return fd_; }
  int close() {
    const int result = ::close(fd_);
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

// A size that a person reads at a glance; limits are powers of two.
std::string size_text(std::uint64_t bytes) {
  if (bytes >= (std::uint64_t{1} << 30)) return std::to_string(bytes >> 30) + " GiB";
  if (bytes >= (std::uint64_t{1} << 20)) return std::to_string(bytes >> 20) + " MiB";
  return std::to_string(bytes) + " bytes";
}

template <typename Buffer>
Buffer read_all(const std::filesystem::path& path, std::uint64_t limit) {
  // O_NONBLOCK: opening a named pipe must not wait for a writer; regular files ignore it.
  const FileHandle file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file.fd() < 0) fail_reading(path, errno);
  struct stat status {};
  if (::fstat(file.fd(), &status) != 0) fail_reading(path, errno);
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::unreadable, path.string() + ": is a folder, not a file");
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::unreadable, path.string() + ": is no regular file");
  }
  const auto too_large = [&] {
    return Error(ErrorKind::unreadable,
                 path.string() + ": is larger than the limit of " + size_text(limit));
  };
  const auto expected = static_cast<std::uint64_t>(status.st_size);
  if (expected > limit) throw too_large();

  // One byte more than the size shows the end without a second allocation; files of /proc say 0.
  Buffer bytes(static_cast<std::size_t>(std::max<std::uint64_t>(expected + 1, 4096)), {});
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) bytes.resize(bytes.size() * 2);
    const ssize_t got = ::read(file.fd(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_reading(path, errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled > limit) throw too_large();
  }
  bytes.resize(filled);
  return bytes;
}

void sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const FileHandle handle(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Some file systems refuse to sync a folder; the rename itself is atomic all the same.
  if (handle.fd() >= 0) ::fsync(handle.fd());
}

// 0, or the errno of the step that failed.
int write_and_sync(const std::filesystem::path& path, const char* data, std::size_t size) {
  FileHandle file(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
  if (file.fd() < 0) return errno;
  std::size_t done = 0;
  while (done < size) {
    const ssize_t put = ::write(file.fd(), data + done, size - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    done += static_cast<std::size_t>(put);
  }
  if (::fsync(file.fd()) != 0) return errno;
  return file.close() == 0 ? 0 : errno;
}

void write_bytes(const std::filesystem::path& path, const char* data, std::size_t size) {
  std::filesystem::path partial = path;
  partial += ".partial";
  int code = write_and_sync(partial, data, size);
  if (code == 0 && ::rename(partial.c_str(), path.c_str()) != 0) code = errno;
  if (code == 0) {
    sync_folder_of(path);
    return;
  }
  ::unlink(partial.c_str());
  throw Error(ErrorKind::storage, path.string() + ": can't be written: " + reason_of(code));
}

}  // namespace

std::vector<std::uint8_t> read_file(const std::filesystem::path& path, std::uint64_t limit) {
  return read_all<std::vector<std::uint8_t>>(path, limit);
}

std::string read_text(const std::filesystem::path& path, std::uint64_t limit) {
  return read_all<std::string>(path, limit);
}

void write_atomically(const std::filesystem::path& path, std::string_view bytes) {
  write_bytes(path, bytes.data(), bytes.size());
}

void write_atomically(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes) {
  write_bytes(path, reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::uint64_t free_bytes(const std::filesystem::path& path) {
  std::filesystem::path existing = std::filesystem::absolute(path);
  std::error_code ignored;
  while (!std::filesystem::exists(existing, ignored) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  struct statvfs status {};
  if (::statvfs(existing.c_str(), &status) != 0) {
    throw Error(ErrorKind::storage,
                existing.string() + ": free space is unknown: " + reason_of(errno));
  }
  return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

}  // namespace assay
