// Older configurations: renamed, removed and re-spelled parameters; inside core/study only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/study/manifest.h"

namespace assay {

// Brings values of version `from` to the experiment's current version, one version at a time, and
// tells each change in one line. `from` lies between 1 and the current version.
std::map<std::string, Value> repair(const ExperimentSpec& experiment, int from,
                                    std::map<std::string, Value> values,
                                    std::vector<std::string>& notes);

// What became of a key that an older version had: "was renamed to 'learning_rate' in version 2",
// "was removed in version 3"; empty when no version ever had it.
std::string fate_of_key(const ExperimentSpec& experiment, const std::string& key);

}  // namespace assay
