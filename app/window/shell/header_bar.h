// The header: title, which log, search, theme.
#pragma once

#include <QFrame>

class QLineEdit;
class QToolButton;

namespace assay {

class Workbench;

class HeaderBar : public QFrame {
  Q_OBJECT
 public:
  explicit HeaderBar(Workbench& workbench, QWidget* parent = nullptr);
  QLineEdit* searchBox() const { return search_; }

 private:
  void showThemeMenu();
  void colour();
  Workbench& workbench_;
  QLineEdit* search_;
  QToolButton* theme_;
};

}  // namespace assay
