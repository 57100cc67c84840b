#include "plugins/curvature_tuning/view/contour.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace assay::curvature_tuning {
namespace {

struct Point {
  double x = 0.0, y = 0.0;
};

class Tracer {
 public:
  Tracer(const Grid& grid, double level) : grid_(grid), level_(level) {}

  void cell(int row, int column) {
    // Corners counter-clockwise from the lower left; a crossing lies on each side whose ends
    // differ.
    const std::array<Point, 4> at{{corner(row, column), corner(row, column + 1),
                                   corner(row + 1, column + 1), corner(row + 1, column)}};
    const std::array<double, 4> value{{height(row, column), height(row, column + 1),
                                       height(row + 1, column + 1), height(row + 1, column)}};
    std::array<Point, 4> crossing;
    std::size_t count = 0;
    for (std::size_t side = 0; side < 4; ++side) {
      const std::size_t next = (side + 1) % 4;
      if ((value[side] > 0.0) == (value[next] > 0.0)) continue;
      const double part = value[side] / (value[side] - value[next]);
      crossing[count++] = {at[side].x + part * (at[next].x - at[side].x),
                           at[side].y + part * (at[next].y - at[side].y)};
    }
    if (count == 2) segment(crossing[0], crossing[1]);
    if (count == 4) {  // a saddle: the centre decides which corners belong together
      const bool centre = value[0] + value[1] + value[2] + value[3] > 0.0;
      if (centre == (value[0] > 0.0)) {
        segment(crossing[0], crossing[1]);
        segment(crossing[2], crossing[3]);
      } else {
        segment(crossing[3], crossing[0]);
        segment(crossing[1], crossing[2]);
      }
    }
  }

  Path path;

 private:
  double height(int row, int column) const {
    return grid_.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.columns) +
                        static_cast<std::size_t>(column)] -
           level_;
  }
  Point corner(int row, int column) const {
    return {grid_.x_low + (grid_.x_high - grid_.x_low) * column / (grid_.columns - 1),
            grid_.y_low + (grid_.y_high - grid_.y_low) * row / (grid_.rows - 1)};
  }
  void segment(const Point& from, const Point& to) {
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    path.x.insert(path.x.end(), {from.x, to.x, to.x});
    path.y.insert(path.y.end(), {from.y, to.y, gap});
  }

  const Grid& grid_;
  double level_;
};

}  // namespace

Path contour(const Grid& grid, double level) {
  if (grid.columns < 2 || grid.rows < 2) return {};
  Tracer tracer(grid, level);
  for (int row = 0; row + 1 < grid.rows; ++row) {
    for (int column = 0; column + 1 < grid.columns; ++column) tracer.cell(row, column);
  }
  return std::move(tracer.path);
}

}  // namespace assay::curvature_tuning
