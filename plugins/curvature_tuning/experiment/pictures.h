// Pictures made of numbers, as 8-bit images: boundaries, heat maps, curves, framed samples.
#pragma once

#include <array>
#include <vector>

#include "core/formats/image.h"

namespace assay::curvature_tuning {

using Color = std::array<std::uint8_t, 3>;

// Columns x rows values, the first row at the bottom, over [x_low, x_high] x [y_low, y_high].
struct Field {
  int columns = 0, rows = 0;
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
  std::vector<float> values;
};
struct Dots {
  std::vector<float> x, y;
  std::vector<int> labels;  // 0 or 1
};

Color viridis(double share);    // 0 to 1; NaN is light grey
Color diverging(double share);  // -1 to 1: blue, near white, orange

// Which side of zero and how far: the class of each place, a line where the value is zero, and the
// points.
Image boundary_picture(const Field& logits, const Dots& dots, int side = 484);
// `low` and `high` get the darkest and the lightest colour.
Image heat_picture(const Field& field, double low, double high, int side = 484);

struct Curve {
  std::vector<float> x, y;
  Color color{};
  int thickness = 1;
};
// White ground; the points first, then the curves in order. Limits are those of `field`.
Image curve_picture(const Field& limits, const Dots& dots, const std::vector<Curve>& curves,
                    int width = 640, int height = 400);

// Each cell of a matrix (row by row, from the top) as a square of `cell` pixels.
Image matrix_picture(const std::vector<float>& values, int columns, int rows, double low,
                     double high, int cell_width, int cell_height);
// One above the other with a white gap; narrower ones are filled with white.
Image stacked(const std::vector<Image>& images, int gap = 6);

// RGB, enlarged by a whole factor.
Image enlarged(const Image& image, int factor);
Image framed(const Image& image, Color color, int thickness = 2);

}  // namespace assay::curvature_tuning
