// All of one experiment's configuration.
#include "app/window/configure/configure_form.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScrollArea>
#include <QShortcut>

#include "app/window/configure/parameter_field.h"
#include "app/window/configure/run_settings.h"
#include "app/window/runner_pool.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

std::string startPreset(const ExperimentSpec& experiment) {
  if (experiment.preset("quick") != nullptr) return "quick";
  return experiment.presets.empty() ? "" : experiment.presets.front().id;
}

}  // namespace

ConfigureForm::ConfigureForm(Workbench& workbench, const Manifest& plugin,
                             const ExperimentSpec& experiment, QWidget* parent)
    : QWidget(parent), workbench_(workbench), plugin_(plugin), experiment_(experiment) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  auto* row = new QHBoxLayout;
  row->setContentsMargins(24, 0, 24, 0);
  row->setSpacing(16);
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  content->setProperty("look", "page");
  auto* inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 10, 24);
  form_ = new ParameterForm(experiment, content);
  inner->addWidget(form_);
  scroll_->setWidget(content);
  row->addWidget(scroll_, 1);
  settings_ = new RunSettings(this);
  row->addWidget(settings_, 0, Qt::AlignTop);
  column->addLayout(row, 1);

  connect(form_, &ParameterForm::edited, this, &ConfigureForm::showSummary);
  connect(settings_, &RunSettings::edited, this, &ConfigureForm::showSummary);
  connect(settings_, &RunSettings::startAsked, this, [this] { start(false); });
  connect(settings_, &RunSettings::queueAsked, this, [this] { start(true); });
  connect(settings_, &RunSettings::resetAsked, form_, &ParameterForm::resetAll);
  connect(settings_, &RunSettings::faultAsked, this, &ConfigureForm::showFault);
  connect(settings_, &RunSettings::commandLineAsked, this,
          [this] { copy(as_command_line(plugin_, experiment_, resolved()), "command line"); });
  connect(settings_, &RunSettings::fileAsked, this,
          [this] { copy(as_toml(plugin_, experiment_, resolved()), "configuration file"); });
  auto* find = new QShortcut(QKeySequence::Find, this);
  connect(find, &QShortcut::activated, this, [this] {
    search_->setFocus();
    search_->selectAll();
  });
  choosePreset(QString::fromStdString(startPreset(experiment)), false);
}

QWidget* ConfigureForm::makeHeader() {
  auto* header = new QWidget(this);
  auto* column = new QVBoxLayout(header);
  column->setContentsMargins(24, 20, 24, 8);
  column->setSpacing(4);
  column->addWidget(makeLabel(QString::fromStdString(experiment_.title), "title", header));
  column->addWidget(makeWrapped(
      QString::fromStdString(plugin_.title) + " · " + QString::fromStdString(experiment_.summary),
      "soft", header));
  column->addSpacing(8);
  column->addWidget(makePresets());
  return header;
}

QWidget* ConfigureForm::makePresets() {
  auto* place = new QWidget(this);
  auto* row = new QHBoxLayout(place);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  auto* segments = new QHBoxLayout;
  segments->setSpacing(0);
  presets_ = new QButtonGroup(this);
  const auto count = experiment_.presets.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Preset& preset = experiment_.presets[i];
    const QString id = QString::fromStdString(preset.id);
    QPushButton* const button =
        makeButton(QString::fromStdString(preset.label.empty() ? preset.id : preset.label),
                   "preset_" + id, "segment", place);
    button->setCheckable(true);
    button->setToolTip(QString::fromStdString(preset.help));
    button->setProperty("preset", id);
    button->setProperty("place", count == 1       ? "only"
                                 : i == 0         ? "first"
                                 : i == count - 1 ? "last"
                                                  : "middle");
    presets_->addButton(button);
    segments->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, id] { choosePreset(id, true); });
  }
  row->addLayout(segments);
  presetHelp_ = makeLabel({}, "small", place);
  presetHelp_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(presetHelp_, 1);
  search_ = new QLineEdit(place);
  search_->setObjectName("formSearch");
  search_->setAccessibleName("Find a parameter");
  search_->setPlaceholderText("Find a parameter   Ctrl+F");
  search_->setProperty("look", "search");
  search_->setFixedWidth(220);
  search_->setClearButtonEnabled(true);
  connect(search_, &QLineEdit::textChanged, this,
          [this](const QString& words) { form_->search(words); });
  row->addWidget(search_);
  return place;
}

