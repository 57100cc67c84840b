// What is new of a run since it was last read, read in one go off the window's thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/log/log.h"

namespace assay {

// How far a page has read.
struct RunCursor {
  std::int64_t run_id = 0;
  std::int64_t process_start = 0;  // of the attempt; another one may have replaced rows
  std::int64_t pid = 0;
  std::map<std::string, std::int64_t> last_step;  // per metric key
  std::int64_t last_event = 0;
  bool begun = false;
};

struct RunUpdate {
  Run run;
  std::vector<MetricSummary> metrics;
  std::map<std::string, std::vector<MetricPoint>> points;  // new ones of each key
  std::vector<Event> events;
  std::vector<Artifact> artifacts;  // all of them
  ParameterSet parameters;          // only when `whole`
  std::map<std::string, double> timings;
  // Everything was read anew: forget what there was. After a resume, rows may have been replaced.
  bool whole = false;
  RunCursor cursor;  // for the next time
};

// Throws Error as Log does; not_found when the run is gone.
RunUpdate read_update(Log& log, const RunCursor& cursor);

}  // namespace assay
