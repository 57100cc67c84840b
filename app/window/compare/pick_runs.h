// "Add runs...": a filter line and the runs it finds.
#pragma once

#include <QDialog>
#include <QStringList>

class QLabel;
class QLineEdit;

namespace assay {

class TableView;
class Workbench;

class PickRuns : public QDialog {
  Q_OBJECT
 public:
  explicit PickRuns(Workbench& workbench, QWidget* parent = nullptr);
  QStringList chosen() const;  // public ids

 private:
  void find();
  Workbench& workbench_;
  QLineEdit* filter_;
  QLabel* fault_;
  TableView* table_;
  QStringList ids_;
};

}  // namespace assay
