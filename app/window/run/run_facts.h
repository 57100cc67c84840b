// The quiet half of the Run page: configuration, environment, lineage, notes.
#pragma once

#include <QWidget>

#include "app/window/run/run_update.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTextBrowser;
class QTimer;
class QTreeWidget;

namespace assay {

class TableView;
class Workbench;

// Every parameter with its value, the preset's, and where the value came from; changed ones first.
class RunConfiguration : public QWidget {
  Q_OBJECT
 public:
  explicit RunConfiguration(Workbench& workbench, QWidget* parent = nullptr);
  void show(const Run& run, const ParameterSet& parameters);

 private:
  Workbench& workbench_;
  TableView* table_;
  QLabel* count_;
  QPlainTextEdit* command_;
};

// Where the numbers come from: the provenance as a tree, and the digest of the final state.
class RunEnvironment : public QWidget {
  Q_OBJECT
 public:
  explicit RunEnvironment(QWidget* parent = nullptr);
  void show(const Run& run, const std::map<std::string, double>& timings);

 private:
  QTreeWidget* tree_;
  QString shown_;
};

// Notes in Markdown: written at the left, as they read at the right; and where the run comes from.
class RunNotes : public QWidget {
  Q_OBJECT
 public:
  explicit RunNotes(Workbench& workbench, QWidget* parent = nullptr);
  void show(const Run& run);
  void save();  // what is not saved yet; called before another run is shown

 private:
  Workbench& workbench_;
  Run run_;
  QPlainTextEdit* edit_;
  QTextBrowser* preview_;
  QLabel* parent_;
  QPushButton* open_parent_;
  QTimer* saving_;
};

// The command that makes the same run again.
QString reproduceCommand(const Workbench& workbench, const Run& run,
                         const ParameterSet& parameters);

}  // namespace assay
