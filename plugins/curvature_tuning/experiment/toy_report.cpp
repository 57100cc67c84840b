#include "plugins/curvature_tuning/experiment/toy_report.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace assay::curvature_tuning {
namespace {

Field field_of(const ToyView& view, std::vector<float> values) {
  Field field;
  field.columns = static_cast<int>(view.resolution);
  field.rows = static_cast<int>(view.resolution);
  field.x_low = field.y_low = -view.extent;
  field.x_high = field.y_high = view.extent;
  field.values = std::move(values);
  return field;
}

Json with_extent(Json meta, const ToyView& view) {
  meta["x"] = {-view.extent, view.extent};
  meta["y"] = {-view.extent, view.extent};
  return meta;
}

std::vector<float> line_of(const ToyView& view) {
  return to_floats(view.inputs);
}

std::vector<float> truth_on(const std::vector<float>& x) {
  std::vector<float> y;
  for (const float value : x) {
    y.push_back(static_cast<float>(true_curve(static_cast<double>(value))));
  }
  return y;
}

}  // namespace

ToyView make_view(const ToyPoints& points, std::int64_t resolution, bool regression) {
  ToyView view;
  view.extent = extent_of(points);
  // A line is cheap: finer than a plane.
  view.resolution = regression ? std::max<std::int64_t>(resolution, 401) : resolution;
  view.regression = regression;
  view.inputs = grid_inputs(view.extent, view.resolution, points.dimensions);
  view.dots = dots_of(points);
  return view;
}

ToyPicture picture_of(nn::Mlp& net, const Bend& bend, const ToyView& view) {
  const at::NoGradGuard no_gradient;
  ToyPicture picture;
  picture.logits = to_floats(net.forward(view.inputs));
  const Surface surface = surface_of(weights_of(net), bend, view.inputs);
  picture.hessian_norm = to_floats(surface.hessian_norm());
  picture.normal_curvature = to_floats(surface.normal_curvature());
  double sum = 0.0;
  for (const float value : picture.hessian_norm) sum += static_cast<double>(value);
  picture.mean_curvature = sum / static_cast<double>(picture.hessian_norm.size());
  return picture;
}

Image curvature_image(const ToyPicture& picture, const ToyView& view) {
  std::vector<float> logarithms;
  for (const float value : picture.hessian_norm) logarithms.push_back(std::log1p(value));
  return heat_picture(field_of(view, std::move(logarithms)), 0.0, std::log1p(curvature_ceiling));
}

void show_boundary(RunContext& context, const ToyPicture& picture, const ToyView& view,
                   std::int64_t step, const Json& meta) {
  const Json placed = with_extent(meta, view);
  context.image("decision_boundary", step,
                boundary_picture(field_of(view, picture.logits), view.dots), placed);
  Json heat = placed;
  heat["range"] = {0.0, curvature_ceiling};
  heat["scale"] = "log(1 + value)";
  heat["color_map"] = "viridis";
  context.image("curvature", step, curvature_image(picture, view), heat);
  const std::vector<std::int64_t> shape = {view.resolution, view.resolution};
  context.tensors("boundary", step,
                  {{"logits", RawTensor::from(picture.logits, shape)},
                   {"hessian_norm", RawTensor::from(picture.hessian_norm, shape)},
                   {"normal_curvature", RawTensor::from(picture.normal_curvature, shape)}},
                  placed);
}

void show_tuned(RunContext& context, const ToyPicture& picture, const ToyView& view,
                std::int64_t step, const Json& meta) {
  if (view.regression) return show_curve(context, "tuned_boundary", picture, view, step, meta);
  context.image("tuned_boundary", step, boundary_picture(field_of(view, picture.logits), view.dots),
                with_extent(meta, view));
}

void show_curve(RunContext& context, const std::string& key, const ToyPicture& picture,
                const ToyView& view, std::int64_t step, const Json& meta) {
  float highest = 1.0F;
  for (const float value : view.dots.y) highest = std::max(highest, std::abs(value));
  Field limits = field_of(view, {});
  limits.y_low = -1.1 * static_cast<double>(highest);
  limits.y_high = -limits.y_low;
  const std::vector<float> x = line_of(view);
  Dots faint = view.dots;
  const std::vector<Curve> curves = {{x, truth_on(x), Color{139, 149, 161}, 2},
                                     {x, picture.logits, Color{213, 94, 0}, 3}};
  Json placed = with_extent(meta, view);
  placed["y"] = {limits.y_low, limits.y_high};
  placed["legend"] = "blue: points; grey: the true curve; vermilion: the network";
  context.image(key, step, curve_picture(limits, faint, curves), placed);
}

void show_points(RunContext& context, const ToyPoints& points) {
  Table table;
  const bool plane = points.dimensions == 2;
  table.columns = plane ? std::vector<std::string>{"x", "y", "label", "true_label"}
                        : std::vector<std::string>{"x", "y", "true_y"};
  const auto text = [](float value) { return shortest(static_cast<double>(value)); };
  for (std::size_t i = 0; i < points.targets.size(); ++i) {
    std::vector<std::string> row;
    for (int d = 0; d < points.dimensions; ++d) {
      row.push_back(text(points.inputs[i * static_cast<std::size_t>(points.dimensions) +
                                       static_cast<std::size_t>(d)]));
    }
    row.push_back(text(points.targets[i]));
    row.push_back(text(points.truth[i]));
    table.rows.push_back(std::move(row));
  }
  context.table("data", 0, table);
}

}  // namespace assay::curvature_tuning
