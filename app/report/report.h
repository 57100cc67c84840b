// Reports: from runs in the log to HTML, PDF, LaTeX, Markdown and CSV, with the way back to each
// number.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/log/log.h"
#include "core/study/manifest.h"

namespace assay {

struct Document;

enum class ReportFormat { html, pdf, latex, markdown, csv };
inline const std::set<ReportFormat> all_report_formats{ReportFormat::html, ReportFormat::pdf,
                                                       ReportFormat::latex, ReportFormat::markdown,
                                                       ReportFormat::csv};

struct ReportSpec {
  std::string title;  // empty: made from the runs
  std::string author;
  std::string notes;                  // Markdown, after the title
  std::vector<std::string> runs;      // public ids, in order
  std::vector<std::string> metrics;   // keys of the result tables; empty: those the manifest shows
  std::vector<std::string> figures;   // metric keys drawn as curves; empty: those of `metrics`
  std::vector<std::string> claims;    // "plugin.claim"; empty: all stored ones of the runs' papers
  std::vector<std::string> group_by;  // empty: all parameters that differ
  std::string baseline;               // name of a group; empty: the first
  bool dated = true;                  // the only thing that differs between two equal exports
};

// Needs a QApplication (any platform, offscreen too) for fonts. Throws Error: not_found for a run
// that is not there, bad_input for no run at all.
Document build_document(Log& log, const std::vector<Manifest>& plugins, const ReportSpec& spec);

// Writes report.html, report.pdf, report.tex + figures/*.pdf, report.md + figures/*.svg, runs.csv
// and curves.csv into `folder` (made when missing). Returns the files written. Throws
// Error(storage).
std::vector<std::filesystem::path> export_report(
    Log& log, const std::vector<Manifest>& plugins, const ReportSpec& spec,
    const std::filesystem::path& folder,
    const std::set<ReportFormat>& formats = all_report_formats);

}  // namespace assay