void ConfigureForm::choosePreset(const QString& id, bool keepChanged) {
  for (QAbstractButton* button : presets_->buttons()) {
    if (button->property("preset").toString() == id) button->setChecked(true);
  }
  const Preset* const preset = experiment_.preset(id.toStdString());
  presetHelp_->setText(preset == nullptr ? QString() : QString::fromStdString(preset->help));
  presetHelp_->setToolTip(presetHelp_->text());
  form_->usePreset(id.toStdString(), keepChanged);
}

void ConfigureForm::fillFrom(const QString& publicId) {
  Log& log = workbench_.log();
  const Run run = log.find(publicId.toStdString());
  choosePreset(QString::fromStdString(run.preset), false);
  form_->setValues(log.parameters(run.id));
  settings_->setSeeds(QString::number(run.seed));
  settings_->setThreads(run.threads);
  settings_->setName({});
  parentRun_ = QString::fromStdString(run.public_id);
}

QStringList ConfigureForm::reasons() const {
  QStringList reasons;
  for (const Problem& problem : form_->problems()) {
    reasons << QString::fromStdString(problem.message());
  }
  if (const Seeds seeds = settings_->seeds(); !seeds.problem.isEmpty()) reasons << seeds.problem;
  return reasons;
}

void ConfigureForm::showSummary() {
  QStringList changes;
  for (const ParameterField* field : form_->fields()) {
    if (!field->isChanged()) continue;
    changes << QString::fromStdString(field->spec().label) + ": " + field->text();
  }
  settings_->show(changes, reasons());
}

Resolved ConfigureForm::resolved() const {
  Configuration wanted;
  wanted.experiment = plugin_.id + "." + experiment_.id;
  wanted.preset = form_->preset();
  wanted.set = form_->changes();
  const Seeds seeds = settings_->seeds();
  if (!seeds.values.empty()) wanted.seed = seeds.values.front();
  return resolve(experiment_, wanted);
}

void ConfigureForm::start(bool queueOnly) {
  if (!reasons().isEmpty()) {
    showFault();
    return;
  }
  const Resolved settled = resolved();
  if (!settled.problems.empty()) {
    workbench_.sayError(QString::fromStdString(settled.problems.front().message()));
    return;
  }
  std::vector<NewRun> runs;
  const std::vector<std::uint64_t> seeds = settings_->seeds().values;
  for (const std::uint64_t seed : seeds) {
    NewRun run;
    run.plugin = plugin_.id;
    run.experiment = experiment_.id;
    run.version = experiment_.version;
    run.preset = settled.preset;
    run.seed = seed;
    run.threads = settings_->threads();
    run.parameters = settled.parameters;
    run.parent = parentRun_.toStdString();
    run.name = settings_->name().toStdString();
    if (!run.name.empty() && seeds.size() > 1) run.name += ", seed " + std::to_string(seed);
    runs.push_back(std::move(run));
  }
  try {
    const std::vector<Run> started = workbench_.runners().start(runs, queueOnly);
    if (queueOnly) {
      workbench_.say(started.size() == 1 ? "Queued " + QString::fromStdString(started.front().name)
                                         : QString("Queued %1 runs").arg(started.size()));
    } else if (started.size() == 1) {
      workbench_.openRun(QString::fromStdString(started.front().public_id));
    } else {
      workbench_.openRuns();
    }
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
  }
}

void ConfigureForm::showFault() {
  ParameterField* const field = form_->firstInvalid();
  if (field == nullptr) return;
  search_->clear();
  if (!field->isVisible()) form_->unfold();
  scroll_->ensureWidgetVisible(field, 0, 40);
  field->editor()->setFocus();
}

void ConfigureForm::copy(const std::string& text, const QString& what) {
  QGuiApplication::clipboard()->setText(QString::fromStdString(text));
  workbench_.say("Copied as " + what);
}

}  // namespace assay
