// Reading zip archives held in memory, zip64 included. Private to core/formats.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct ZipEntry {
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::uint16_t flags = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, unpacked = 0;  // bytes
  std::uint64_t local_header = 0;          // its offset in the file
};

class ZipArchive {
 public:
  // Reads the central directory. Throws unreadable naming the file for damage, an entry twice, or
  // entries whose packed sizes add up to more than the file (overlapping: a zip bomb). `bytes`
  // must outlive the archive.
  ZipArchive(std::span<const std::uint8_t> bytes, std::string name);

  const std::map<std::string, ZipEntry>& entries() const { return entries_; }
  bool contains(const std::string& entry) const { return entries_.contains(entry); }
  // Unpacks one entry and checks its size and checksum. Throws unreadable naming file and entry.
  std::vector<std::uint8_t> read(const std::string& entry) const;

 private:
  struct Directory {
    std::uint64_t entries = 0, bytes = 0, offset = 0;
  };
  Directory find_directory() const;
  Directory find_zip64_directory(std::size_t end_record) const;
  void read_directory(const Directory& directory);
  std::span<const std::uint8_t> packed_bytes(const std::string& name, const ZipEntry& entry) const;

  std::span<const std::uint8_t> bytes_;
  std::string name_;
  std::map<std::string, ZipEntry> entries_;
};

}  // namespace assay
