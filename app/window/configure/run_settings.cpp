// Beside the form: name, seeds, threads, what differs, copies, Start and Queue.
#include "app/window/configure/run_settings.h"

#include <QLineEdit>
#include <QSpinBox>

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"
#include "core/base/process.h"

namespace assay {
namespace {

constexpr int changesShown = 8;

}  // namespace

RunSettings::RunSettings(QWidget* parent) : QFrame(parent) {
  setProperty("look", "card");
  setFixedWidth(276);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 16);
  column->setSpacing(4);
  column->addWidget(makeLabel("This run", "heading", this));
  column->addSpacing(4);

  name_ = new QLineEdit(this);
  name_->setObjectName("runName");
  name_->setPlaceholderText("From experiment and seed");
  addRow(column, "Name", name_, {});
  seeds_ = new QLineEdit("1", this);
  seeds_->setObjectName("runSeeds");
  addRow(column, "Seeds", seeds_, "One run for each: 1-5 or 1,2,3");
  seedFault_ = makeWrapped({}, {}, this);
  seedFault_->setProperty("tone", "bad");
  seedFault_->setObjectName("seedsFault");
  seedFault_->hide();
  column->addWidget(seedFault_);
  threads_ = new QSpinBox(this);
  threads_->setObjectName("runThreads");
  threads_->setRange(0, std::max(1, core_count()));
  threads_->setSpecialValueText(QString("All cores (%1)").arg(core_count()));
  addRow(column, "Threads", threads_, {});

  column->addSpacing(8);
  column->addWidget(makeRule(this));
  column->addSpacing(6);
  auto* heading = new QHBoxLayout;
  heading->addWidget(makeLabel("Differs from the preset", "strong", this), 1);
  reset_ = makeButton("Reset", "resetAll", "link", this);
  heading->addWidget(reset_);
  column->addLayout(heading);
  changes_ = makeWrapped({}, "small", this);
  changes_->setObjectName("changesList");
  column->addWidget(changes_);

  column->addSpacing(8);
  auto* copies = new QHBoxLayout;
  copies->setSpacing(4);
  QPushButton* const line = makeButton("Command line", "copyCommandLine", {}, this);
  QPushButton* const file = makeButton("File", "copyFile", {}, this);
  line->setIcon(Theme::of().icon("copy"));
  file->setIcon(Theme::of().icon("copy"));
  line->setToolTip("Copy as a command for assay-run");
  file->setToolTip("Copy as a configuration file for assay-run");
  copies->addWidget(line);
  copies->addWidget(file);
  copies->addStretch(1);
  column->addLayout(copies);

  column->addSpacing(12);
  start_ = makeButton("Start", "startButton", "primary", this);
  start_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  start_->setShortcut(QKeySequence("Ctrl+Return"));
  queue_ = makeButton("Queue", "queueRunButton", {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(6);
  buttons->addWidget(start_, 1);
  buttons->addWidget(queue_);
  column->addLayout(buttons);
  reason_ = makeButton({}, "startReason", "link", this);
  reason_->setProperty("tone", "bad");
  reason_->hide();
  column->addWidget(reason_);

  connect(name_, &QLineEdit::textChanged, this, &RunSettings::edited);
  connect(seeds_, &QLineEdit::textChanged, this, &RunSettings::edited);
  connect(threads_, &QSpinBox::valueChanged, this, &RunSettings::edited);
  connect(reset_, &QPushButton::clicked, this, &RunSettings::resetAsked);
  connect(start_, &QPushButton::clicked, this, &RunSettings::startAsked);
  connect(queue_, &QPushButton::clicked, this, &RunSettings::queueAsked);
  connect(reason_, &QPushButton::clicked, this, &RunSettings::faultAsked);
  connect(line, &QPushButton::clicked, this, &RunSettings::commandLineAsked);
  connect(file, &QPushButton::clicked, this, &RunSettings::fileAsked);
}

void RunSettings::addRow(QVBoxLayout* column, const QString& text, QWidget* editor,
                         const QString& help) {
  QLabel* const label = makeLabel(text, "small", this);
  label->setBuddy(editor);
  editor->setAccessibleName(text);
  editor->setToolTip(help);
  column->addWidget(label);
  column->addWidget(editor);
  if (!help.isEmpty()) column->addWidget(makeLabel(help, "tiny", this));
  column->addSpacing(4);
}

QString RunSettings::name() const {
  return name_->text().trimmed();
}
void RunSettings::setName(const QString& name) {
  name_->setText(name);
}
Seeds RunSettings::seeds() const {
  return readSeeds(seeds_->text());
}
void RunSettings::setSeeds(const QString& text) {
  seeds_->setText(text);
}
int RunSettings::threads() const {
  return threads_->value();
}
void RunSettings::setThreads(int threads) {
  threads_->setValue(threads);
}

void RunSettings::show(const QStringList& changes, const QStringList& reasons) {
  const Seeds given = seeds();
  seedFault_->setText(given.problem);
  seedFault_->setVisible(!given.problem.isEmpty());
  setLook(seeds_, "invalid", !given.problem.isEmpty());

  QStringList shown = changes.mid(0, changesShown);
  if (changes.size() > changesShown) {
    shown << QString("and %1 more").arg(changes.size() - changesShown);
  }
  changes_->setText(shown.isEmpty() ? "Nothing." : shown.join("\n"));
  reset_->setVisible(!changes.isEmpty());

  const bool startable = reasons.isEmpty();
  start_->setEnabled(startable);
  queue_->setEnabled(startable);
  const auto count = given.values.size();
  start_->setText(count > 1 ? QString("Start %1 runs").arg(count) : QString("Start"));
  start_->setShortcut(QKeySequence("Ctrl+Return"));  // a new text drops it
  start_->setToolTip(startable ? "Ctrl+Return" : reasons.join("\n"));
  queue_->setToolTip(startable ? "At the end of the queue" : reasons.join("\n"));
  reason_->setVisible(!startable);
  reason_->setText(reasons.size() == 1
                       ? "Can't start: 1 value is wrong"
                       : QString("Can't start: %1 values are wrong").arg(reasons.size()));
  reason_->setToolTip(reasons.join("\n"));
}

}  // namespace assay
