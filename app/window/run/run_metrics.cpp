// See run_metrics.h.
#include "app/window/run/run_metrics.h"

#include "app/viewers/number_text.h"
#include "app/viewers/table/table_view.h"
#include "app/window/run/curve_groups.h"
#include "app/window/widgets/looks.h"

namespace assay {

RunMetrics::RunMetrics(QWidget* parent) : QFrame(parent) {
  setProperty("look", "card");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(15, 12, 15, 12);
  column->setSpacing(4);
  column->addWidget(makeLabel(tr("Metrics"), "heading", this));
  table_ = new TableView(this);
  table_->setObjectName("metrics");
  table_->setAccessibleName(tr("Metrics"));
  table_->setFitsContents(true);
  table_->setColumns({{tr("Metric"), false, {}},
                      {tr("Now"), true, tr("The last value")},
                      {tr("Best"), true, tr("The best value, where lower or higher is better")},
                      {tr("At step"), true, tr("Where the best was, else the last")},
                      {tr("Unit"), false, {}}});
  column->addWidget(table_);
}

void RunMetrics::show(const RunUpdate& update, const ExperimentSpec* experiment) {
  QVector<QVector<GridCell>> rows;
  for (const MetricSummary& metric : update.metrics) {
    const MetricSpec* spec = experiment != nullptr ? experiment->metric(metric.key) : nullptr;
    GridCell name{metricName(metric.key, experiment), {}, {}, false, false,
                  QString::fromStdString(metric.key)};
    if (spec != nullptr && !spec->help.empty()) {
      name.tip += "\n" + QString::fromStdString(spec->help);
    }
    GridCell best;
    if (metric.best) best = {formatNumber(*metric.best), *metric.best, {}, false, false, {}};
    const std::int64_t step = metric.best ? metric.best_step : metric.step;
    rows.append({name,
                 {formatNumber(metric.last), metric.last, {}, false, false, {}},
                 best,
                 {formatCount(step), static_cast<double>(step), {}, false, false, {}},
                 {spec != nullptr ? QString::fromStdString(spec->unit) : QString(),
                  {},
                  {},
                  false,
                  true,
                  {}}});
  }
  table_->setRows(rows);
  setVisible(!rows.isEmpty());
}

}  // namespace assay
