// One curve at full length, and its thinned form for a given width in pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

struct PlotPoint {
  double x = 0.0;
  double y = 0.0;  // NaN: a gap
  bool operator==(const PlotPoint&) const = default;
};

struct PlotRange {
  double low = 0.0, high = 0.0;
  bool valid = false;
  void include(double value);
  void include(const PlotRange& other);
};

// Points in order of x. A min/max pyramid over y answers "extremes of points a to b" in logarithmic
// time, so that a million points pan as easily as a thousand.
class Curve {
 public:
  // Sorts by x when needed (stable). Points whose x is not finite are dropped; a y that is not
  // finite stays as a gap. `positive_only`: values <= 0 become gaps (logarithmic axis).
  void assign(std::vector<double> x, std::vector<double> y, bool positive_only = false);
  // Points with x at or after the last one: the pyramid grows at its end only.
  void append(double x, double y);

  std::size_t size() const { return x_.size(); }
  bool empty() const { return x_.empty(); }
  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }
  PlotRange x_range(bool positive_only = false) const;
  PlotRange y_range() const;  // of what is finite

  // At most four points for each of `columns` equal slices of [low, high] (equal in the logarithm
  // with log_x): first, lowest, highest and last, in order of x, and one point more at either side
  // so that lines reach the border. All points when there are few. No extreme is lost.
  std::vector<PlotPoint> thinned(double low, double high, int columns, bool log_x = false) const;
  // Index of the point nearest to x; size() when empty.
  std::size_t nearest(double x) const;

 private:
  struct Extremes {
    std::uint32_t lowest, highest;  // indices; equal to `none` when nothing is finite
  };
  static constexpr std::uint32_t none = 0xffffffffU;
  static constexpr std::size_t fan = 16;  // points or blocks below each block
  void build(std::size_t from);
  void merge(Extremes& into, std::uint32_t lowest, std::uint32_t highest) const;
  Extremes extremes(std::size_t begin, std::size_t end) const;

  std::vector<double> x_, y_;
  std::vector<std::vector<Extremes>> levels_;
  bool positive_only_ = false;
};

// The line inside the rectangle, cut at its border; for vector formats, whose writer can't clip.
std::vector<PlotPoint> clip_line(const std::vector<PlotPoint>& line, double x_low, double x_high,
                                 double y_low, double y_high);

}  // namespace assay
