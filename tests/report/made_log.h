// A log with runs of two groups over seeds, made through the writer: odd names, values that are not
// finite, a run without a metric, a failed one.
#pragma once

#include <string>
#include <vector>

#include "core/log/log.h"

namespace assay::test {

struct MadeLog {
  std::vector<std::string>
      runs;  // public ids: three of "alpha", three of "beta", then the odd ones
  std::string without_metrics, not_finite;
};

// Into an empty directory.
MadeLog make_log(const std::string& directory);
std::vector<Manifest> made_plugins();  // the one paper that the runs belong to

}  // namespace assay::test
