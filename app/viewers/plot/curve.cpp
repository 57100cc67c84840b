// See curve.h.
#include "app/viewers/plot/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {

void PlotRange::include(double value) {
  if (!std::isfinite(value)) return;
  low = valid ? std::min(low, value) : value;
  high = valid ? std::max(high, value) : value;
  valid = true;
}

void PlotRange::include(const PlotRange& other) {
  if (!other.valid) return;
  include(other.low);
  include(other.high);
}

void Curve::assign(std::vector<double> x, std::vector<double> y, bool positive_only) {
  const std::size_t count = std::min(x.size(), y.size());
  x.resize(count);
  y.resize(count);
  positive_only_ = positive_only;
  const bool clean = std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  if (!clean || !std::is_sorted(x.begin(), x.end())) {
    std::vector<std::size_t> order;
    order.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isfinite(x[i])) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&x](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    std::vector<double> sorted_x, sorted_y;
    sorted_x.reserve(order.size());
    sorted_y.reserve(order.size());
    for (const std::size_t i : order) {
      sorted_x.push_back(x[i]);
      sorted_y.push_back(y[i]);
    }
    x = std::move(sorted_x);
    y = std::move(sorted_y);
  }
  for (double& value : y) {
    if (!std::isfinite(value) || (positive_only && value <= 0.0)) {
      value = std::numeric_limits<double>::quiet_NaN();
    }
  }
  x_ = std::move(x);
  y_ = std::move(y);
  levels_.clear();
  build(0);
}

void Curve::append(double x, double y) {
  if (!std::isfinite(x)) return;
  if (!std::isfinite(y) || (positive_only_ && y <= 0.0)) {
    y = std::numeric_limits<double>::quiet_NaN();
  }
  const auto place = std::upper_bound(x_.begin(), x_.end(), x) - x_.begin();
  x_.insert(x_.begin() + place, x);
  y_.insert(y_.begin() + place, y);
  build(static_cast<std::size_t>(place));
}

void Curve::merge(Extremes& into, std::uint32_t lowest, std::uint32_t highest) const {
  if (lowest == none) return;
  if (into.lowest == none || y_[lowest] < y_[into.lowest]) into.lowest = lowest;
  if (into.highest == none || y_[highest] > y_[into.highest]) into.highest = highest;
}

// Rebuilds the blocks that hold point `from` and all after it.
void Curve::build(std::size_t from) {
  std::size_t below = y_.size();
  std::size_t first = from;
  for (std::size_t level = 0; below > fan; ++level) {
    const std::size_t blocks = (below + fan - 1) / fan;
    first /= fan;
    if (levels_.size() <= level) {
      levels_.emplace_back();
      first = 0;
    }
    levels_[level].resize(blocks);
    for (std::size_t block = first; block < blocks; ++block) {
      Extremes result{none, none};
      const std::size_t end = std::min(below, (block + 1) * fan);
      for (std::size_t i = block * fan; i < end; ++i) {
        if (level > 0) {
          const Extremes& part = levels_[level - 1][i];
          merge(result, part.lowest, part.highest);
        } else if (!std::isnan(y_[i])) {
          const auto index = static_cast<std::uint32_t>(i);
          merge(result, index, index);
        }
      }
      levels_[level][block] = result;
    }
    below = blocks;
  }
}

Curve::Extremes Curve::extremes(std::size_t begin, std::size_t end) const {
  Extremes result{none, none};
  std::size_t position = begin;
  while (position < end) {
    // The largest block that starts here and ends in time.
    std::size_t level = 0, width = 1;
    while (level < levels_.size() && position % (width * fan) == 0 &&
           position + width * fan <= end) {
      width *= fan;
      ++level;
    }
    if (level > 0) {
      const Extremes& part = levels_[level - 1][position / width];
      merge(result, part.lowest, part.highest);
    } else if (!std::isnan(y_[position])) {
      const auto index = static_cast<std::uint32_t>(position);
      merge(result, index, index);
    }
    position += width;
  }
  return result;
}

PlotRange Curve::x_range(bool positive_only) const {
  PlotRange range;
  if (x_.empty()) return range;
  if (!positive_only) {
    range.include(x_.front());
    range.include(x_.back());
    return range;
  }
  const auto first = std::upper_bound(x_.begin(), x_.end(), 0.0);
  if (first == x_.end()) return range;
  range.include(*first);
  range.include(x_.back());
  return range;
}

