#include "plugins/curvature_tuning/view/boundary_plot.h"

#include <algorithm>
#include <cmath>

#include "app/viewers/plot/heat_map_item.h"

namespace assay::curvature_tuning {
namespace {

SeriesStyle points_style(const QString& name, int color) {
  SeriesStyle style;
  style.name = name;
  style.color_index = color;
  style.form = SeriesStyle::Form::points;
  style.in_readout = false;
  style.smoothed = false;
  return style;
}

// Cells centred on the samples.
HeatMap heat_map(const Grid& grid) {
  HeatMap map;
  map.columns = grid.columns;
  map.rows = grid.rows;
  const double half_x = (grid.x_high - grid.x_low) / (grid.columns - 1) / 2;
  const double half_y = (grid.y_high - grid.y_low) / (grid.rows - 1) / 2;
  map.x_low = grid.x_low - half_x;
  map.x_high = grid.x_high + half_x;
  map.y_low = grid.y_low - half_y;
  map.y_high = grid.y_high + half_y;
  map.smooth = true;
  return map;
}

HeatMap probability_map(const Grid& logits) {
  HeatMap map = heat_map(logits);
  map.values.reserve(logits.values.size());
  for (const double logit : logits.values)
    map.values.push_back(1.0 / (1.0 + std::exp(-logit)) - 0.5);
  map.value_low = -0.5;
  map.value_high = 0.5;
  map.colors = ColorMap::Kind::diverging;
  map.opacity = 0.55;
  map.label = QStringLiteral("P(class 1) − ½");
  return map;
}

// Curvature spans orders of magnitude near beta = 1, hence its logarithm.
HeatMap curvature_map(const Grid& curvature) {
  HeatMap map = heat_map(curvature);
  map.values.reserve(curvature.values.size());
  for (const double norm : curvature.values) {
    map.values.push_back(std::log10(std::max(norm, 1e-3)));
  }
  map.value_low = -3.0;
  map.value_high = 2.0;
  map.colors = ColorMap::Kind::cividis;
  map.label = QStringLiteral("log₁₀ ‖Hessian‖");
  return map;
}

}  // namespace

BoundaryPlot::BoundaryPlot(QWidget* parent) : PlotView(parent) {
  class0_ = addSeries(points_style(tr("class 0"), 0));
  class1_ = addSeries(points_style(tr("class 1"), 1));
  SeriesStyle line;
  line.name = tr("decision boundary");
  line.form = SeriesStyle::Form::path;
  line.color = Theme::of().tokens().ink;
  line.width = 1.8;
  line.in_readout = false;
  line.smoothed = false;
  line_ = addSeries(line);
  setEqualAspect(true);
  setAxisTitles(QStringLiteral("x₁"), QStringLiteral("x₂"));
  connect(&Theme::of(), &Theme::changed, this, [this] {
    SeriesStyle follow = style(line_);
    follow.color = Theme::of().tokens().ink;
    setStyle(line_, follow);
  });
}

void BoundaryPlot::show(const BoundaryPicture& picture, Shading shading) {
  const bool curved = shading == Shading::curvature && !picture.curvature.values.empty();
  setHeatMap(curved ? curvature_map(picture.curvature) : probability_map(picture.logits));
  std::vector<double> x[2], y[2];
  for (std::size_t i = 0; i < picture.x.size(); ++i) {
    const int label = picture.labels[i] != 0 ? 1 : 0;
    x[label].push_back(picture.x[i]);
    y[label].push_back(picture.y[i]);
  }
  setData(class0_, x[0], y[0]);
  setData(class1_, x[1], y[1]);
  const Path path = contour(picture.logits, 0.0);
  setData(line_, path.x, path.y);
  setXRange(picture.logits.x_low, picture.logits.x_high);
  setYRange(picture.logits.y_low, picture.logits.y_high);
}

}  // namespace assay::curvature_tuning
