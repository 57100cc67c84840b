// See run_update.h.
#include "app/window/run/run_update.h"

#include <algorithm>

namespace assay {

RunUpdate read_update(Log& log, const RunCursor& cursor) {
  RunUpdate update;
  update.run = log.run(cursor.run_id);
  update.metrics = log.metrics(cursor.run_id);
  update.cursor = cursor;
  RunCursor& next = update.cursor;
  const ProcessIdentity& process = update.run.process;
  update.whole =
      !cursor.begun || process.pid != cursor.pid || process.start_ticks != cursor.process_start;
  for (const MetricSummary& metric : update.metrics) {
    const auto seen = cursor.last_step.find(metric.key);
    if (seen != cursor.last_step.end() && metric.step < seen->second) update.whole = true;
  }
  if (update.whole) {
    next.last_step.clear();
    next.last_event = 0;
    update.parameters = log.parameter_set(cursor.run_id);
  }
  next.begun = true;
  next.pid = process.pid;
  next.process_start = process.start_ticks;
  for (const MetricSummary& metric : update.metrics) {
    const auto seen = next.last_step.find(metric.key);
    std::optional<std::int64_t> after;
    if (seen != next.last_step.end()) after = seen->second;
    if (after && metric.step <= *after) continue;
    std::vector<MetricPoint> points = log.curve(cursor.run_id, metric.key, after);
    if (points.empty()) continue;
    next.last_step[metric.key] = points.back().step;
    update.points.emplace(metric.key, std::move(points));
  }
  update.events = log.events(cursor.run_id, next.last_event);
  for (const Event& event : update.events) {
    next.last_event = std::max(next.last_event, event.id);
  }
  update.artifacts = log.artifacts(cursor.run_id);
  update.timings = log.timings(cursor.run_id);
  return update;
}

}  // namespace assay
