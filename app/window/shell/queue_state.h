// What runs and what waits, as the queue bar and the queue panel show it.
#pragma once

#include <QString>
#include <vector>

#include "core/log/log.h"

namespace assay {

struct QueueState {
  std::vector<Run> running;  // oldest first
  std::vector<Run> waiting;  // first to start first
};

QueueState readQueue(Log& log);
// "step 1,240 of 2,000 · 41 s left", or what the experiment says it does.
QString queueProgressText(const Run& run);

}  // namespace assay
