// Antialiased bilinear resizing: a separable triangle filter.
#include "core/formats/image_resize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace assay {
namespace {

// Weights of the input samples first..first+weights.size() for one output sample.
struct Tap {
  int first = 0;
  std::vector<float> weights;
};

std::vector<Tap> triangle_taps(int from, int to) {
  const double scale = static_cast<double>(from) / to;
  const double support = std::max(scale, 1.0);  // antialiasing: as wide as an output sample
  std::vector<Tap> taps(static_cast<std::size_t>(to));
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(centre - support + 0.5));
    const int last = std::min(from, static_cast<int>(centre + support + 0.5));
    Tap& tap = taps[static_cast<std::size_t>(i)];
    tap.first = first;
    double sum = 0;
    std::vector<double> weights;
    for (int x = first; x < last; ++x) {
      const double distance = std::abs(x + 0.5 - centre) / support;
      weights.push_back(std::max(0.0, 1.0 - distance));
      sum += weights.back();
    }
    for (const double weight : weights) tap.weights.push_back(static_cast<float>(weight / sum));
  }
  return taps;
}

std::uint8_t rounded(float value) {
  return static_cast<std::uint8_t>(std::clamp(value + 0.5F, 0.0F, 255.0F));
}

Image resized_along_x(const Image& image, int width) {
  const std::vector<Tap> taps = triangle_taps(image.width, width);
  Image out{.width = width, .height = image.height, .channels = image.channels, .pixels = {}};
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::size_t line = static_cast<std::size_t>(image.width) * channels;
  out.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(image.height) *
                    channels);
  std::size_t at = 0;
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y)
    for (const Tap& tap : taps)
      for (std::size_t c = 0; c < channels; ++c) {
        const std::uint8_t* in =
            image.pixels.data() + y * line + static_cast<std::size_t>(tap.first) * channels + c;
        float sum = 0;
        for (std::size_t k = 0; k < tap.weights.size(); ++k)
          sum += tap.weights[k] * static_cast<float>(in[k * channels]);
        out.pixels[at++] = rounded(sum);
      }
  return out;
}

Image resized_along_y(const Image& image, int height) {
  const std::vector<Tap> taps = triangle_taps(image.height, height);
  Image out{.width = image.width, .height = height, .channels = image.channels, .pixels = {}};
  const std::size_t line =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels);
  out.pixels.resize(line * static_cast<std::size_t>(height));
  std::vector<float> sums(line);
  for (std::size_t y = 0; y < taps.size(); ++y) {
    const Tap& tap = taps[y];
    std::fill(sums.begin(), sums.end(), 0.0F);
    for (std::size_t k = 0; k < tap.weights.size(); ++k) {
      const std::uint8_t* in =
          image.pixels.data() + (static_cast<std::size_t>(tap.first) + k) * line;
      for (std::size_t i = 0; i < line; ++i) sums[i] += tap.weights[k] * static_cast<float>(in[i]);
    }
    for (std::size_t i = 0; i < line; ++i) out.pixels[y * line + i] = rounded(sums[i]);
  }
  return out;
}

std::uint8_t luma(const std::uint8_t* rgb) {
  return rounded(0.299F * static_cast<float>(rgb[0]) + 0.587F * static_cast<float>(rgb[1]) +
                 0.114F * static_cast<float>(rgb[2]));
}

}  // namespace

Image resize_antialiased(const Image& image, int width, int height) {
  if (width < 1 || height < 1 || image.width < 1 || image.height < 1)
    throw Error(ErrorKind::bad_input, fmt::format("cannot resize {} x {} to {} x {}", image.width,
                                                  image.height, width, height));
  if (image.width == width && image.height == height) return image;
  const Image narrow = image.width == width ? image : resized_along_x(image, width);
  return image.height == height ? narrow : resized_along_y(narrow, height);
}

Image resize_and_crop(const Image& image, int side) {
  const bool wide = image.width > image.height;
  const std::int64_t longer = std::max(image.width, image.height);
  const std::int64_t shorter = std::max(1, std::min(image.width, image.height));
  const std::int64_t stretched = longer * side / shorter;
  // A strip of a few pixels' height must not become a picture of gigabytes.
  if (stretched * side > 100'000'000)
    throw Error(ErrorKind::bad_input,
                fmt::format("{} x {} pixels cannot be brought to a side of {}", image.width,
                            image.height, side));
  const int other = static_cast<int>(stretched);
  const Image whole =
      wide ? resize_antialiased(image, other, side) : resize_antialiased(image, side, other);
  const auto left = static_cast<std::size_t>(std::lround((whole.width - side) / 2.0));
  const auto top = static_cast<std::size_t>(std::lround((whole.height - side) / 2.0));
  Image out{.width = side, .height = side, .channels = image.channels, .pixels = {}};
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::size_t line = static_cast<std::size_t>(side) * channels;
  out.pixels.reserve(line * static_cast<std::size_t>(side));
  for (std::size_t y = 0; y < static_cast<std::size_t>(side); ++y) {
    const auto begin = whole.pixels.begin() +
                       static_cast<std::ptrdiff_t>(
                           ((top + y) * static_cast<std::size_t>(whole.width) + left) * channels);
    out.pixels.insert(out.pixels.end(), begin, begin + static_cast<std::ptrdiff_t>(line));
  }
  return out;
}

Image with_channels(const Image& image, int channels) {
  if (channels != 1 && channels != 3)
    throw Error(ErrorKind::bad_input,
                fmt::format("an image set has 1 or 3 channels, not {}", channels));
  if (image.channels == channels) return image;
  Image out{.width = image.width, .height = image.height, .channels = channels, .pixels = {}};
  const auto from = static_cast<std::size_t>(image.channels);
  const std::size_t count = image.pixels.size() / from;
  out.pixels.reserve(count * static_cast<std::size_t>(channels));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* pixel = image.pixels.data() + i * from;
    if (channels == 1) {
      out.pixels.push_back(luma(pixel));
      continue;
    }
    for (std::size_t c = 0; c < 3; ++c) out.pixels.push_back(pixel[from == 1 ? 0 : c]);
  }
  return out;
}

}  // namespace assay
