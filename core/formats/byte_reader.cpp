// The bounds-checked cursor of the readers.
#include "core/formats/byte_reader.h"

#include <fmt/format.h>

#include "core/base/error.h"

namespace assay {

void ByteReader::seek(std::uint64_t offset, std::string_view what) {
  if (offset > bytes_.size())
    refuse(fmt::format("{} should stand at byte {}, but the file ends at {}", what, offset,
                       bytes_.size()));
  position_ = static_cast<std::size_t>(offset);
}

std::span<const std::uint8_t> ByteReader::take(std::uint64_t count, std::string_view what) {
  if (count > left())
    refuse(fmt::format("truncated: {} bytes of {} should stand at byte {}, {} are left", count,
                       what, position_, left()));
  const auto part = bytes_.subspan(position_, static_cast<std::size_t>(count));
  position_ += static_cast<std::size_t>(count);
  return part;
}

void ByteReader::refuse(const std::string& message) const {
  throw Error(ErrorKind::unreadable, name_ + ": " + message);
}

bool multiply_checked(std::uint64_t a, std::uint64_t b, std::uint64_t& product) {
  if (b != 0 && a > UINT64_MAX / b) return false;
  product = a * b;
  return true;
}

}  // namespace assay
