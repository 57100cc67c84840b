// Beside the Runs table: the current run's state, tags and notes.
#pragma once

#include <QFrame>
#include <QTimer>

#include "core/log/records.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace assay {

class FlowLayout;
class IconLabel;
class Workbench;

class RunDetails : public QFrame {
  Q_OBJECT
 public:
  explicit RunDetails(Workbench& workbench, QWidget* parent = nullptr);
  ~RunDetails() override;                             // saves notes not yet saved
  void show(const Run* run, const QString& changed);  // null: nothing selected

 private:
  void showTags(const Run& run);
  void saveNotes();
  Workbench& workbench_;
  std::int64_t id_ = 0;
  QWidget* content_;
  QLabel* hint_;
  QLabel* name_;
  IconLabel* state_;
  QLabel* reason_;
  QLabel* changed_;
  FlowLayout* tags_;
  QPlainTextEdit* notes_;
  QTimer save_timer_;
  QString saved_;
};

}  // namespace assay
