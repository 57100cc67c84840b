// Executing a run in this process, and the log it lives in.
#pragma once

#include <string>

#include "app/runner/commands.h"
#include "app/runner/console.h"
#include "core/engine/experiment.h"
#include "core/log/log.h"
#include "core/study/manifest.h"

namespace assay {

// An existing log; throws not_found where there is none, so that a mistyped --log makes no folder.
Log open_existing_log(const CommonOptions& common);
// The same, read-only where it can't be written.
Log open_log_for_reading(const CommonOptions& common);

// Claims a run that is in one of `from` and carries it to its end in this process. Throws bad_input
// when somebody else was faster. Prints the run as JSON or as a summary.
int execute_here(Log& log, const Run& run, const std::vector<RunState>& from,
                 const std::vector<Manifest>& plugins, const CommonOptions& common);

// A summary for people.
void print_run(Log& log, const Run& run, bool full);

}  // namespace assay
