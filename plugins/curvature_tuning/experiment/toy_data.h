// Points for the toy experiments, drawn from a seed: spiral, moons, circle, and a noisy curve. The
// recipes are ours; they keep the proportions of the authors' demos.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::curvature_tuning {

struct ToyDataOptions {
  std::string dataset = "spiral";  // spiral, moons, circle, regression
  std::int64_t points = 1024;
  double noise = 0.7;  // standard deviation, in the plane's units
  double flip = 0.16;  // share of labels turned over (classes only)
  double turns = 3.0;  // half turns of each arm (spiral only)
  bool operator==(const ToyDataOptions&) const = default;
};

// `inputs` holds count x dimensions numbers, point by point. Targets are 0 or 1 for classes.
struct ToyPoints {
  int dimensions = 2;
  std::vector<float> inputs;
  std::vector<float> targets;  // as given to the network: flipped labels, noisy values
  std::vector<float> truth;    // labels before flipping, the curve without noise
  std::int64_t count() const { return static_cast<std::int64_t>(targets.size()); }
};

ToyPoints make_points(const ToyDataOptions& options, std::uint64_t seed);

// The curve of "regression" without noise.
double true_curve(double x);
// Half the side of the square (or of the interval) that a picture of these points shows.
double extent_of(const ToyPoints& points);

}  // namespace assay::curvature_tuning
