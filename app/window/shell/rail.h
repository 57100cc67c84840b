// The rail at the left: pages, and the runs that were opened.
#pragma once

#include <QFrame>
#include <QHash>
#include <QStringList>

class QPushButton;
class QVBoxLayout;

namespace assay {

struct OpenRun {
  QString publicId;
  QString name;
};

class Rail : public QFrame {
  Q_OBJECT
 public:
  explicit Rail(QWidget* parent = nullptr);
  // `page`: papers, runs, compare, report or data; `openRun` is marked in the list below.
  void mark(const QString& page, const QString& openRun = {});
  void setOpenRuns(const QList<OpenRun>& runs);

 signals:
  void pageChosen(const QString& page);
  void runChosen(const QString& publicId);
  void runClosed(const QString& publicId);

 private:
  QPushButton* addEntry(const QString& text, const QString& name, const QString& icon);
  void colour();
  QHash<QString, QPushButton*> entries_;
  QHash<QString, QString> icons_;
  QWidget* open_;
  QVBoxLayout* openList_;
  QString openMarked_;
  QList<OpenRun> openRuns_;
};

}  // namespace assay
