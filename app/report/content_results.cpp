// Results, differences, figures and claims of a report.
#include <cmath>
#include <set>

#include "app/report/content.h"
#include "app/viewers/number_text.h"
#include "app/viewers/theme.h"
#include "core/study/claims.h"

namespace assay {
namespace {

QString text_of(const std::string& text) {
  return QString::fromStdString(text);
}

QString runs_word(std::size_t count) {
  return count == 1 ? QString("1 run") : QString("%1 runs").arg(count);
}

TableBlock mean_table(const ReportFacts& facts, const std::vector<ResultTable>& tables) {
  TableBlock block;
  block.caption =
      "Mean and half width of the 95 % interval (Student's t) of the last value over "
      "runs; the best mean is bold.";
  block.columns = {"Group", "Runs"};
  block.numeric = {false, true};
  for (const ResultTable& table : tables) {
    const QString unit = facts.metric_unit(table.metric);
    block.columns.push_back(facts.metric_label(table.metric) +
                            (unit.isEmpty() ? QString() : " [" + unit + "]"));
    block.numeric.push_back(true);
  }
  std::size_t missing = 0;
  for (std::size_t g = 0; g < facts.groups.size(); ++g) {
    std::vector<QString> row{facts.group_label(g),
                             formatCount(static_cast<std::int64_t>(facts.groups[g].runs.size()))};
    std::vector<bool> strong{false, false};
    for (const ResultTable& table : tables) {
      row.push_back(summaryText(table.rows[g].summary));
      strong.push_back(table.rows[g].best);
      if (table.rows[g].summary.count > 0) missing += table.rows[g].missing;
    }
    block.rows.push_back(std::move(row));
    block.strong.push_back(std::move(strong));
  }
  if (missing > 0) {
    block.note =
        QString("%1 left out: no value, or one that is not finite.")
            .arg(missing == 1 ? QString("1 value is") : QString("%1 values are").arg(missing));
  }
  return block;
}

TableBlock test_table(const ReportFacts& facts, const std::vector<ResultTable>& tables) {
  TableBlock block;
  block.caption =
      "Differences against " + facts.group_label(facts.baseline) +
      ", paired over seeds: 95 % interval and p of the paired t test, corrected by Holm "
      "over this table, and Cohen's d_z.";
  block.columns = {"Metric", "Group", "Difference", "95 % interval", "p (Holm)", "d_z", "Pairs"};
  block.numeric = {false, false, true, true, true, true, true};
  bool small = false;
  for (const ResultTable& table : tables) {
    for (const ResultRow& row : table.rows) {
      if (!row.against) continue;
      const PairedTest& test = *row.against;
      const bool tested = test.count >= 2;
      small = small || test.count < 5;
      block.rows.push_back(
          {facts.metric_label(table.metric), facts.group_label(row.group),
           formatSigned(test.mean_difference), tested ? rangeText(test.low, test.high) : QString(),
           tested ? formatP(row.p_corrected) : QString(),
           tested && std::isfinite(test.effect_size) ? QString::number(test.effect_size, 'f', 2)
                                                     : QString(),
           formatCount(static_cast<std::int64_t>(test.count))});
    }
  }
  if (small) block.note = "Small sample (fewer than five pairs): read the interval, not the p.";
  return block;
}

// Rows become columns: a table wider than the page is of no use.
TableBlock turned(const TableBlock& block, const QString& corner) {
  TableBlock result;
  result.caption = block.caption;
  result.note = block.note;
  result.columns = {corner};
  result.numeric = {false};
  for (const auto& row : block.rows) {
    result.columns.push_back(row[0]);
    result.numeric.push_back(true);
  }
  for (std::size_t c = 1; c < block.columns.size(); ++c) {
    std::vector<QString> row{block.columns[c]};
    std::vector<bool> strong{false};
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      row.push_back(block.rows[r][c]);
      strong.push_back(block.strong[r][c]);
    }
    result.rows.push_back(std::move(row));
    result.strong.push_back(std::move(strong));
  }
  return result;
}

}  // namespace

