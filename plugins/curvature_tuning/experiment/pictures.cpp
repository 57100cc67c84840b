#include "plugins/curvature_tuning/experiment/pictures.h"

#include <algorithm>
#include <cmath>

namespace assay::curvature_tuning {
namespace {

constexpr Color white = {255, 255, 255};
constexpr Color ink = {27, 31, 36};
constexpr Color no_value = {225, 228, 232};
// Okabe and Ito's blue and vermilion: told apart by every kind of colour vision.
constexpr std::array<Color, 2> class_colors = {Color{0, 114, 178}, Color{213, 94, 0}};

std::uint8_t byte_of(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

Color mixed(const Color& a, const Color& b, double share) {
  Color color{};
  for (std::size_t i = 0; i < 3; ++i) color[i] = byte_of(a[i] + (b[i] - a[i]) * share);
  return color;
}

template <std::size_t Count>
Color along(const std::array<Color, Count>& anchors, double share) {
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(Count - 1);
  const auto first = std::min(static_cast<std::size_t>(position), Count - 2);
  return mixed(anchors[first], anchors[first + 1], position - static_cast<double>(first));
}

Image blank(int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  image.channels = 3;
  image.pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3, 255);
  return image;
}

void put_pixel(Image& image, int x, int y, const Color& color) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                   static_cast<std::size_t>(x)) *
                  3;
  std::copy(color.begin(), color.end(), image.pixels.begin() + static_cast<std::ptrdiff_t>(at));
}

void put_disc(Image& image, double x, double y, double radius, const Color& color) {
  const int reach = static_cast<int>(std::ceil(radius));
  const int centre_x = static_cast<int>(std::lround(x));
  const int centre_y = static_cast<int>(std::lround(y));
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      if (dx * dx + dy * dy <= radius * radius + 0.3) {
        put_pixel(image, centre_x + dx, centre_y + dy, color);
      }
    }
  }
}

// Bilinear between the four neighbours; `u`, `v` from 0 to 1.
double sample(const Field& field, double u, double v) {
  const double x = std::clamp(u, 0.0, 1.0) * (field.columns - 1);
  const double y = std::clamp(v, 0.0, 1.0) * (field.rows - 1);
  const int column = std::min(static_cast<int>(x), std::max(field.columns - 2, 0));
  const int row = std::min(static_cast<int>(y), std::max(field.rows - 2, 0));
  const auto value = [&](int c, int r) {
    const int inside_c = std::min(c, field.columns - 1);
    const int inside_r = std::min(r, field.rows - 1);
    return static_cast<double>(
        field.values[static_cast<std::size_t>(inside_r) * static_cast<std::size_t>(field.columns) +
                     static_cast<std::size_t>(inside_c)]);
  };
  const double fx = x - column;
  const double fy = y - row;
  const double below = value(column, row) * (1 - fx) + value(column + 1, row) * fx;
  const double above = value(column, row + 1) * (1 - fx) + value(column + 1, row + 1) * fx;
  return below * (1 - fy) + above * fy;
}

// The field on every pixel, first row at the top.
std::vector<double> on_pixels(const Field& field, int side) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      values.push_back(
          sample(field, (x + 0.5) / side, 1.0 - (y + 0.5) / static_cast<double>(side)));
    }
  }
  return values;
}

struct Mapping {
  const Field& limits;
  int width, height;
  double x(double value) const {
    return (value - limits.x_low) / (limits.x_high - limits.x_low) * width;
  }
  double y(double value) const {
    return (1.0 - (value - limits.y_low) / (limits.y_high - limits.y_low)) * height;
  }
};

void put_dots(Image& image, const Mapping& mapping, const Dots& dots, double radius, bool rim) {
  for (std::size_t i = 0; i < dots.x.size(); ++i) {
    const double x = mapping.x(static_cast<double>(dots.x[i]));
    const double y = mapping.y(static_cast<double>(dots.y[i]));
    const int label = i < dots.labels.size() ? dots.labels[i] : 0;
    if (rim) put_disc(image, x, y, radius + 1, white);
    put_disc(image, x, y, radius, class_colors[label == 0 ? 0 : 1]);
  }
}

}  // namespace

Color viridis(double share) {
  static constexpr std::array<Color, 9> anchors = {
      Color{68, 1, 84},    Color{71, 44, 122},  Color{59, 81, 139},
      Color{44, 113, 142}, Color{33, 144, 141}, Color{39, 173, 129},
      Color{92, 200, 99},  Color{170, 220, 50}, Color{253, 231, 37}};
  return std::isnan(share) ? no_value : along(anchors, share);
}

Color diverging(double share) {
  static constexpr std::array<Color, 5> anchors = {Color{70, 140, 190}, Color{160, 200, 226},
                                                   Color{246, 247, 249}, Color{240, 194, 164},
                                                   Color{220, 130, 80}};
  return std::isnan(share) ? no_value : along(anchors, (share + 1.0) / 2.0);
}

