// Labelled image sets in the formats people have: IDX (the MNIST family), CIFAR binaries, folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay {

// N images of one size, planar: pixels[((n * channels + c) * height + y) * width + x].
struct ImageSet {
  std::int64_t count = 0;
  int channels = 1, height = 0, width = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::int64_t> labels;  // as long as count
  std::vector<std::string> classes;  // names; "0", "1", ... where the format has none
};

// IDX, plain or gzip. Throws unreadable (magic, sizes, truncation), bad_input when the counts of
// images and labels differ.
ImageSet read_idx(const std::filesystem::path& images, const std::filesystem::path& labels);
// Records of 1 label byte + 3072 pixels (CIFAR-10) or, when `coarse` labels precede, 2 + 3072
// (CIFAR-100, the fine label is used). Plain or gzip; several files are appended.
ImageSet read_cifar(const std::vector<std::filesystem::path>& files, bool cifar100 = false);
// folder/<class>/<image>.png|jpg, classes in alphabetical order, images in alphabetical order,
// resized (shorter side, bilinear, antialiased) and centre-cropped to `side`; `channels` 1 or 3.
ImageSet read_image_folder(const std::filesystem::path& folder, int side, int channels);
// CSV of pixel columns then one label column, no header, e.g. the 8x8 digits (values 0..maximum).
ImageSet read_pixel_csv(const std::filesystem::path& file, int height, int width, double maximum);
ImageSet parse_pixel_csv(const std::string& text, const std::string& name, int height, int width,
                         double maximum);

// What a path holds, by looking: "idx", "cifar", "folder", "csv", or "" when it is none.
std::string image_set_kind(const std::filesystem::path& path);

}  // namespace assay
