// A paper's claims: what it says, what the runs say, and the button that checks them.
#pragma once

#include <QWidget>

#include "core/log/log.h"
#include "core/study/manifest.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace assay {

class ClaimsProcess;
class Workbench;

class ClaimsView : public QWidget {
  Q_OBJECT
 public:
  ClaimsView(Workbench& workbench, const Manifest& plugin, QWidget* parent = nullptr);
  void refresh();

 private:
  QWidget* makeCheck();
  void check();
  void show(const std::vector<StoredClaim>& stored);
  QWidget* makeRow(const ClaimSpec& claim, const StoredClaim* stored);

  Workbench& workbench_;
  const Manifest& plugin_;
  QVBoxLayout* rows_;
  QComboBox* preset_ = nullptr;
  QSpinBox* seeds_ = nullptr;
  QPushButton* check_ = nullptr;
  QPushButton* stop_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QLabel* line_ = nullptr;
  ClaimsProcess* process_ = nullptr;
  QString shown_;  // what the rows were made from
};

}  // namespace assay
