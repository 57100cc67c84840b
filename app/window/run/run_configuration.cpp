// The configuration of a run; see run_facts.h.
#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <algorithm>

#include "app/viewers/table/table_view.h"
#include "app/viewers/theme.h"
#include "app/window/run/run_facts.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {

QString reproduceCommand(const Workbench& workbench, const Run& run,
                         const ParameterSet& parameters) {
  const Manifest* plugin = workbench.plugin(QString::fromStdString(run.plugin));
  const ExperimentSpec* experiment =
      plugin != nullptr ? plugin->experiment(run.experiment) : nullptr;
  QString command;
  if (experiment != nullptr) {
    Resolved resolved;
    resolved.parameters = parameters;
    resolved.preset = run.preset;
    resolved.seed = run.seed;
    command = QString::fromStdString(as_command_line(*plugin, *experiment, resolved));
  } else {
    command = QString::fromStdString("assay-run run " + run.plugin + "." + run.experiment);
  }
  if (run.threads > 0) command += QString(" --threads %1").arg(run.threads);
  return command;
}

RunConfiguration::RunConfiguration(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(16);
  QFrame* const again = makeCard(this);
  auto* inner = new QVBoxLayout(again);
  inner->setContentsMargins(15, 12, 15, 12);
  auto* row = new QHBoxLayout;
  row->addWidget(makeLabel(tr("The same run again"), "heading", again));
  row->addStretch(1);
  QPushButton* const copy = makeButton(tr("Copy"), "copy_command", {}, again);
  row->addWidget(copy);
  inner->addLayout(row);
  command_ = new QPlainTextEdit(again);
  command_->setObjectName("command");
  command_->setAccessibleName(tr("Command line"));
  command_->setReadOnly(true);
  command_->setProperty("look", "bare");
  command_->setFont(Theme::monospace(12));
  command_->setFixedHeight(58);
  inner->addWidget(command_);
  column->addWidget(again);
  connect(copy, &QPushButton::clicked, this, [this]() {
    QApplication::clipboard()->setText(command_->toPlainText());
    workbench_.say(tr("Copied the command line."));
  });

  QFrame* const all = makeCard(this);
  auto* list = new QVBoxLayout(all);
  list->setContentsMargins(15, 12, 15, 12);
  list->setSpacing(4);
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("Parameters"), "heading", all));
  head->addStretch(1);
  count_ = makeLabel({}, "small", all);
  head->addWidget(count_);
  list->addLayout(head);
  table_ = new TableView(all);
  table_->setObjectName("parameters");
  table_->setAccessibleName(tr("Parameters"));
  table_->setFitsContents(true);
  table_->setColumns({{tr("Parameter"), false, {}},
                      {tr("Key"), false, {}},
                      {tr("Value"), true, {}},
                      {tr("Preset"), true, tr("What the preset or default has")},
                      {tr("Unit"), false, {}},
                      {tr("From"), false, tr("default, preset, file or set by hand")}});
  list->addWidget(table_);
  column->addWidget(all);
  column->addStretch(1);
}

void RunConfiguration::show(const Run& run, const ParameterSet& parameters) {
  const Manifest* plugin = workbench_.plugin(QString::fromStdString(run.plugin));
  const ExperimentSpec* experiment =
      plugin != nullptr ? plugin->experiment(run.experiment) : nullptr;
  const Preset* preset = experiment != nullptr ? experiment->preset(run.preset) : nullptr;
  QVector<QVector<GridCell>> changed, same;
  for (const auto& [key, parameter] : parameters.all()) {
    const ParameterSpec* spec = experiment != nullptr ? experiment->parameter(key) : nullptr;
    const QString value = QString::fromStdString(to_text(parameter.value));
    QString usual;
    if (spec != nullptr) {
      Value standard = spec->default_value;
      if (preset != nullptr && preset->values.contains(key)) standard = preset->values.at(key);
      usual = QString::fromStdString(to_text(standard));
    }
    const bool differs = spec != nullptr && usual != value;
    bool number = false;
    const double amount = value.toDouble(&number);
    GridCell label{
        QString::fromStdString(spec != nullptr ? spec->label : key),         {}, {}, differs, false,
        QString::fromStdString(spec != nullptr ? spec->help : std::string())};
    GridCell shown{value, {}, {}, differs, false, value};
    if (number) shown.number = amount;
    QVector<GridCell> row{label,
                          {QString::fromStdString(key), {}, {}, false, true, {}},
                          shown,
                          {differs ? usual : QString(), {}, {}, false, true, {}},
                          {QString::fromStdString(spec != nullptr ? spec->unit : std::string()),
                           {},
                           {},
                           false,
                           true,
                           {}},
                          {QString::fromStdString(to_string(parameter.origin)),
                           {},
                           {},
                           false,
                           parameter.origin == Origin::default_value,
                           {}}};
    (differs ? changed : same).append(row);
  }
  count_->setText(changed.isEmpty() ? tr("as the preset has them")
                                    : tr("%1 changed from the preset").arg(changed.size()));
  table_->setRows(changed + same);
  command_->setPlainText(reproduceCommand(workbench_, run, parameters));
}

}  // namespace assay
