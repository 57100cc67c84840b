// What runs and what waits.
#include "app/window/shell/queue_state.h"

#include "app/window/widgets/looks.h"

namespace assay {
namespace {

std::vector<Run> runsIn(Log& log, RunState state, const char* sort) {
  RunQuery query;
  query.filter = "state:" + to_string(state);
  query.sort = sort;
  query.descending = false;
  std::vector<Run> runs;
  for (RunRow& row : log.runs(query)) runs.push_back(std::move(row.run));
  return runs;
}

}  // namespace

QueueState readQueue(Log& log) {
  return {runsIn(log, RunState::running, "started"),
          runsIn(log, RunState::queued, "queue_position")};
}

QString queueProgressText(const Run& run) {
  QStringList parts;
  if (run.progress_total > 0) {
    parts << QString("step %1 of %2")
                 .arg(countText(run.progress_done), countText(run.progress_total));
  } else if (run.progress_done > 0) {
    parts << QString("step %1").arg(countText(run.progress_done));
  }
  if (run.progress_total == 0 && !run.progress_text.empty()) {
    parts << QString::fromStdString(run.progress_text);
  }
  if (run.eta_seconds) parts << durationText(*run.eta_seconds) + " left";
  if (run.heartbeat_late(now_seconds())) parts << "no sign of life for 10 s";
  return parts.join(" · ");
}

}  // namespace assay
