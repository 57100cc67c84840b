// The bar at the bottom: how many run and wait, how far the current run is, cores and memory.
#pragma once

#include <QFrame>

#include "app/window/shell/queue_state.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace assay {

class Workbench;

class QueueBar : public QFrame {
  Q_OBJECT
 public:
  explicit QueueBar(Workbench& workbench, QWidget* parent = nullptr);
  void show(const QueueState& state, bool held);

 signals:
  void clicked();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void showMachine();
  Workbench& workbench_;
  QPushButton* counts_;
  QProgressBar* progress_;
  QLabel* current_;
  QLabel* machine_;
};

}  // namespace assay
