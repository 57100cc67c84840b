// The paper's own pictures of a run: toy, transfer, robustness.
#pragma once

#include <QLabel>

#include "app/viewers/image/image_view.h"
#include "app/viewers/image/step_slider.h"
#include "app/viewers/plot/plot_view.h"
#include "app/viewers/plugin_view.h"
#include "plugins/curvature_tuning/view/run_data.h"

namespace assay::curvature_tuning {

// Pictures stored at several steps, with a slider through them.
class PictureStrip : public QWidget {
  Q_OBJECT
 public:
  PictureStrip(const QString& axis, QWidget* parent = nullptr);
  void setPictures(const std::vector<Picture>& pictures);
  bool isEmpty() const { return pictures_.empty(); }

 private:
  void showStep(std::int64_t step);
  std::vector<Picture> pictures_;
  ImageView* image_;
  StepSlider* slider_;
};

class ToyRunView : public RunView {
  Q_OBJECT
 public:
  explicit ToyRunView(QWidget* parent);
  void showRun(Log& log, const Run& run) override;
  bool hasContent() const override { return has_content_; }

 private:
  PlotView* sweep_;
  PictureStrip* boundary_;
  int first_, second_;
  bool has_content_ = false;
};

class TransferRunView : public RunView {
  Q_OBJECT
 public:
  explicit TransferRunView(QWidget* parent);
  void showRun(Log& log, const Run& run) override;
  bool hasContent() const override { return has_content_; }

 private:
  PlotView* methods_;
  PlotView* sweep_;
  PictureStrip* learned_;
  int bars_, by_beta_;
  bool has_content_ = false;
};

class RobustnessRunView : public RunView {
  Q_OBJECT
 public:
  explicit RobustnessRunView(QWidget* parent);
  void showRun(Log& log, const Run& run) override;
  bool hasContent() const override { return has_content_; }

 private:
  PlotView* plot_;
  PictureStrip* attacked_;
  int clean_, robust_, transferred_;
  bool has_content_ = false;
};

}  // namespace assay::curvature_tuning
