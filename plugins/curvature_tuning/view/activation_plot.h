// The activation with its first and second derivative.
#pragma once

#include <QWidget>
#include <vector>

#include "app/viewers/plot/plot_view.h"

namespace assay::curvature_tuning {

struct ActivationCurves {
  std::vector<double> x, value, first, second;
};

class ActivationPlot : public QWidget {
  Q_OBJECT
 public:
  explicit ActivationPlot(QWidget* parent = nullptr);
  void show(const ActivationCurves& curves);

 private:
  PlotView* value_;   // phi, phi' and ReLU for comparison
  PlotView* second_;  // phi'' apart: it grows without bound as beta nears 1
  int phi_, first_, relu_, curvature_;
};

}  // namespace assay::curvature_tuning
