// The metrics of a run as a table: now, best and where, unit.
#pragma once

#include <QFrame>

#include "app/window/run/run_update.h"

namespace assay {

class TableView;

class RunMetrics : public QFrame {
  Q_OBJECT
 public:
  explicit RunMetrics(QWidget* parent = nullptr);
  void show(const RunUpdate& update, const ExperimentSpec* experiment);

 private:
  TableView* table_;
};

}  // namespace assay
