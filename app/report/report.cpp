// See report.h.
#include "app/report/report.h"

#include <QDate>
#include <algorithm>
#include <set>

#include "app/report/content.h"
#include "core/base/error.h"
#include "core/base/files.h"

namespace assay {
namespace {

constexpr std::size_t most_default_metrics = 8;  // a wider table is unreadable on paper

QString words(const std::string& key) {
  QString text = QString::fromStdString(key);
  text.replace('_', ' ').replace('/', ", ");
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

Better better_of(const ReportFacts& facts, const std::string& key) {
  for (const ComparedRun& run : facts.runs) {
    const ExperimentSpec* experiment = facts.experiment(run.run);
    const MetricSpec* spec = experiment != nullptr ? experiment->metric(key) : nullptr;
    if (spec != nullptr) return spec->better;
  }
  return Better::neither;
}

// Those asked for; else those that the manifest shows and some run has; else what there is.
std::vector<std::string> chosen_metrics(const ReportFacts& facts) {
  if (!facts.spec.metrics.empty()) return facts.spec.metrics;
  std::vector<std::string> shown, all;
  for (const ComparedRun& run : facts.runs) {
    const ExperimentSpec* experiment = facts.experiment(run.run);
    for (const MetricSummary& metric : run.metrics) {
      const MetricSpec* spec = experiment != nullptr ? experiment->metric(metric.key) : nullptr;
      if (std::find(all.begin(), all.end(), metric.key) != all.end()) continue;
      all.push_back(metric.key);
      if (spec != nullptr && spec->shown) shown.push_back(metric.key);
    }
  }
  std::vector<std::string>& chosen = shown.empty() ? all : shown;
  if (chosen.size() > most_default_metrics) chosen.resize(most_default_metrics);
  return chosen;
}

void read_curves(ReportFacts& facts, Log& log) {
  std::vector<std::string> keys = facts.spec.figures;
  if (keys.empty()) {
    for (const auto& [key, better] : facts.metrics) keys.push_back(key);
  }
  for (const std::string& key : keys) {
    bool drawn = false;
    std::map<std::int64_t, std::vector<MetricPoint>> by_run;
    for (const ComparedRun& run : facts.runs) {
      if (run.metric(key) == nullptr) continue;
      std::vector<MetricPoint> points = log.curve(run.run.id, key);
      drawn = drawn || points.size() > 1;
      by_run.emplace(run.run.id, std::move(points));
    }
    if (drawn) facts.curves.emplace(key, std::move(by_run));
  }
}

QString default_title(const ReportFacts& facts) {
  QStringList titles;
  for (const ComparedRun& run : facts.runs) {
    QString title = QString::fromStdString(run.run.plugin);
    for (const Manifest& plugin : *facts.plugins) {
      if (plugin.id == run.run.plugin) title = QString::fromStdString(plugin.title);
    }
    const ExperimentSpec* experiment = facts.experiment(run.run);
    title += ": " + (experiment != nullptr ? QString::fromStdString(experiment->title)
                                           : words(run.run.experiment));
    if (!titles.contains(title)) titles << title;
  }
  return titles.join("; ");
}

QString paper_line(const ReportFacts& facts, const std::string& id) {
  for (const Manifest& plugin : *facts.plugins) {
    if (plugin.id != id) continue;
    QStringList authors;
    for (const std::string& author : plugin.paper.authors) {
      authors << QString::fromStdString(author);
    }
    QString line = QString("After \"%1\" (%2")
                       .arg(QString::fromStdString(plugin.paper.title), authors.join(", "));
    if (!plugin.paper.venue.empty()) line += "; " + QString::fromStdString(plugin.paper.venue);
    if (plugin.paper.year > 0) line += QString(" %1").arg(plugin.paper.year);
    return line + ").";
  }
  return {};
}

}  // namespace

const ExperimentSpec* ReportFacts::experiment(const Run& run) const {
  for (const Manifest& plugin : *plugins) {
    if (plugin.id == run.plugin) return plugin.experiment(run.experiment);
  }
  return nullptr;
}

QString ReportFacts::metric_label(const std::string& key) const {
  for (const ComparedRun& run : runs) {
    const ExperimentSpec* known = experiment(run.run);
    const MetricSpec* metric = known != nullptr ? known->metric(key) : nullptr;
    if (metric != nullptr && metric->key == key && !metric->label.empty()) {
      return QString::fromStdString(metric->label);
    }
  }
  return words(key);
}

QString ReportFacts::metric_unit(const std::string& key) const {
  for (const ComparedRun& run : runs) {
    const ExperimentSpec* known = experiment(run.run);
    const MetricSpec* metric = known != nullptr ? known->metric(key) : nullptr;
    if (metric != nullptr) return QString::fromStdString(metric->unit);
  }
  return {};
}

QString ReportFacts::group_label(std::size_t group) const {
  return QString::fromStdString(groups[group].name);
}

Document build_document(Log& log, const std::vector<Manifest>& plugins, const ReportSpec& spec) {
  if (spec.runs.empty()) {
    throw Error(ErrorKind::bad_input, "A report needs at least one run; choose some first");
  }
  ReportFacts facts;
  facts.spec = spec;
  facts.plugins = &plugins;
  facts.runs = read_compared(log, spec.runs);
  const auto keys = spec.group_by.empty() ? differing(facts.runs) : spec.group_by;
  facts.groups = group_runs(facts.runs, keys);
  for (std::size_t g = 0; g < facts.groups.size(); ++g) {
    if (facts.groups[g].name == spec.baseline) facts.baseline = g;
  }
  for (const std::string& key : chosen_metrics(facts)) {
    facts.metrics.emplace_back(key, better_of(facts, key));
  }
  read_curves(facts, log);

  Document document;
  document.title = spec.title.empty() ? default_title(facts) : QString::fromStdString(spec.title);
  document.author = QString::fromStdString(spec.author);
  if (spec.dated) document.date = QDate::currentDate().toString(Qt::ISODate);
  std::set<std::string> papers;
  for (const ComparedRun& run : facts.runs) papers.insert(run.run.plugin);
  for (const std::string& paper : papers) {
    const QString line = paper_line(facts, paper);
    if (!line.isEmpty()) document.blocks.push_back(TextBlock{line, false});
  }
  if (!spec.notes.empty()) {
    document.blocks.push_back(TextBlock{QString::fromStdString(spec.notes), true});
  }
  add_results(document, facts);
  add_differences(document, facts);
  add_figures(document, facts);
  add_claims(document, facts, log);
  add_numbers(document, facts);
  add_reproduction(document, facts);
  fill_tables(document, facts);
  return document;
}

std::vector<std::filesystem::path> export_report(Log& log, const std::vector<Manifest>& plugins,
                                                 const ReportSpec& spec,
                                                 const std::filesystem::path& folder,
                                                 const std::set<ReportFormat>& formats) {
  const Document document = build_document(log, plugins, spec);
  const std::filesystem::path figures = folder / "figures";
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (!fault &&
      (formats.contains(ReportFormat::latex) || formats.contains(ReportFormat::markdown))) {
    std::filesystem::create_directories(figures, fault);
  }
  if (fault) {
    throw Error(ErrorKind::storage,
                "Can't make the folder " + folder.string() + ": " + fault.message());
  }
  std::vector<std::filesystem::path> written;
  const auto write = [&](const std::filesystem::path& path, const QByteArray& bytes) {
    write_atomically(path,
                     std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    written.push_back(path);
  };
  if (formats.contains(ReportFormat::html))
    write(folder / "report.html", toHtml(document).toUtf8());
  if (formats.contains(ReportFormat::pdf)) write(folder / "report.pdf", toPdf(document));
  for (const Block& block : document.blocks) {
    const auto* figure = std::get_if<FigureBlock>(&block);
    if (figure == nullptr) continue;
    const std::filesystem::path base = figures / figure->id.toStdString();
    if (formats.contains(ReportFormat::latex)) {
      writeFigurePdf(*figure, QString::fromStdString(base.string() + ".pdf"));
      written.emplace_back(base.string() + ".pdf");
    }
    if (formats.contains(ReportFormat::markdown)) write(base.string() + ".svg", figureSvg(*figure));
  }
  if (formats.contains(ReportFormat::latex)) {
    write(folder / "report.tex", toLatex(document, "figures").toUtf8());
  }
  if (formats.contains(ReportFormat::markdown)) {
    write(folder / "report.md", toMarkdown(document, "figures").toUtf8());
  }
  if (formats.contains(ReportFormat::csv)) {
    write(folder / "runs.csv", QByteArray::fromStdString(to_csv(document.runs)));
    write(folder / "curves.csv", QByteArray::fromStdString(to_csv(document.curves)));
  }
  return written;
}

}  // namespace assay
