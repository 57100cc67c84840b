// From the log to the facts of a report; the parts of build_document.
#pragma once

#include "app/report/comparison.h"
#include "app/report/document.h"
#include "app/report/report.h"

namespace assay {

// All that the parts need, read once.
struct ReportFacts {
  ReportSpec spec;
  std::vector<ComparedRun> runs;
  std::vector<RunGroup> groups;
  std::size_t baseline = 0;
  std::vector<std::pair<std::string, Better>> metrics;
  std::map<std::string, std::map<std::int64_t, std::vector<MetricPoint>>> curves;  // key, run id
  const std::vector<Manifest>* plugins = nullptr;

  const ExperimentSpec* experiment(const Run& run) const;
  QString metric_label(const std::string& key) const;
  QString metric_unit(const std::string& key) const;
  QString group_label(std::size_t group) const;
};

// Mean and half width, or the one value there is: "0.874 ± 0.006".
QString summaryText(const Summary& summary);
// "[0.012, 0.034]" at the interval's own precision.
QString rangeText(double low, double high);

void add_results(Document& document, const ReportFacts& facts);
void add_differences(Document& document, const ReportFacts& facts);
void add_figures(Document& document, const ReportFacts& facts);
void add_claims(Document& document, const ReportFacts& facts, Log& log);
void add_numbers(Document& document, const ReportFacts& facts);
void add_reproduction(Document& document, const ReportFacts& facts);
void fill_tables(Document& document, const ReportFacts& facts);  // runs.csv, curves.csv

// The command that makes the run again.
QString report_command(const ReportFacts& facts, const ComparedRun& run);

}  // namespace assay
