// 8-bit images as values; PNG and JPEG (libpng, libjpeg-turbo).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay {

// Rows from the top, channels interleaved: pixels[(y * width + x) * channels + c].
struct Image {
  int width = 0, height = 0;
  int channels = 1;  // 1 grey, 3 RGB, 4 RGBA
  std::vector<std::uint8_t> pixels;
};

// Refuses (unreadable) damaged or truncated files and more than 100 million pixels. 16-bit, palette
// and interlaced PNG come as 8-bit. JPEG as grey or RGB.
Image read_png(const std::filesystem::path& path);
Image read_jpeg(const std::filesystem::path& path);
Image read_image(const std::filesystem::path& path);  // by content, not by name
Image decode_png(const std::vector<std::uint8_t>& bytes, const std::string& name);
Image decode_jpeg(const std::vector<std::uint8_t>& bytes, const std::string& name);
void write_png(const std::filesystem::path& path, const Image& image);  // atomic
std::vector<std::uint8_t> encode_png(const Image& image);

// Lays images of one size out in a grid with a gap of `gap` white pixels.
Image contact_sheet(const std::vector<Image>& images, int columns, int gap = 2);

}  // namespace assay
