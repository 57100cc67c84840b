// Beside the form: name, seeds, threads, what differs, copies, Start and Queue.
#pragma once

#include <QFrame>

#include "app/window/configure/seeds.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace assay {

class RunSettings : public QFrame {
  Q_OBJECT
 public:
  explicit RunSettings(QWidget* parent = nullptr);
  QString name() const;
  void setName(const QString& name);
  Seeds seeds() const;
  void setSeeds(const QString& text);
  int threads() const;  // 0: all cores
  void setThreads(int threads);
  // The changes as lines, and the reasons why a start isn't possible (none: it is).
  void show(const QStringList& changes, const QStringList& reasons);

 signals:
  void edited();
  void startAsked();
  void queueAsked();
  void resetAsked();
  void faultAsked();        // "show me what is wrong"
  void commandLineAsked();  // to be copied
  void fileAsked();

 private:
  void addRow(QVBoxLayout* column, const QString& label, QWidget* editor, const QString& help);
  QLineEdit* name_;
  QLineEdit* seeds_;
  QLabel* seedFault_;
  QSpinBox* threads_;
  QLabel* changes_;
  QPushButton* reset_;
  QPushButton* start_;
  QPushButton* queue_;
  QPushButton* reason_;
};

}  // namespace assay
