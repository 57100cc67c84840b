// `assay-run claims` as a process of its own, watched by its output.
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>

#include "core/base/process.h"

namespace assay {

class ClaimsProcess : public QObject {
  Q_OBJECT
 public:
  ClaimsProcess(std::filesystem::path runner, std::filesystem::path logDirectory,
                QObject* parent = nullptr);
  void start(const QString& plugin, const QString& preset, int seeds);  // throws Error
  bool isRunning() const { return running_; }
  void stop();

 signals:
  // `line`: what it does now; total 0: not known yet.
  void progressed(int done, int total, const QString& line);
  void ended(const QString& problem);  // empty: decided

 private:
  void look();
  std::filesystem::path runner_, log_directory_, output_;
  ProcessIdentity process_;
  QTimer timer_;
  bool running_ = false;
  bool stopped_ = false;
};

}  // namespace assay
