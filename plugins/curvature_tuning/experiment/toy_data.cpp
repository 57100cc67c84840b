#include "plugins/curvature_tuning/experiment/toy_data.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace assay::curvature_tuning {
namespace {

using std::numbers::pi;

// std::normal_distribution is another one in every standard library; these are the same
// everywhere.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1.0p-53; }
  double normal() {  // Box and Muller
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

struct Place {
  double x, y;
};

// Two Archimedean arms r = angle, the second turned by half a turn. The root spreads the points
// evenly over the plane instead of crowding them in the middle.
Place spiral_place(int label, double turns, Draws& draws) {
  const double angle = std::sqrt(draws.uniform()) * turns * pi;
  const double sign = label == 0 ? 1.0 : -1.0;
  return {sign * angle * std::cos(angle), sign * angle * std::sin(angle)};
}

Place moon_place(int label, Draws& draws) {
  constexpr double radius = 4.0;
  const double angle = draws.uniform() * pi;
  const double x = radius * std::cos(angle);
  const double y = radius * std::sin(angle);
  if (label == 0) return {x - radius / 2, y - radius / 4};
  return {radius / 2 - x, radius / 4 - y};
}

// A disc of radius 3 and a ring from 4 to 6, each filled evenly.
Place circle_place(int label, Draws& draws) {
  const double angle = draws.uniform() * 2.0 * pi;
  const double inner = label == 0 ? 0.0 : 4.0;
  const double outer = label == 0 ? 3.0 : 6.0;
  const double share = draws.uniform();
  const double radius = std::sqrt(inner * inner + share * (outer * outer - inner * inner));
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

Place place_of(const ToyDataOptions& options, int label, Draws& draws) {
  if (options.dataset == "moons") return moon_place(label, draws);
  if (options.dataset == "circle") return circle_place(label, draws);
  return spiral_place(label, options.turns, draws);
}

ToyPoints make_classes(const ToyDataOptions& options, Draws& draws) {
  ToyPoints points;
  for (std::int64_t i = 0; i < options.points; ++i) {
    const int label = static_cast<int>(i % 2);
    const Place place = place_of(options, label, draws);
    points.inputs.push_back(static_cast<float>(place.x + options.noise * draws.normal()));
    points.inputs.push_back(static_cast<float>(place.y + options.noise * draws.normal()));
    const bool flipped = draws.uniform() < options.flip;
    points.truth.push_back(static_cast<float>(label));
    points.targets.push_back(static_cast<float>(flipped ? 1 - label : label));
  }
  return points;
}

ToyPoints make_curve(const ToyDataOptions& options, Draws& draws) {
  ToyPoints points;
  points.dimensions = 1;
  for (std::int64_t i = 0; i < options.points; ++i) {
    const double x = 12.0 * draws.uniform() - 6.0;
    const double y = true_curve(x);
    points.inputs.push_back(static_cast<float>(x));
    points.truth.push_back(static_cast<float>(y));
    points.targets.push_back(static_cast<float>(y + options.noise * draws.normal()));
  }
  return points;
}

}  // namespace

double true_curve(double x) {
  return 2.5 * std::sin(1.2 * x) + 0.25 * x;
}

ToyPoints make_points(const ToyDataOptions& options, std::uint64_t seed) {
  Draws draws(seed);
  return options.dataset == "regression" ? make_curve(options, draws)
                                         : make_classes(options, draws);
}

double extent_of(const ToyPoints& points) {
  float largest = 1.0F;
  for (const float value : points.inputs) largest = std::max(largest, std::abs(value));
  return 1.05 * static_cast<double>(largest);
}

}  // namespace assay::curvature_tuning
