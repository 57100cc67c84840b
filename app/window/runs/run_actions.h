// What can be done with the selected runs, with its undo and its questions.
#pragma once

#include <QObject>
#include <vector>

#include "core/log/records.h"

class QWidget;

namespace assay {

class Workbench;

class RunActions : public QObject {
  Q_OBJECT
 public:
  RunActions(Workbench& workbench, QWidget* parent);
  void open(const Run& run);
  void compare(const std::vector<Run>& runs);
  void report(const std::vector<Run>& runs);
  void duplicate(const Run& run);
  void askForTag(const std::vector<Run>& runs);
  void addTag(const std::vector<Run>& runs, const QString& tag);
  void stop(const std::vector<Run>& runs);
  void resume(const std::vector<Run>& runs);
  void toggleStar(const Run& run);
  // Moves to the trash at once, with an undo; running ones are left out, and that is said.
  void trash(const std::vector<Run>& runs);
  void restore(const std::vector<Run>& runs);
  // Says how many bytes of files go, asks, removes for good.
  void purge(const std::vector<Run>& runs);

  static bool canStop(const Run& run);
  static bool canResume(const Run& run);

 private:
  void removeForGood(const std::vector<std::int64_t>& ids);
  Workbench& workbench_;
  QWidget* parent_;
};

}  // namespace assay
