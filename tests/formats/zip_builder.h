// Makes small zip archives with stored entries, on request with zip64 records throughout.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::test {

using ZipContents = std::vector<std::pair<std::string, std::vector<std::uint8_t>>>;

class ZipBuilder {
 public:
  explicit ZipBuilder(bool zip64) : zip64_(zip64) {}

  std::vector<std::uint8_t> build(const ZipContents& contents) {
    std::vector<std::uint8_t> directory;
    for (const auto& [name, data] : contents) {
      const std::size_t offset = out_.size();
      const auto crc = static_cast<std::uint32_t>(
          crc32(crc32(0, nullptr, 0), data.data(), static_cast<uInt>(data.size())));
      local_header(name, data.size(), crc);
      out_.insert(out_.end(), data.begin(), data.end());
      std::swap(out_, directory);
      central_header(name, data.size(), crc, offset);
      std::swap(out_, directory);
    }
    const std::size_t offset = out_.size();
    out_.insert(out_.end(), directory.begin(), directory.end());
    end(contents.size(), directory.size(), offset);
    return out_;
  }

 private:
  void put(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void put(const std::string& text) { out_.insert(out_.end(), text.begin(), text.end()); }

  void local_header(const std::string& name, std::size_t size, std::uint32_t crc) {
    put(0x04034b50, 4);
    put(0, 10);  // version, flags, method 0, time, date
    put(crc, 4);
    put(size, 4);
    put(size, 4);
    put(name.size(), 2);
    put(0, 2);
    put(name);
  }

  void central_header(const std::string& name, std::size_t size, std::uint32_t crc,
                      std::size_t offset) {
    put(0x02014b50, 4);
    put(0, 12);  // versions, flags, method 0, time, date
    put(crc, 4);
    put(zip64_ ? 0xFFFFFFFF : size, 4);
    put(zip64_ ? 0xFFFFFFFF : size, 4);
    put(name.size(), 2);
    put(zip64_ ? 28 : 0, 2);
    put(0, 10);  // comment, disk, attributes
    put(zip64_ ? 0xFFFFFFFF : offset, 4);
    put(name);
    if (!zip64_) return;
    put(1, 2);
    put(24, 2);
    put(size, 8);
    put(size, 8);
    put(offset, 8);
  }

  void end(std::size_t entries, std::size_t bytes, std::size_t offset) {
    if (zip64_) {
      const std::size_t record = out_.size();
      put(0x06064b50, 4);
      put(44, 8);
      put(0, 12);  // versions, disks
      put(entries, 8);
      put(entries, 8);
      put(bytes, 8);
      put(offset, 8);
      put(0x07064b50, 4);
      put(0, 4);
      put(record, 8);
      put(1, 4);
    }
    put(0x06054b50, 4);
    put(0, 4);
    put(zip64_ ? 0xFFFF : entries, 2);
    put(zip64_ ? 0xFFFF : entries, 2);
    put(zip64_ ? 0xFFFFFFFF : bytes, 4);
    put(zip64_ ? 0xFFFFFFFF : offset, 4);
    put(0, 2);
  }

  bool zip64_;
  std::vector<std::uint8_t> out_;
};

inline std::vector<std::uint8_t> build_zip(const ZipContents& contents, bool zip64 = false) {
  return ZipBuilder(zip64).build(contents);
}

}  // namespace assay::test
