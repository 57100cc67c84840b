// See headless.h.
#include "app/report/headless.h"

#include <cstdio>

#include "app/report/report.h"
#include "core/base/error.h"

namespace assay {

int report_headless(const std::filesystem::path& log_directory, const std::filesystem::path& folder,
                    const std::vector<std::string>& runs) {
  try {
    Log log(log_directory, Log::Mode::read_only);
    ReportSpec spec;
    for (const std::string& address : runs) spec.runs.push_back(log.find(address).public_id);
    if (runs.empty()) {
      RunQuery query;
      query.filter = "state:finished";
      query.descending = false;
      for (const RunRow& row : log.runs(query)) spec.runs.push_back(row.run.public_id);
    }
    if (spec.runs.empty()) {
      throw Error(ErrorKind::not_found,
                  "There is no finished run in " + log_directory.string() + " to report on");
    }
    for (const auto& file : export_report(log, find_plugins(), spec, folder)) {
      std::puts(file.string().c_str());
    }
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "assay: %s\n", error.what());
    return error.exit_code();
  }
}

}  // namespace assay
