// Starts and stops runners; keeps one warm; starts queued runs as places become free.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/log/log.h"

namespace assay {

class Workbench;

class RunnerPool : public QObject {
  Q_OBJECT
 public:
  explicit RunnerPool(Workbench& workbench);
  ~RunnerPool() override;  // closes the warm runner's input; runs go on

  QString runnerPath() const;
  void warmUp();  // called once the window is painted; from then on the queue is served
  // Inserts and starts (or queues when all places are taken). With `queueOnly` they go to the end
  // of the queue, else to its front. Returns the new runs; throws Error.
  std::vector<Run> start(const std::vector<NewRun>& runs, bool queueOnly = false);
  void resume(const Run& run);
  // Stop and pause: a request; without an answer in 10 s the process is terminated, 5 s later
  // killed.
  void stop(const Run& run);
  void pause(const Run& run);
  int places() const;  // how many run at once
  void setPlaces(int places);
  bool queueHeld() const;  // nothing new is started while held
  void setQueueHeld(bool held);
  // beforeId 0: to the end.
  void moveInQueue(std::int64_t id, std::int64_t beforeId);

 signals:
  void changed();
  void started(qint64 run);  // by start(), one signal for each

 private:
  void tick();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay
