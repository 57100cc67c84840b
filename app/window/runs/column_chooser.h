// Which columns the Runs table shows: a searchable list with check marks.
#pragma once

#include <QFrame>

#include "app/window/runs/run_columns.h"

class QLineEdit;
class QListWidget;

namespace assay {

class Workbench;

class ColumnChooser : public QFrame {
  Q_OBJECT
 public:
  ColumnChooser(Workbench& workbench, QWidget* parent);
  // Opens below `anchor` with these columns checked.
  void open(QWidget* anchor, const QList<RunColumn>& shown);

 signals:
  void chosen(const QList<assay::RunColumn>& columns);

 private:
  void fill(const QStringList& metrics, const QStringList& parameters);
  void search(const QString& words);
  void tell();
  Workbench& workbench_;
  QLineEdit* search_;
  QListWidget* list_;
  QList<RunColumn> shown_;
};

}  // namespace assay
