// Goes through the steps at which something was stored: slider, play (Space), step by step.
#pragma once

#include <QTimer>
#include <QWidget>
#include <cstdint>
#include <vector>

class QLabel;
class QSlider;
class QToolButton;

namespace assay {

class StepSlider : public QWidget {
  Q_OBJECT
 public:
  explicit StepSlider(QWidget* parent = nullptr);
  // Keeps its place; one that stands at the end follows new steps.
  void setSteps(const std::vector<std::int64_t>& steps);
  void setAxis(const QString& name) { axis_ = name; }  // "step", "beta index"
  std::int64_t step() const;                           // 0 when there is none
  int index() const;
  void setIndex(int index);
  void setPlaying(bool playing);
  bool isPlaying() const { return timer_.isActive(); }

 signals:
  void stepChanged(std::int64_t step);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void tell();
  std::vector<std::int64_t> steps_;
  QString axis_;
  QSlider* slider_;
  QToolButton* play_;
  QLabel* label_;
  QTimer timer_;
};

}  // namespace assay
