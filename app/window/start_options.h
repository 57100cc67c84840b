// The command line of assay.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

namespace assay {

struct StartOptions {
  QString log;    // empty: by rule
  QString theme;  // "", "light", "dark", "system"
  QString screenshotFolder;
  QSize size{1280, 800};
  bool sizeGiven = false;
  double scale = 0.0;  // 0: the display's
  QString reportFolder;
  QStringList runs;  // of --report
  QString message;   // --help and --version: to be printed, exit 0
  QString problem;   // not empty: what is wrong, exit 2
};

StartOptions readStartOptions(const QStringList& arguments);  // [0] is the program

}  // namespace assay
