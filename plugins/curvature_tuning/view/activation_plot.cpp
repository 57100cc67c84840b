#include "plugins/curvature_tuning/view/activation_plot.h"

#include <QVBoxLayout>
#include <algorithm>

namespace assay::curvature_tuning {
namespace {

int add_line(PlotView* plot, const QString& name, int color, Qt::PenStyle dash, double width) {
  SeriesStyle style;
  style.name = name;
  style.color_index = color;
  style.dash = dash;
  style.width = width;
  style.smoothed = false;
  return plot->addSeries(style);
}

}  // namespace

ActivationPlot::ActivationPlot(QWidget* parent)
    : QWidget(parent), value_(new PlotView), second_(new PlotView) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addWidget(value_, 3);
  column->addWidget(second_, 2);
  phi_ = add_line(value_, QStringLiteral("φ"), 0, Qt::SolidLine, 2.0);
  first_ = add_line(value_, QStringLiteral("φ′"), 1, Qt::DashLine, 1.5);
  relu_ = add_line(value_, QStringLiteral("ReLU"), 2, Qt::DotLine, 1.2);
  curvature_ = add_line(second_, QStringLiteral("φ″"), 3, Qt::SolidLine, 2.0);
  value_->setAxisTitles(QString(), QString());
  second_->setAxisTitles(QStringLiteral("x"), QString());
  value_->setObjectName("activationPlot");
  second_->setObjectName("curvaturePlot");
  value_->setAccessibleName(tr("Activation and its first derivative"));
  second_->setAccessibleName(tr("Second derivative of the activation"));
}

void ActivationPlot::show(const ActivationCurves& curves) {
  if (curves.x.empty()) return;
  std::vector<double> relu;
  relu.reserve(curves.x.size());
  for (const double x : curves.x) relu.push_back(std::max(x, 0.0));
  value_->setData(phi_, curves.x, curves.value);
  value_->setData(first_, curves.x, curves.first);
  value_->setData(relu_, curves.x, relu);
  value_->setXRange(curves.x.front(), curves.x.back());
  value_->setYRange(-1.0, std::max(1.5, curves.x.back()));
  second_->setData(curvature_, curves.x, curves.second);
  second_->setXRange(curves.x.front(), curves.x.back());
  // A scale that grows in steps, so that a dragged slider shows growth instead of a rescaled
  // picture.
  const double top = *std::max_element(curves.second.begin(), curves.second.end());
  double scale = 0.5;
  while (scale < top * 1.05 && scale < 1e6) scale *= 2;
  second_->setYRange(-0.15 * scale, scale);
}

}  // namespace assay::curvature_tuning
