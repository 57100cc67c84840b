// The head of the Run page: name, state, what it is, and what can be done with it; its progress;
// and for a run that ended badly the reason and the way on.
#pragma once

#include <QWidget>

#include "core/log/records.h"

class QFrame;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace assay {

class Workbench;

class RunHeader : public QWidget {
  Q_OBJECT
 public:
  explicit RunHeader(Workbench& workbench, QWidget* parent = nullptr);
  void showRun(const Run& run);

 private:
  void makeTitleRow(QVBoxLayout* column);
  void makeNotice(QVBoxLayout* column);
  void makeProgress(QVBoxLayout* column);
  void showNotice();
  void showProgress();
  void act(const QString& what);
  void rename();
  QString subtitle() const;

  Workbench& workbench_;
  Run run_;
  QLabel *title_, *state_, *subtitle_, *notice_text_, *progress_text_, *notice_title_;
  QLineEdit* name_edit_;
  QToolButton* star_;
  QPushButton *pause_, *resume_, *stop_, *duplicate_, *compare_, *report_;
  QFrame* notice_;
  QWidget* progress_row_;
  QProgressBar* progress_;
};

// "10,240 of 20,000 · 31 steps/s · 41 s left"; empty where nothing is known.
QString progressText(const Run& run);
// What a run that ended badly, waits or is silent tells, and what to do; empty: nothing to say.
QString runAdvice(const Run& run, double now);

}  // namespace assay
