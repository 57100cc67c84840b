// Unpacking of gzip data in memory, with a bound on what comes out.
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/base/files.h"

namespace assay {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 16;

class Inflater {
 public:
  Inflater() { ready_ = ::inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK; }
  ~Inflater() {
    if (ready_) ::inflateEnd(&stream);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  bool ready() const { return ready_; }
  z_stream stream{};

 private:
  bool ready_ = false;
};

bool is_gzip(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  return bytes.size() >= at + 2 && bytes[at] == 0x1f && bytes[at + 1] == 0x8b;
}

}  // namespace

std::vector<std::uint8_t> gunzip_if_needed(std::vector<std::uint8_t> bytes, const std::string& name,
                                           std::uint64_t limit) {
  if (!is_gzip(bytes, 0)) return bytes;
  const auto damaged = [&](const std::string& how) {
    return Error(ErrorKind::unreadable, name + ": damaged gzip data: " + how);
  };
  Inflater inflater;
  if (!inflater.ready()) throw Error(ErrorKind::failed, name + ": zlib can't be started");
  z_stream& stream = inflater.stream;
  std::vector<std::uint8_t> out;
  std::vector<std::uint8_t> chunk(chunk_bytes);
  std::size_t fed = 0;  // bytes handed to zlib so far; it counts in 32 bits, hence the pieces
  while (true) {
    if (stream.avail_in == 0 && fed < bytes.size()) {
      const std::size_t piece = std::min(bytes.size() - fed, std::size_t{1} << 30);
      stream.next_in = bytes.data() + fed;
      stream.avail_in = static_cast<uInt>(piece);
      fed += piece;
    }
    stream.next_out = chunk.data();
    stream.avail_out = static_cast<uInt>(chunk.size());
    const int code = ::inflate(&stream, Z_NO_FLUSH);
    const std::size_t got = chunk.size() - stream.avail_out;
    if (out.size() + got > limit) {
      throw Error(ErrorKind::unreadable,
                  name + ": unpacks to more than the limit of " + std::to_string(limit) + " bytes");
    }
    out.insert(out.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(got));
    if (code == Z_STREAM_END) {
      // Several members one after another are one file (RFC 1952, 2.2); padding with zeros is
      // what tape-like writers leave behind.
      const std::size_t used = fed - stream.avail_in;
      const auto rest = bytes.begin() + static_cast<std::ptrdiff_t>(used);
      if (std::all_of(rest, bytes.end(), [](std::uint8_t byte) { return byte == 0; })) return out;
      if (!is_gzip(bytes, used)) throw damaged("something else follows its end");
      if (::inflateReset(&stream) != Z_OK) throw damaged("a second member can't be read");
      continue;
    }
    const bool starved = stream.avail_in == 0 && fed == bytes.size() && got == 0;
    if (starved && (code == Z_OK || code == Z_BUF_ERROR)) throw damaged("it ends too early");
    if (code != Z_OK && code != Z_BUF_ERROR) {
      throw damaged(stream.msg != nullptr ? stream.msg : "unknown fault");
    }
  }
}

}  // namespace assay