Image boundary_picture(const Field& logits, const Dots& dots, int side) {
  Image image = blank(side, side);
  const std::vector<double> values = on_pixels(logits, side);
  const auto at = [&](int x, int y) {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) +
                  static_cast<std::size_t>(x)];
  };
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) put_pixel(image, x, y, diverging(std::tanh(at(x, y) / 3.0)));
  }
  for (int y = 0; y + 1 < side; ++y) {
    for (int x = 0; x + 1 < side; ++x) {
      const bool inside = at(x, y) > 0.0;
      if (inside == (at(x + 1, y) > 0.0) && inside == (at(x, y + 1) > 0.0)) continue;
      put_disc(image, x, y, 1.0, ink);
    }
  }
  put_dots(image, {logits, side, side}, dots, dots.x.size() > 600 ? 1.5 : 2.5, true);
  return image;
}

Image heat_picture(const Field& field, double low, double high, int side) {
  Image image = blank(side, side);
  const std::vector<double> values = on_pixels(field, side);
  const double span = high > low ? high - low : 1.0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const double value = values[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) +
                                  static_cast<std::size_t>(x)];
      put_pixel(image, x, y, viridis((value - low) / span));
    }
  }
  return image;
}

Image curve_picture(const Field& limits, const Dots& dots, const std::vector<Curve>& curves,
                    int width, int height) {
  Image image = blank(width, height);
  const Mapping mapping{limits, width, height};
  put_dots(image, mapping, dots, 1.5, false);
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i + 1 < curve.x.size(); ++i) {
      const double x0 = mapping.x(static_cast<double>(curve.x[i]));
      const double y0 = mapping.y(static_cast<double>(curve.y[i]));
      const double dx = mapping.x(static_cast<double>(curve.x[i + 1])) - x0;
      const double dy = mapping.y(static_cast<double>(curve.y[i + 1])) - y0;
      const double length = std::max(std::abs(dx), std::abs(dy));
      if (!std::isfinite(length)) continue;
      // A diverged fit may leave the picture by far; what lies outside isn't drawn.
      const int count = std::clamp(static_cast<int>(std::ceil(length)), 1, 4 * (width + height));
      for (int k = 0; k <= count; ++k) {
        const double share = static_cast<double>(k) / count;
        const double y = y0 + dy * share;
        if (y < -10.0 || y > height + 10.0) continue;
        put_disc(image, x0 + dx * share, y, curve.thickness / 2.0, curve.color);
      }
    }
  }
  return image;
}

Image matrix_picture(const std::vector<float>& values, int columns, int rows, double low,
                     double high, int cell_width, int cell_height) {
  Image image = blank(columns * cell_width, rows * cell_height);
  const double span = high > low ? high - low : 1.0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto at =
          static_cast<std::size_t>(y / cell_height) * static_cast<std::size_t>(columns) +
          static_cast<std::size_t>(x / cell_width);
      put_pixel(image, x, y, viridis((static_cast<double>(values[at]) - low) / span));
    }
  }
  return image;
}

Image stacked(const std::vector<Image>& images, int gap) {
  int width = 1;
  int height = 0;
  for (const Image& image : images) {
    width = std::max(width, image.width);
    height += image.height + (height == 0 ? 0 : gap);
  }
  Image all = blank(width, std::max(height, 1));
  int top = 0;
  for (const Image& image : images) {
    const Image rgb = enlarged(image, 1);
    const auto row_bytes = static_cast<std::ptrdiff_t>(rgb.width) * 3;
    for (int y = 0; y < rgb.height; ++y) {
      std::copy_n(rgb.pixels.begin() + y * row_bytes, row_bytes,
                  all.pixels.begin() + (static_cast<std::ptrdiff_t>(top) + y) * width * 3);
    }
    top += image.height + gap;
  }
  return all;
}

Image enlarged(const Image& image, int factor) {
  Image large = blank(image.width * factor, image.height * factor);
  const auto channels = static_cast<std::size_t>(image.channels);
  for (int y = 0; y < large.height; ++y) {
    for (int x = 0; x < large.width; ++x) {
      const auto at =
          (static_cast<std::size_t>(y / factor) * static_cast<std::size_t>(image.width) +
           static_cast<std::size_t>(x / factor)) *
          channels;
      const std::uint8_t grey = image.pixels[at];
      const bool color = image.channels >= 3;
      put_pixel(large, x, y,
                {grey, color ? image.pixels[at + 1] : grey, color ? image.pixels[at + 2] : grey});
    }
  }
  return large;
}

Image framed(const Image& image, Color color, int thickness) {
  Image large = blank(image.width + 2 * thickness, image.height + 2 * thickness);
  for (int y = 0; y < large.height; ++y) {
    for (int x = 0; x < large.width; ++x) put_pixel(large, x, y, color);
  }
  const Image rgb = enlarged(image, 1);
  const auto row_bytes = static_cast<std::ptrdiff_t>(rgb.width) * 3;
  for (int y = 0; y < rgb.height; ++y) {
    const auto target = (static_cast<std::ptrdiff_t>(y + thickness) * large.width + thickness) * 3;
    std::copy_n(rgb.pixels.begin() + y * row_bytes, row_bytes, large.pixels.begin() + target);
  }
  return large;
}

}  // namespace assay::curvature_tuning