QString summaryText(const Summary& summary) {
  if (summary.count == 0) return QStringLiteral("none");
  if (summary.count < 2) return formatNumber(summary.mean);
  return formatInterval(summary.mean, (summary.high - summary.low) / 2.0);
}

QString rangeText(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return QStringLiteral("unknown");
  return QString("[%1, %2]").arg(formatNumber(low, 3), formatNumber(high, 3));
}

void add_results(Document& document, const ReportFacts& facts) {
  document.blocks.push_back(HeadingBlock{2, "Results"});
  if (facts.metrics.empty()) {
    document.blocks.push_back(TextBlock{"These runs wrote no metrics.", false});
    return;
  }
  const auto tables = results(facts.runs, facts.groups, facts.metrics, facts.baseline);
  TableBlock means = mean_table(facts, tables);
  if (facts.metrics.size() > facts.groups.size()) means = turned(means, "Metric");
  document.blocks.push_back(std::move(means));
  if (facts.groups.size() < 2) return;
  TableBlock tests = test_table(facts, tables);
  if (!tests.rows.empty()) document.blocks.push_back(std::move(tests));
}

void add_differences(Document& document, const ReportFacts& facts) {
  if (facts.groups.size() < 2) return;
  TableBlock block;
  block.columns = {"Parameter"};
  block.numeric = {false};
  for (std::size_t g = 0; g < facts.groups.size(); ++g) {
    block.columns.push_back(facts.group_label(g));
    block.numeric.push_back(false);
  }
  std::size_t equal = 0;
  for (const DifferenceRow& row : differences(facts.runs, facts.groups)) {
    if (row.equal) {
      ++equal;
      continue;
    }
    std::vector<QString> cells{text_of(row.key)};
    for (const std::string& value : row.values) cells.push_back(text_of(value));
    block.rows.push_back(std::move(cells));
  }
  if (block.rows.empty()) return;
  block.note = QString("%1 equal in all runs.")
                   .arg(equal == 1 ? QString("1 more is") : QString("%1 more are").arg(equal));
  document.blocks.push_back(HeadingBlock{2, "What differs"});
  document.blocks.push_back(std::move(block));
}

void add_figures(Document& document, const ReportFacts& facts) {
  bool heading = false;
  int number = 1;
  for (const auto& [key, by_run] : facts.curves) {
    FigureBlock figure;
    figure.id = QString("figure-%1").arg(number);
    const QString unit = facts.metric_unit(key);
    figure.y_title = facts.metric_label(key) + (unit.isEmpty() ? QString() : " [" + unit + "]");
    figure.x_title = "step";
    bool band = false;
    for (std::size_t g = 0; g < facts.groups.size(); ++g) {
      std::vector<std::vector<MetricPoint>> curves;
      for (const std::size_t i : facts.groups[g].runs) {
        const Run& run = facts.runs[i].run;
        const auto found = by_run.find(run.id);
        if (found != by_run.end() && !found->second.empty()) curves.push_back(found->second);
        const ExperimentSpec* experiment = facts.experiment(run);
        const MetricSpec* spec = experiment != nullptr ? experiment->metric(key) : nullptr;
        if (spec != nullptr && !spec->axis.empty()) figure.x_title = text_of(spec->axis);
      }
      if (curves.empty()) continue;
      const MeanCurve mean = mean_curve(curves);
      FigureSeries series;
      series.name = facts.group_label(g) +
                    (mean.runs > 1 ? QString(" (mean of %1)").arg(mean.runs) : QString());
      series.color_index = static_cast<int>(g % 6);
      series.dash = Theme::seriesDash(static_cast<int>(g % 3) * 6);
      series.x = mean.step;
      series.y = mean.mean;
      if (mean.runs > 1) {
        series.low = mean.low;
        series.high = mean.high;
        band = true;
      }
      figure.series.push_back(std::move(series));
    }
    if (figure.series.empty()) continue;
    figure.caption =
        QString("Figure %1. %2 by %3%4.")
            .arg(number)
            .arg(facts.metric_label(key), figure.x_title,
                 band ? QString("; band: 95 % interval of the mean over runs") : QString());
    if (!heading) document.blocks.push_back(HeadingBlock{2, "Curves"});
    heading = true;
    ++number;
    document.blocks.push_back(std::move(figure));
  }
}

