// Explore: beta and c under two sliders; the activation, its curvature and a toy's decision
// boundary answer live, computed by the plugin's model in `assay-run serve`.
#pragma once

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

#include "app/viewers/explore_client.h"
#include "plugins/curvature_tuning/view/activation_plot.h"
#include "plugins/curvature_tuning/view/boundary_plot.h"
#include "plugins/curvature_tuning/view/value_slider.h"

namespace assay::curvature_tuning {

class ExplorePage : public QWidget {
  Q_OBJECT
 public:
  ExplorePage(ExploreClient& client, QWidget* parent);

 protected:
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* makeControls();
  QWidget* makeCard(const QString& title, QLabel*& note, QWidget* content);
  void ask();
  void takeAnswer(const QString& explorable, const Answer& answer);
  void takeActivation(const Answer& answer);
  void takeBoundary(const Answer& answer);
  void takeRegression(const Answer& answer);
  void advance();  // one frame of the animation
  bool regression() const;

  ExploreClient& client_;
  ValueSlider* beta_ = nullptr;
  ValueSlider* c_ = nullptr;
  QComboBox* dataset_ = nullptr;
  QComboBox* shading_ = nullptr;
  QPushButton* play_ = nullptr;
  QLabel* facts_ = nullptr;
  QLabel* server_ = nullptr;
  QLabel* activation_note_ = nullptr;
  QLabel* boundary_note_ = nullptr;
  ActivationPlot* activation_ = nullptr;
  BoundaryPlot* boundary_ = nullptr;
  PlotView* regression_ = nullptr;
  int regression_data_ = 0, regression_truth_ = 0, regression_fit_ = 0;
  BoundaryPicture picture_;
  QTimer animation_;
  double direction_ = -1.0;
  bool asked_ = false;
};

}  // namespace assay::curvature_tuning
