// Packing with gzip by zlib.
#include "core/formats/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "core/base/error.h"

namespace assay {

std::vector<std::uint8_t> gzip(const std::vector<std::uint8_t>& bytes) {
  constexpr int gzip_wrapper = 16;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_wrapper, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(ErrorKind::failed, "zlib did not start");
  std::vector<std::uint8_t> out;
  std::array<std::uint8_t, 65'536> buffer{};
  std::size_t given = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    if (stream.avail_in == 0 && given < bytes.size()) {
      const std::size_t part = std::min<std::size_t>(1U << 30, bytes.size() - given);
      stream.next_in = const_cast<Bytef*>(bytes.data() + given);  // zlib's field lacks const
      stream.avail_in = static_cast<uInt>(part);
      given += part;
    }
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<uInt>(buffer.size());
    state = deflate(&stream, given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    out.insert(out.end(), buffer.begin(),
               buffer.end() - static_cast<std::ptrdiff_t>(stream.avail_out));
  }
  deflateEnd(&stream);
  if (state != Z_STREAM_END) throw Error(ErrorKind::failed, "zlib could not pack the data");
  return out;
}

}  // namespace assay
