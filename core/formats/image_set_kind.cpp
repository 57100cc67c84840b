// Finds out what kind of image set a path holds from a look at its first bytes and its size.
#include <zlib.h>

#include <array>
#include <charconv>
#include <fstream>
#include <memory>
#include <string_view>

#include "core/formats/image_sets.h"

namespace assay {

bool is_image_folder(const std::filesystem::path& folder);  // image_folder.cpp

namespace {

struct Glimpse {
  std::string start;        // the first bytes, unpacked
  std::uint64_t bytes = 0;  // unpacked size
};

// zlib's gz functions read plain files as they are.
std::string unpacked_start(const std::filesystem::path& path) {
  std::array<char, 16384> buffer{};
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return {};
  const int count = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
  return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : std::string();
}

// The last four bytes of a gzip file are its unpacked size (modulo 4 GiB).
std::uint64_t unpacked_size(const std::filesystem::path& path, std::uint64_t packed_size) {
  std::ifstream file(path, std::ios::binary);
  std::array<unsigned char, 4> bytes{};
  const auto read = [&] { file.read(reinterpret_cast<char*>(bytes.data()), 4); };
  read();
  if (!file || bytes[0] != 0x1f || bytes[1] != 0x8b) return packed_size;
  file.seekg(-4, std::ios::end);
  read();
  if (!file) return packed_size;
  return static_cast<std::uint64_t>(bytes[0]) | static_cast<std::uint64_t>(bytes[1]) << 8 |
         static_cast<std::uint64_t>(bytes[2]) << 16 | static_cast<std::uint64_t>(bytes[3]) << 24;
}

bool is_idx(std::string_view start) {
  return start.size() >= 8 && start.substr(0, 3) == std::string_view("\0\0\x08", 3) &&
         (start[3] == 1 || start[3] == 3);
}

// Labels of the records within sight must be class numbers.
bool is_cifar(const Glimpse& glimpse, std::size_t label_bytes, int classes) {
  const std::size_t record = 3072 + label_bytes;
  if (glimpse.bytes == 0 || glimpse.bytes % record != 0) return false;
  for (std::size_t at = label_bytes - 1; at < glimpse.start.size(); at += record)
    if (static_cast<unsigned char>(glimpse.start[at]) >= classes) return false;
  return true;
}

// The first line: at least two numbers with commas between them.
bool is_number_csv(std::string_view start) {
  std::string_view line = start.substr(0, start.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::size_t cells = 0;
  while (true) {
    const std::size_t comma = line.find(',');
    const std::string_view cell = line.substr(0, comma);
    double value = 0;
    const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (fault != std::errc() || end != cell.data() + cell.size()) return false;
    ++cells;
    if (comma == std::string_view::npos) return cells >= 2;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

std::string image_set_kind(const std::filesystem::path& path) {
  std::error_code fault;
  if (std::filesystem::is_directory(path, fault)) {
    try {
      return is_image_folder(path) ? "folder" : "";
    } catch (const std::exception&) {
      return "";
    }
  }
  if (!std::filesystem::is_regular_file(path, fault)) return "";
  const std::uint64_t packed = std::filesystem::file_size(path, fault);
  if (fault) return "";
  const Glimpse glimpse{.start = unpacked_start(path), .bytes = unpacked_size(path, packed)};
  if (is_idx(glimpse.start)) return "idx";
  if (is_number_csv(glimpse.start)) return "csv";
  if (is_cifar(glimpse, 1, 10) || is_cifar(glimpse, 2, 100)) return "cifar";
  return "";
}

}  // namespace assay
