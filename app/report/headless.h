// `assay --report DIR RUN...`: the whole report without a window.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay {

// Writes all five formats of the runs (names, ids or unique prefixes; none: every finished run) and
// prints each file written, or one clear line of what is wrong on standard error. Returns the exit
// code: 0, 2 for bad input, 3 for other faults. Needs a QApplication; the offscreen platform will
// do.
int report_headless(const std::filesystem::path& log_directory, const std::filesystem::path& folder,
                    const std::vector<std::string>& runs);

}  // namespace assay
