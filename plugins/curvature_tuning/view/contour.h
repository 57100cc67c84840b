// The line where a sampled function crosses a level (marching squares), as one path with gaps.
#pragma once

#include <vector>

namespace assay::curvature_tuning {

struct Grid {
  int columns = 0, rows = 0;
  std::vector<double> values;  // values[row * columns + column]; row 0 lies at y_low
  double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;  // of the first and last samples
};

struct Path {
  std::vector<double> x, y;  // NaN between separate pieces
};

Path contour(const Grid& grid, double level);

}  // namespace assay::curvature_tuning