PlotRange Curve::y_range() const {
  PlotRange range;
  const Extremes all = extremes(0, y_.size());
  if (all.lowest == none) return range;
  range.include(y_[all.lowest]);
  range.include(y_[all.highest]);
  return range;
}

std::vector<PlotPoint> Curve::thinned(double low, double high, int columns, bool log_x) const {
  std::vector<PlotPoint> result;
  if (x_.empty() || columns < 1 || !(high > low) || (log_x && low <= 0.0)) return result;
  auto begin = static_cast<std::size_t>(std::lower_bound(x_.begin(), x_.end(), low) - x_.begin());
  auto end = static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end(), high) - x_.begin());
  const std::size_t before = begin > 0 ? begin - 1 : begin;
  const std::size_t after = end < x_.size() ? end + 1 : end;
  const auto width = static_cast<std::size_t>(columns);
  if (end - begin <= 4 * width) {
    result.reserve(after - before);
    for (std::size_t i = before; i < after; ++i) result.push_back({x_[i], y_[i]});
    return result;
  }
  result.reserve(4 * width + 2);
  if (before < begin) result.push_back({x_[before], y_[before]});
  const double ratio = log_x ? high / low : 0.0;
  std::size_t start = begin;
  for (std::size_t column = 1; column <= width && start < end; ++column) {
    const double part = static_cast<double>(column) / static_cast<double>(width);
    const double limit = log_x ? low * std::pow(ratio, part) : low + (high - low) * part;
    std::size_t stop = end;
    if (column < width) {
      const auto from = x_.begin() + static_cast<std::ptrdiff_t>(start);
      const auto to = x_.begin() + static_cast<std::ptrdiff_t>(end);
      stop = static_cast<std::size_t>(std::lower_bound(from, to, limit) - x_.begin());
    }
    if (stop == start) continue;
    const Extremes inside = extremes(start, stop);
    std::size_t chosen[4] = {start, start, stop - 1, stop - 1};
    if (inside.lowest != none) {
      chosen[1] = std::min(inside.lowest, inside.highest);
      chosen[2] = std::max(inside.lowest, inside.highest);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      if (k > 0 && chosen[k] == chosen[k - 1]) continue;
      result.push_back({x_[chosen[k]], y_[chosen[k]]});
    }
    start = stop;
  }
  if (after > end) result.push_back({x_[end], y_[end]});
  return result;
}

std::size_t Curve::nearest(double x) const {
  if (x_.empty()) return 0;
  const auto next = std::lower_bound(x_.begin(), x_.end(), x);
  if (next == x_.end()) return x_.size() - 1;
  const auto index = static_cast<std::size_t>(next - x_.begin());
  if (index > 0 && x - x_[index - 1] < x_[index] - x) return index - 1;
  return index;
}

// Liang and Barsky's clipping of each segment; a cut or a gap ends the piece with a NaN.
std::vector<PlotPoint> clip_line(const std::vector<PlotPoint>& line, double x_low, double x_high,
                                 double y_low, double y_high) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<PlotPoint> result;
  bool open = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const PlotPoint a = line[i - 1], b = line[i];
    const double dx = b.x - a.x, dy = b.y - a.y;
    double from = 0.0, to = 1.0;
    bool outside = std::isnan(a.y) || std::isnan(b.y);
    const double steps[4] = {-dx, dx, -dy, dy};
    const double room[4] = {a.x - x_low, x_high - a.x, a.y - y_low, y_high - a.y};
    for (int side = 0; side < 4 && !outside; ++side) {
      if (steps[side] == 0.0) {
        outside = room[side] < 0.0;
      } else if (steps[side] < 0.0) {
        from = std::max(from, room[side] / steps[side]);
      } else {
        to = std::min(to, room[side] / steps[side]);
      }
    }
    if (outside || from > to) {
      if (open) result.push_back({a.x, nan});
      open = false;
      continue;
    }
    if (from > 0.0 && open) {
      result.push_back({a.x, nan});
      open = false;
    }
    if (!open) result.push_back({a.x + from * dx, a.y + from * dy});
    result.push_back({a.x + to * dx, a.y + to * dy});
    open = to >= 1.0;
    if (!open) result.push_back({b.x, nan});
  }
  if (line.size() == 1 && line[0].x >= x_low && line[0].x <= x_high && line[0].y >= y_low &&
      line[0].y <= y_high) {
    result.push_back(line[0]);
  }
  return result;
}

}  // namespace assay
