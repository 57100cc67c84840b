// A bounds-checked cursor over bytes from a file: every read says what it wanted and, when the
// bytes are not there, refuses with the file's name and the offset. Private to core/formats.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace assay {

class ByteReader {
 public:
  ByteReader(std::span<const std::uint8_t> bytes, std::string name)
      : bytes_(bytes), name_(std::move(name)) {}

  std::size_t size() const { return bytes_.size(); }
  std::size_t position() const { return position_; }
  std::size_t left() const { return bytes_.size() - position_; }
  const std::string& name() const { return name_; }

  // Throws unreadable when `offset` lies behind the end.
  void seek(std::uint64_t offset, std::string_view what);
  // The next `count` bytes; throws unreadable when fewer are left.
  std::span<const std::uint8_t> take(std::uint64_t count, std::string_view what);
  std::uint8_t u8(std::string_view what) { return take(1, what)[0]; }
  // An unsigned integer of type T, least (little) or most (big) significant byte first.
  template <std::unsigned_integral T>
  T little(std::string_view what) {
    T value = 0;
    const auto bytes = take(sizeof(T), what);
    for (std::size_t i = sizeof(T); i-- > 0;) value = static_cast<T>((value << 8) | bytes[i]);
    return value;
  }
  template <std::unsigned_integral T>
  T big(std::string_view what) {
    T value = 0;
    for (const std::uint8_t byte : take(sizeof(T), what))
      value = static_cast<T>((value << 8) | byte);
    return value;
  }
  // Throws Error(unreadable): "NAME: MESSAGE".
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  std::span<const std::uint8_t> bytes_;
  std::string name_;
  std::size_t position_ = 0;
};

// a * b into `product`; false when it does not fit.
bool multiply_checked(std::uint64_t a, std::uint64_t b, std::uint64_t& product);

}  // namespace assay
