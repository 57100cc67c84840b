// --screenshot: each page on this log, once it has settled, as a PNG.
#pragma once

#include <QObject>
#include <QStringList>

#include "app/window/main_window.h"

namespace assay {

class ScreenshotTour : public QObject {
  Q_OBJECT
 public:
  ScreenshotTour(Workbench& workbench, MainWindow& window, QString folder, QString theme);
  void begin();

 signals:
  void finished(const QString& problem);  // empty: all written

 private:
  struct Stop {
    QString file, page;
    QStringList arguments;
  };
  void planStops();
  void next();
  void look();
  bool save();

  Workbench& workbench_;
  MainWindow& window_;
  QString folder_, theme_;
  QList<Stop> stops_;
  Stop stop_;
  int waited_ = 0, quiet_ = 0;  // milliseconds
};

}  // namespace assay
