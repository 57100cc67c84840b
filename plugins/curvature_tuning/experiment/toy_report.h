// What the toy experiment shows of its network: boundary, curvature, fitted curve.
#pragma once

#include <string>

#include "core/engine/experiment.h"
#include "plugins/curvature_tuning/experiment/mlp_surface.h"
#include "plugins/curvature_tuning/experiment/toy_net.h"

namespace assay::curvature_tuning {

// Where pictures are computed.
struct ToyView {
  double extent = 1.0;
  std::int64_t resolution = 121;
  bool regression = false;
  at::Tensor inputs;  // the grid
  Dots dots;
};
ToyView make_view(const ToyPoints& points, std::int64_t resolution, bool regression);

// The logit and its curvature on the view's grid. `net` gives the logits, `bend` says what its
// activations are, for the derivatives.
struct ToyPicture {
  std::vector<float> logits;
  std::vector<float> hessian_norm, normal_curvature;
  double mean_curvature = 0.0;
};
ToyPicture picture_of(nn::Mlp& net, const Bend& bend, const ToyView& view);

// Curvature is drawn by its logarithm, so that all betas can share one scale.
inline constexpr double curvature_ceiling = 50.0;
Image curvature_image(const ToyPicture& picture, const ToyView& view);

// Images and arrays of one picture under `step`.
void show_boundary(RunContext& context, const ToyPicture& picture, const ToyView& view,
                   std::int64_t step, const Json& meta);
void show_tuned(RunContext& context, const ToyPicture& picture, const ToyView& view,
                std::int64_t step, const Json& meta);
void show_curve(RunContext& context, const std::string& key, const ToyPicture& picture,
                const ToyView& view, std::int64_t step, const Json& meta);
void show_points(RunContext& context, const ToyPoints& points);

}  // namespace assay::curvature_tuning
