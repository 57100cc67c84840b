// SHA-256 by OpenSSL's digest interface.
#include "core/base/sha256.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "core/base/error.h"

namespace assay {

struct Sha256::Context {
  EVP_MD_CTX* digest = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(digest); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  if (context_->digest == nullptr ||
      EVP_DigestInit_ex(context_->digest, EVP_sha256(), nullptr) != 1) {
    throw Error(ErrorKind::failed, "OpenSSL can't start a SHA-256 digest");
  }
}

Sha256::~Sha256() = default;

void Sha256::update(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  if (EVP_DigestUpdate(context_->digest, data, bytes) != 1) {
    throw Error(ErrorKind::failed, "OpenSSL can't go on with a SHA-256 digest");
  }
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(context_->digest, raw.data(), &size) != 1) {
    throw Error(ErrorKind::failed, "OpenSSL can't end a SHA-256 digest");
  }
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(std::size_t{2} * size);
  for (unsigned int i = 0; i < size; ++i) {
    text += digits[raw[i] >> 4];
    text += digits[raw[i] & 15];
  }
  return text;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  // In pieces: weight and data files may be larger than memory.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const auto fail = [&](int code) {
    if (fd >= 0) ::close(fd);
    if (code == ENOENT || code == ENOTDIR) {
      throw Error(ErrorKind::not_found, path.string() + ": no such file");
    }
    throw Error(ErrorKind::storage,
                path.string() + ": can't be read: " + std::generic_category().message(code));
  };
  if (fd < 0) fail(errno);
  struct stat status {};
  if (::fstat(fd, &status) != 0) fail(errno);
  if (!S_ISREG(status.st_mode)) {
    ::close(fd);
    throw Error(ErrorKind::unreadable, path.string() + ": is no regular file");
  }
  Sha256 digest;
  std::vector<char> piece(std::size_t{1} << 20);
  while (true) {
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) break;
    digest.update(piece.data(), static_cast<std::size_t>(got));
  }
  ::close(fd);
  return digest.hex();
}

}  // namespace assay
