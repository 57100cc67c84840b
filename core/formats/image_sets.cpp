// Binary image sets (IDX, CIFAR) and pixel tables.
#include "core/formats/image_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/formats/byte_reader.h"
#include "core/formats/table.h"

namespace assay {
namespace {

constexpr std::uint64_t file_limit = std::uint64_t{4} << 30;
constexpr std::int64_t most_classes = 65'536;

std::vector<std::uint8_t> unpacked(const std::filesystem::path& path) {
  return gunzip_if_needed(read_file(path, file_limit), path.string(), file_limit);
}

std::vector<std::string> numbered_classes(std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

void name_classes_by_number(ImageSet& set) {
  const auto largest = std::max_element(set.labels.begin(), set.labels.end());
  set.classes = numbered_classes(largest == set.labels.end() ? 0 : *largest + 1);
}

// The IDX header: two zero bytes, type 0x08 (unsigned bytes), the number of dimensions, extents.
std::vector<std::uint64_t> idx_extents(ByteReader& reader, std::uint32_t dimensions,
                                       const char* holds) {
  const auto magic = reader.big<std::uint32_t>("the IDX header");
  if (magic != (0x0800U | dimensions))
    reader.refuse(fmt::format("magic number {:08x}; an IDX file of {} has {:08x}", magic, holds,
                              0x0800U | dimensions));
  std::vector<std::uint64_t> extents;
  for (std::uint32_t i = 0; i < dimensions; ++i)
    extents.push_back(reader.big<std::uint32_t>("the IDX header"));
  return extents;
}

void check_rest(const ByteReader& reader, std::uint64_t expected, const char* holds) {
  if (reader.left() < expected)
    reader.refuse(
        fmt::format("truncated: {} need {} bytes, {} are there", holds, expected, reader.left()));
  if (reader.left() > expected)
    reader.refuse(fmt::format("{} bytes behind the {}", reader.left() - expected, holds));
}

void append_cifar(const std::filesystem::path& file, bool cifar100, ImageSet& set) {
  constexpr std::size_t pixels = 3 * 32 * 32;
  const std::size_t record = pixels + (cifar100 ? 2 : 1);
  const std::int64_t classes = cifar100 ? 100 : 10;
  const auto bytes = unpacked(file);
  if (bytes.empty() || bytes.size() % record != 0)
    throw Error(ErrorKind::unreadable,
                fmt::format("{}: {} bytes are no whole number of {}-byte CIFAR-{} records "
                            "(truncated?)",
                            file.string(), bytes.size(), record, classes));
  set.pixels.reserve(set.pixels.size() + bytes.size() / record * pixels);
  for (std::size_t at = 0; at < bytes.size(); at += record) {
    const std::int64_t label = bytes[at + record - pixels - 1];
    if (label >= classes)
      throw Error(ErrorKind::unreadable, fmt::format("{}: record {}: label {} of {} classes",
                                                     file.string(), at / record, label, classes));
    set.labels.push_back(label);
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at + record - pixels);
    set.pixels.insert(set.pixels.end(), begin, begin + static_cast<std::ptrdiff_t>(pixels));
  }
}

double number_in(const std::string& cell, const std::string& name, std::size_t row,
                 std::size_t column) {
  double value = 0;
  const auto [end, fault] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (fault != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
    throw Error(ErrorKind::unreadable, fmt::format("{}: row {}, column {}: \"{}\" is no number",
                                                   name, row + 1, column + 1, cell.substr(0, 40)));
  return value;
}

}  // namespace

ImageSet read_idx(const std::filesystem::path& images, const std::filesystem::path& labels) {
  const auto image_bytes = unpacked(images);
  ByteReader reader(image_bytes, images.string());
  const auto extents = idx_extents(reader, 3, "images");
  std::uint64_t area = 0, total = 0;
  if (extents[1] == 0 || extents[2] == 0 || extents[1] > 65'535 || extents[2] > 65'535 ||
      !multiply_checked(extents[1], extents[2], area) || !multiply_checked(extents[0], area, total))
    reader.refuse(fmt::format("images of {} x {}", extents[1], extents[2]));
  check_rest(reader, total, "images");

  const auto label_bytes = unpacked(labels);
  ByteReader label_reader(label_bytes, labels.string());
  const std::uint64_t label_count = idx_extents(label_reader, 1, "labels")[0];
  check_rest(label_reader, label_count, "labels");
  if (label_count != extents[0])
    throw Error(ErrorKind::bad_input,
                fmt::format("{} holds {} images, {} holds {} labels; they do not belong together",
                            images.string(), extents[0], labels.string(), label_count));
  ImageSet set;
  set.count = static_cast<std::int64_t>(extents[0]);
  set.height = static_cast<int>(extents[1]);
  set.width = static_cast<int>(extents[2]);
  const auto pixels = reader.take(total, "images");
  set.pixels.assign(pixels.begin(), pixels.end());
  const auto values = label_reader.take(label_count, "labels");
  set.labels.assign(values.begin(), values.end());
  name_classes_by_number(set);
  return set;
}

ImageSet read_cifar(const std::vector<std::filesystem::path>& files, bool cifar100) {
  if (files.empty()) throw Error(ErrorKind::bad_input, "no CIFAR file was named");
  ImageSet set;
  set.channels = 3;
  set.height = set.width = 32;
  for (const auto& file : files) append_cifar(file, cifar100, set);
  set.count = static_cast<std::int64_t>(set.labels.size());
  set.classes = numbered_classes(cifar100 ? 100 : 10);
  return set;
}

ImageSet parse_pixel_csv(const std::string& text, const std::string& name, int height, int width,
                         double maximum) {
  if (height < 1 || width < 1 || !(maximum > 0))
    throw Error(ErrorKind::bad_input, name + ": height, width and maximum must be positive");
  const Table table = parse_csv(text, name, false);
  const auto pixels = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  if (table.columns.size() != pixels + 1)
    throw Error(ErrorKind::unreadable,
                fmt::format("{}: {} columns; {} x {} pixels and a label are {}", name,
                            table.columns.size(), height, width, pixels + 1));
  ImageSet set;
  set.height = height;
  set.width = width;
  set.count = static_cast<std::int64_t>(table.rows.size());
  set.pixels.reserve(table.rows.size() * pixels);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto& cells = table.rows[row];
    for (std::size_t i = 0; i < pixels; ++i) {
      const double value = number_in(cells[i], name, row, i);
      if (value < 0 || value > maximum)
        throw Error(ErrorKind::unreadable,
                    fmt::format("{}: row {}, column {}: {} is not in 0 to {}", name, row + 1, i + 1,
                                shortest(value), shortest(maximum)));
      set.pixels.push_back(static_cast<std::uint8_t>(std::lround(value / maximum * 255)));
    }
    const double label = number_in(cells[pixels], name, row, pixels);
    if (label < 0 || label >= static_cast<double>(most_classes) || label != std::floor(label))
      throw Error(ErrorKind::unreadable, fmt::format("{}: row {}: \"{}\" is no class number", name,
                                                     row + 1, cells[pixels].substr(0, 40)));
    set.labels.push_back(static_cast<std::int64_t>(label));
  }
  name_classes_by_number(set);
  return set;
}

ImageSet read_pixel_csv(const std::filesystem::path& file, int height, int width, double maximum) {
  const auto bytes = unpacked(file);
  return parse_pixel_csv(std::string(bytes.begin(), bytes.end()), file.string(), height, width,
                         maximum);
}

}  // namespace assay
