// What does not depend on the file format: choosing the decoder, laying images out.
#include "core/formats/image.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"

namespace assay {
namespace {

constexpr std::uint64_t image_file_limit = std::uint64_t{1} << 30;

bool looks_like_png(const std::vector<std::uint8_t>& bytes) {
  return bytes.size() >= 4 && bytes[0] == 0x89 && bytes[1] == 'P' && bytes[2] == 'N' &&
         bytes[3] == 'G';
}

bool looks_like_jpeg(const std::vector<std::uint8_t>& bytes) {
  return bytes.size() >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF;
}

}  // namespace

Image read_png(const std::filesystem::path& path) {
  return decode_png(read_file(path, image_file_limit), path.string());
}

Image read_jpeg(const std::filesystem::path& path) {
  return decode_jpeg(read_file(path, image_file_limit), path.string());
}

Image read_image(const std::filesystem::path& path) {
  const auto bytes = read_file(path, image_file_limit);
  if (looks_like_png(bytes)) return decode_png(bytes, path.string());
  if (looks_like_jpeg(bytes)) return decode_jpeg(bytes, path.string());
  throw Error(ErrorKind::unreadable, path.string() + ": neither PNG nor JPEG");
}

void write_png(const std::filesystem::path& path, const Image& image) {
  write_atomically(path, encode_png(image));
}

Image contact_sheet(const std::vector<Image>& images, int columns, int gap) {
  if (images.empty() || columns < 1 || gap < 0)
    throw Error(ErrorKind::bad_input, "a contact sheet needs images, a column and a gap >= 0");
  const Image& first = images.front();
  for (const Image& image : images)
    if (image.width != first.width || image.height != first.height ||
        image.channels != first.channels || image.pixels.size() != first.pixels.size())
      throw Error(ErrorKind::bad_input,
                  fmt::format("a contact sheet needs images of one size: {}x{}x{} beside {}x{}x{}",
                              image.width, image.height, image.channels, first.width, first.height,
                              first.channels));
  const int count = static_cast<int>(images.size());
  columns = std::min(columns, count);
  const int rows = (count + columns - 1) / columns;
  Image sheet;
  sheet.channels = first.channels;
  sheet.width = columns * first.width + (columns - 1) * gap;
  sheet.height = rows * first.height + (rows - 1) * gap;
  const auto channels = static_cast<std::size_t>(sheet.channels);
  const auto line = static_cast<std::size_t>(sheet.width) * channels;
  sheet.pixels.assign(line * static_cast<std::size_t>(sheet.height), 255);
  const auto cell_line = static_cast<std::size_t>(first.width) * channels;
  for (int i = 0; i < count; ++i) {
    const auto x = static_cast<std::size_t>(i % columns * (first.width + gap)) * channels;
    const auto y = static_cast<std::size_t>(i / columns * (first.height + gap));
    const auto& pixels = images[static_cast<std::size_t>(i)].pixels;
    for (std::size_t row = 0; row < static_cast<std::size_t>(first.height); ++row)
      std::copy_n(pixels.begin() + static_cast<std::ptrdiff_t>(row * cell_line), cell_line,
                  sheet.pixels.begin() + static_cast<std::ptrdiff_t>((y + row) * line + x));
  }
  return sheet;
}

}  // namespace assay
