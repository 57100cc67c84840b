// The queue, opened from the bar: what runs, what waits and in which order, how many at once.
#pragma once

#include <QFrame>

#include "app/window/shell/queue_state.h"

class QCheckBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace assay {

class Workbench;

class QueuePanel : public QFrame {
  Q_OBJECT
 public:
  QueuePanel(Workbench& workbench, QWidget* parent);
  void show(const QueueState& state);
  void place();

 private:
  QWidget* makeSettings();
  QWidget* makeWaitingButtons();
  void showRunning(const std::vector<Run>& runs);
  void showWaiting(const std::vector<Run>& runs);
  void moveBy(int rows);
  void orderDragged();
  void removeCurrent();

  Workbench& workbench_;
  QVBoxLayout* running_;
  QLabel* waitingHeading_;
  QListWidget* waiting_;
  QWidget* waitingButtons_;
  QSpinBox* places_;
  QCheckBox* held_;
  QList<qint64> shownRunning_, shownWaiting_;
};

}  // namespace assay
