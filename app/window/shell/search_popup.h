// What the search box finds, in a list below it.
#pragma once

#include <QFrame>

class QLineEdit;
class QListWidget;

namespace assay {

class Workbench;

class SearchPopup : public QFrame {
  Q_OBJECT
 public:
  // Lives in `window`, below `box`; takes the arrow, Return and Escape keys of the box.
  SearchPopup(Workbench& workbench, QLineEdit* box, QWidget* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Found {
    QString title, detail, icon;
    QString kind, target;  // "paper", "experiment", "run"
  };
  void ask();
  void show(const QList<Found>& found, const QString& words);
  QList<Found> papersWith(const QString& words) const;
  void openCurrent();
  void place();

  Workbench& workbench_;
  QLineEdit* box_;
  QListWidget* list_;
};

}  // namespace assay
