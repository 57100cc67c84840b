// The name somebody probably meant.
#pragma once

#include <string>
#include <vector>

namespace assay {

// The candidate that `name` is most likely a slip of (by edit distance, neighbours swapped counting
// once, case ignored); empty when none is near enough.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

// " (did you mean 'learning_rate'?)" or empty.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace assay