void add_claims(Document& document, const ReportFacts& facts, Log& log) {
  TableBlock block;
  block.columns = {"Claim",    "Verdict", "Difference", "95 % interval",
                   "p (Holm)", "Seeds",   "Preset"};
  block.numeric = {false, false, true, true, true, true, false};
  std::vector<QString> reasons;
  std::set<std::string> papers;
  for (const ComparedRun& run : facts.runs) papers.insert(run.run.plugin);
  for (const std::string& paper : papers) {
    for (const StoredClaim& stored : log.claims(paper)) {
      const std::string address = stored.plugin + "." + stored.claim;
      const auto& wanted = facts.spec.claims;
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), address) == wanted.end()) {
        continue;
      }
      QString title = text_of(stored.claim);
      for (const Manifest& plugin : *facts.plugins) {
        if (plugin.id != paper) continue;
        for (const ClaimSpec& claim : plugin.claims) {
          if (claim.id == stored.claim) title = text_of(claim.title);
        }
      }
      const Json& r = stored.result;
      const auto number = [&r](const char* key) {
        return r.is_object() && r.contains(key) && r[key].is_number() ? r[key].get<double>()
                                                                      : std::nan("");
      };
      const auto words = [&r](const char* key) {
        return r.is_object() && r.contains(key) && r[key].is_string()
                   ? text_of(r[key].get<std::string>())
                   : QString();
      };
      const std::size_t pairs =
          r.is_object() && r.contains("pairs") && r["pairs"].is_array() ? r["pairs"].size() : 0;
      block.rows.push_back({title, words("verdict"), formatSigned(number("difference")),
                            rangeText(number("interval_low"), number("interval_high")),
                            formatP(number("p_corrected")),
                            formatCount(static_cast<std::int64_t>(pairs)), text_of(stored.preset)});
      reasons.push_back(title + ": " + words("reason"));
    }
  }
  if (block.rows.empty()) return;
  block.caption =
      "Verdicts from a 95 % interval of the paired differences over seeds, at the scale "
      "that was run.";
  document.blocks.push_back(HeadingBlock{2, "Claims"});
  document.blocks.push_back(std::move(block));
  for (const QString& reason : reasons) document.blocks.push_back(TextBlock{reason, false});
}

void add_numbers(Document& document, const ReportFacts& facts) {
  if (facts.metrics.empty()) return;
  TableBlock block;
  block.caption = "Last value of each metric and the run it comes from.";
  block.columns = {"Run", "Id", "Group", "Seed", "State"};
  block.numeric = {false, false, false, true, false};
  for (const auto& [key, better] : facts.metrics) {
    block.columns.push_back(facts.metric_label(key));
    block.numeric.push_back(true);
  }
  for (std::size_t g = 0; g < facts.groups.size(); ++g) {
    for (const std::size_t i : facts.groups[g].runs) {
      const Run& run = facts.runs[i].run;
      std::vector<QString> row{text_of(run.name), text_of(run.public_id), facts.group_label(g),
                               QString::number(run.seed), text_of(to_string(run.state))};
      for (const auto& [key, better] : facts.metrics) {
        const MetricSummary* metric = facts.runs[i].metric(key);
        row.push_back(metric == nullptr ? QString("none") : formatNumber(metric->last, 6));
      }
      block.rows.push_back(std::move(row));
    }
  }
  document.blocks.push_back(
      HeadingBlock{2, "The numbers behind (" + runs_word(facts.runs.size()) + ")"});
  document.blocks.push_back(std::move(block));
}

}  // namespace assay
