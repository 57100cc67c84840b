// The plane of a two-dimensional toy: class probability or curvature as colour, the decision
// boundary as a line, the data as points.
#pragma once

#include <vector>

#include "app/viewers/plot/plot_view.h"
#include "plugins/curvature_tuning/view/contour.h"

namespace assay::curvature_tuning {

enum class Shading { probability, curvature };

struct BoundaryPicture {
  Grid logits;               // of class 1; the boundary is where they are 0
  Grid curvature;            // Hessian norm of the logit
  std::vector<double> x, y;  // data
  std::vector<int> labels;   // 0 or 1
};

class BoundaryPlot : public PlotView {
  Q_OBJECT
 public:
  explicit BoundaryPlot(QWidget* parent = nullptr);
  void show(const BoundaryPicture& picture, Shading shading);

 private:
  int class0_, class1_, line_;
};

}  // namespace assay::curvature_tuning
