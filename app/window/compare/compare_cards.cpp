// Differences and results; see compare_cards.h.
#include "app/window/compare/compare_cards.h"

#include <QCheckBox>
#include <QSortFilterProxyModel>
#include <cmath>

#include "app/viewers/number_text.h"
#include "app/viewers/table/table_view.h"
#include "app/viewers/theme.h"
#include "app/window/run/curve_groups.h"
#include "app/window/widgets/looks.h"

namespace assay {
namespace {

QVBoxLayout* cardColumn(QFrame* card) {
  card->setProperty("look", "card");
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(15, 12, 15, 12);
  column->setSpacing(4);
  return column;
}

QString text_of(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

DifferencesCard::DifferencesCard(QWidget* parent) : QFrame(parent) {
  QVBoxLayout* column = cardColumn(this);
  auto* row = new QHBoxLayout;
  row->addWidget(makeLabel(tr("What differs"), "heading", this));
  row->addStretch(1);
  all_ = new QCheckBox(tr("All parameters"), this);
  all_->setObjectName("all_parameters");
  row->addWidget(all_);
  column->addLayout(row);
  table_ = new TableView(this);
  table_->setObjectName("differences");
  table_->setAccessibleName(tr("What differs"));
  table_->setFitsContents(true);
  column->addWidget(table_);
  note_ = makeLabel({}, "soft", this);
  column->addSpacing(4);
  column->addWidget(note_);
  column->addStretch(1);
  connect(all_, &QCheckBox::toggled, this, &DifferencesCard::fill);
}

void DifferencesCard::show(const CompareScene& scene) {
  rows_ = differences(scene.data->runs, scene.groups);
  experiment_ = scene.experiment;
  if (groups_ != scene.group_names || table_->grid().columns().isEmpty()) {
    groups_ = scene.group_names;
    QVector<GridColumn> columns{{tr("Parameter"), false, {}}};
    for (const QString& group : groups_) columns.append({group, false, group});
    table_->setColumns(columns);
  }
  fill();
}

void DifferencesCard::fill() {
  QVector<QVector<GridCell>> rows;
  int hidden = 0;
  for (const DifferenceRow& difference : rows_) {
    if (difference.equal && !all_->isChecked()) {
      ++hidden;
      continue;
    }
    const ParameterSpec* spec =
        experiment_ != nullptr ? experiment_->parameter(difference.key) : nullptr;
    QVector<GridCell> row;
    row.append({spec != nullptr ? text_of(spec->label) : wordsOf(difference.key, nullptr),
                {},
                {},
                false,
                false,
                text_of(difference.key)});
    for (std::size_t g = 0; g < difference.values.size(); ++g) {
      const QString value = text_of(difference.values[g]);
      row.append(
          {value, {}, {}, !difference.equal && all_->isChecked(), !difference.set[g], value});
    }
    rows.append(row);
  }
  table_->setRows(rows);
  table_->setVisible(!rows.isEmpty());
  if (rows.isEmpty()) {
    note_->setText(tr("Nothing differs but the seeds."));
  } else {
    note_->setText(
        hidden == 0
            ? QString()
            : tr("%1 hidden").arg(plural(hidden, tr("equal parameter"), tr("equal parameters"))));
  }
  note_->setVisible(!note_->text().isEmpty());
}

ResultCard::ResultCard(QWidget* parent) : QFrame(parent) {
  QVBoxLayout* column = cardColumn(this);
  title_ = makeLabel(tr("Result"), "heading", this);
  column->addWidget(title_);
  table_ = new TableView(this);
  table_->setObjectName("results");
  table_->setAccessibleName(tr("Result"));
  table_->setFitsContents(true);
  column->addWidget(table_);
  note_ = makeWrapped({}, "soft", this);
  column->addSpacing(4);
  column->addWidget(note_);
  column->addStretch(1);
}

namespace {

// "+0.071 better": the word says it without the colour.
GridCell againstCell(const ResultRow& row, Better better) {
  const double difference = row.against->mean_difference;
  GridCell cell{formatSigned(difference), difference, {}, false, false, {}};
  if (better == Better::neither || difference == 0.0 || !std::isfinite(difference)) return cell;
  const bool good = (difference > 0.0) == (better == Better::higher);
  cell.text += good ? QObject::tr(" better") : QObject::tr(" worse");
  cell.color = toneColor(good ? "good" : "bad");
  return cell;
}

QString seedsNote(const ResultTable& table) {
  std::size_t fewest = SIZE_MAX, most = 0;
  std::size_t missing = 0;
  for (const ResultRow& row : table.rows) {
    fewest = std::min(fewest, row.summary.count);
    most = std::max(most, row.summary.count);
    missing += row.missing;
  }
  QString note = fewest == most ? QObject::tr("%1 each.")
                                      .arg(plural(static_cast<std::int64_t>(most),
                                                  QObject::tr("run"), QObject::tr("runs")))
                                : QObject::tr("%1 to %2 runs each.").arg(fewest).arg(most);
  if (missing > 0) note += QObject::tr(" %1 without a finite value left out.").arg(missing);
  if (table.small_sample) note += QObject::tr(" Small sample: read the interval, not the p.");
  return note;
}

}  // namespace

void ResultCard::show(const CompareScene& scene) {
  const auto tables = results(scene.data->runs, scene.groups, {{scene.data->metric, scene.better}},
                              scene.baseline, scene.value);
  if (tables.empty() || scene.data->metric.empty()) {
    table_->setRows({});
    note_->setText(tr("These runs have no metric in common yet."));
    return;
  }
  const ResultTable& table = tables.front();
  const bool several = scene.groups.size() > 1;
  const QString unit = scene.unit.isEmpty() ? QString() : " [" + scene.unit + "]";
  QVector<GridColumn> columns{
      {tr("Group"), false, {}},
      {scene.metric_title + unit, true, tr("Mean and half width of the 95 % interval")}};
  if (several) {
    columns += {{tr("Against baseline"), true, tr("Mean difference, paired over seeds")},
                {tr("95 % interval"), true, {}},
                {tr("p"), true, tr("Paired t test, corrected by Holm")},
                {tr("d"), true, tr("Effect size: Cohen's d of the paired differences")}};
  }
  QVector<QVector<GridCell>> rows;
  const ThemeTokens& tokens = Theme::of().tokens();
  for (std::size_t g = 0; g < table.rows.size(); ++g) {
    const ResultRow& row = table.rows[g];
    const bool interval = row.summary.count > 1;
    const QString mean =
        row.summary.count == 0 ? tr("none")
        : interval ? formatInterval(row.summary.mean, (row.summary.high - row.summary.low) / 2)
                   : formatNumber(row.summary.mean);
    QVector<GridCell> cells{
        {scene.group_names.value(static_cast<qsizetype>(g)),
         {},
         tokens.series[static_cast<qsizetype>(g) % tokens.series.size()],
         false,
         false,
         {}},
        {mean + (row.best ? tr(" best") : QString()), row.summary.mean, {}, row.best, false, {}}};
    if (several && g == table.baseline) {
      cells += {{tr("baseline"), {}, {}, false, true, {}}, {}, {}, {}};
    } else if (several && row.against) {
      const PairedTest& test = *row.against;
      const bool tested = test.count >= 2;
      const auto number = [&](double value, const QString& text) {
        return GridCell{tested ? text : QString(), value, {}, false, false, {}};
      };
      cells +=
          {againstCell(row, scene.better),
           number(test.low,
                  QString("[%1, %2]").arg(formatNumber(test.low, 3), formatNumber(test.high, 3))),
           number(row.p_corrected, formatP(row.p_corrected)),
           number(test.effect_size, std::isfinite(test.effect_size)
                                        ? QString::number(test.effect_size, 'f', 2)
                                        : QString())};
    } else if (several) {
      cells += {{tr("no common seed"), {}, {}, false, true, {}}, {}, {}, {}};
    }
    rows.append(cells);
  }
  table_->setColumns(columns);
  table_->setRows(rows);
  note_->setText(seedsNote(table));
}

ComparedRunsCard::ComparedRunsCard(QWidget* parent) : QFrame(parent) {
  QVBoxLayout* column = cardColumn(this);
  auto* row = new QHBoxLayout;
  row->addWidget(makeLabel(tr("Runs"), "heading", this));
  row->addStretch(1);
  QPushButton* const remove = makeButton(tr("Remove"), "remove_runs", "quiet", this);
  row->addWidget(remove);
  column->addLayout(row);
  table_ = new TableView(this);
  table_->setObjectName("compared_runs");
  table_->setAccessibleName(tr("Compared runs"));
  table_->setFitsContents(true, 320);
  table_->setColumns({{tr("Run"), false, {}},
                      {tr("Group"), false, {}},
                      {tr("Seed"), true, {}},
                      {tr("State"), false, {}},
                      {tr("Value"), true, {}}});
  column->addWidget(table_);
  column->addStretch(1);
  connect(table_, &TableView::rowActivated, this, [this](int index) {
    if (index >= 0 && index < ids_.size()) emit opened(ids_[index]);
  });
  const auto remove_chosen = [this]() {
    QStringList chosen;
    const auto* order = qobject_cast<QSortFilterProxyModel*>(table_->model());
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) {
      chosen << ids_.value(order->mapToSource(index).row());
    }
    if (!chosen.isEmpty()) emit removed(chosen);
  };
  connect(remove, &QPushButton::clicked, this, remove_chosen);
}

void ComparedRunsCard::show(const CompareScene& scene) {
  QVector<QVector<GridCell>> rows;
  ids_.clear();
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    for (const std::size_t i : scene.groups[g].runs) {
      const ComparedRun& entry = scene.data->runs[i];
      const MetricSummary* metric = entry.metric(scene.data->metric);
      ids_ << text_of(entry.run.public_id);
      rows.append({{text_of(entry.run.name), {}, {}, false, false, text_of(entry.run.public_id)},
                   {scene.group_names.value(static_cast<qsizetype>(g)), {}, {}, false, false, {}},
                   {QString::number(entry.run.seed),
                    static_cast<double>(entry.run.seed),
                    {},
                    false,
                    false,
                    {}},
                   {stateWord(entry.run.state),
                    {},
                    toneColor(stateTone(entry.run.state)),
                    false,
                    false,
                    {}},
                   metric != nullptr
                       ? GridCell{formatNumber(metric->last), metric->last, {}, false, false, {}}
                       : GridCell{tr("none"), {}, {}, false, true, {}}});
    }
  }
  table_->setRows(rows);
}

}  // namespace assay
