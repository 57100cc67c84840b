// See run_header.h.
#include "app/window/run/run_header.h"

#include <QLineEdit>
#include <QProgressBar>
#include <algorithm>

#include "app/viewers/theme.h"
#include "app/window/runner_pool.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"
#include "core/base/process.h"

namespace assay {

QString progressText(const Run& run) {
  QStringList parts;
  if (run.progress_total > 0) {
    parts
        << QObject::tr("%1 of %2").arg(countText(run.progress_done), countText(run.progress_total));
  } else if (run.progress_done > 0) {
    parts << QObject::tr("step %1").arg(countText(run.progress_done));
  }
  if (!run.progress_text.empty()) parts << QString::fromStdString(run.progress_text);
  if (run.state == RunState::running && run.steps_per_second > 0.0) {
    parts << QObject::tr("%1 steps/s").arg(run.steps_per_second, 0, 'g', 3);
  }
  if (run.state == RunState::running && run.eta_seconds) {
    parts << QObject::tr("%1 left").arg(durationText(*run.eta_seconds));
  }
  return parts.join(" · ");
}

QString runAdvice(const Run& run, double now) {
  const QString reason = QString::fromStdString(run.reason);
  switch (run.state) {
    case RunState::queued:
      return QObject::tr(
          "It starts as soon as a place is free. The queue is at the bottom of the "
          "window.");
    case RunState::running:
      if (!run.heartbeat_late(now)) return {};
      return QObject::tr(
                 "No sign of life for %1. A long step can cause this; Stop ends the process "
                 "if it does not answer.")
          .arg(durationText(now - run.heartbeat));
    case RunState::paused:
      return QObject::tr("Its state is stored. Resume goes on at the step where it paused.");
    case RunState::failed:
      return (reason.isEmpty() ? QObject::tr("The run failed without a reason.") : reason) + "\n" +
             QObject::tr(
                 "Resume tries again from the last checkpoint; Duplicate… starts over with "
                 "other settings.");
    case RunState::crashed:
      return (reason.isEmpty() ? QObject::tr("Its process is gone without a word.") : reason) +
             "\n" +
             QObject::tr(
                 "Nothing written is lost. Resume goes on from the last checkpoint with the "
                 "same result as an undisturbed run.");
    case RunState::killed:
      return (reason.isEmpty() ? QObject::tr("It did not answer a stop and was ended.") : reason) +
             "\n" + QObject::tr("Resume goes on from the last checkpoint.");
    case RunState::stopped:
      return (reason.isEmpty() ? QString() : reason + "\n") +
             QObject::tr("Resume goes on from where it stopped.");
    case RunState::finished:
      return {};
  }
  return {};
}

RunHeader::RunHeader(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  makeTitleRow(column);
  subtitle_ = makeLabel({}, "soft", this);
  subtitle_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(subtitle_);
  makeProgress(column);
  makeNotice(column);
}

void RunHeader::makeTitleRow(QVBoxLayout* column) {
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  title_ = makeLabel({}, "title", this);
  title_->setObjectName("run_name");
  title_->setMinimumWidth(40);
  name_edit_ = new QLineEdit(this);
  name_edit_->setObjectName("rename");
  name_edit_->setAccessibleName(tr("Name of the run"));
  name_edit_->hide();
  state_ = makePill({}, {}, this);
  state_->setObjectName("run_state");
  star_ = makeIconButton("star", tr("Star"), "star", this);
  auto* edit = makeIconButton("edit", tr("Rename"), "edit_name", this);
  row->addWidget(title_);
  row->addWidget(name_edit_, 1);
  row->addWidget(state_);
  row->addWidget(star_);
  row->addWidget(edit);
  row->addStretch(1);
  pause_ = makeButton(tr("Pause"), "pause", {}, this);
  resume_ = makeButton(tr("Resume"), "resume", "primary", this);
  stop_ = makeButton(tr("Stop"), "stop", {}, this);
  duplicate_ = makeButton(tr("Duplicate…"), "duplicate", {}, this);
  compare_ = makeButton(tr("Compare"), "compare", {}, this);
  report_ = makeButton(tr("Report"), "report", {}, this);
  for (QPushButton* button : {resume_, pause_, stop_, duplicate_, compare_, report_}) {
    row->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, button]() { act(button->objectName()); });
  }
  column->addLayout(row);
  connect(edit, &QToolButton::clicked, this, [this]() {
    name_edit_->setText(QString::fromStdString(run_.name));
    title_->hide();
    name_edit_->show();
    name_edit_->setFocus();
    name_edit_->selectAll();
  });
  connect(name_edit_, &QLineEdit::editingFinished, this, &RunHeader::rename);
  connect(star_, &QToolButton::clicked, this, [this]() { act("star"); });
}

void RunHeader::makeProgress(QVBoxLayout* column) {
  progress_row_ = new QWidget(this);
  auto* row = new QHBoxLayout(progress_row_);
  row->setContentsMargins(0, 6, 0, 0);
  row->setSpacing(12);
  progress_ = new QProgressBar(progress_row_);
  progress_->setObjectName("progress");
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(220);
  progress_text_ = makeLabel({}, "soft", progress_row_);
  progress_text_->setFont(Theme::font(12));
  row->addWidget(progress_);
  row->addWidget(progress_text_, 1);
  column->addWidget(progress_row_);
}

void RunHeader::makeNotice(QVBoxLayout* column) {
  notice_ = new QFrame(this);
  notice_->setProperty("look", "notice");
  auto* row = new QHBoxLayout(notice_);
  row->setContentsMargins(12, 10, 12, 10);
  row->setSpacing(12);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  notice_title_ = makeLabel({}, "strong", notice_);
  notice_text_ = makeWrapped({}, {}, notice_);
  notice_text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words->addWidget(notice_title_);
  words->addWidget(notice_text_);
  row->addLayout(words, 1);
  column->addSpacing(4);
  column->addWidget(notice_);
  notice_->hide();
}

QString RunHeader::subtitle() const {
  QStringList parts;
  const Manifest* plugin = workbench_.plugin(QString::fromStdString(run_.plugin));
  parts << (plugin != nullptr ? QString::fromStdString(plugin->title)
                              : QString::fromStdString(run_.plugin));
  parts << workbench_.experimentTitle(QString::fromStdString(run_.plugin),
                                      QString::fromStdString(run_.experiment));
  if (!run_.preset.empty()) parts << tr("%1 preset").arg(QString::fromStdString(run_.preset));
  parts << tr("seed %1").arg(run_.seed);
  if (run_.started)
    parts << tr("started %1").arg(momentText(*run_.started));
  else
    parts << tr("asked for %1").arg(momentText(run_.created));
  if (run_.seconds > 0.0) parts << tr("%1 of work").arg(durationText(run_.seconds));
  parts << QString::fromStdString(run_.public_id);
  return parts.join(" · ");
}

void RunHeader::showRun(const Run& run) {
  run_ = run;
  title_->setText(QString::fromStdString(run.name));
  state_->setText(stateWord(run.state));
  setLook(state_, "tone", stateTone(run.state));
  subtitle_->setText(subtitle());
  star_->setIcon(Theme::of().icon(run.starred ? "star-filled" : "star",
                                  run.starred ? Theme::of().tokens().caution : QColor()));
  star_->setToolTip(run.starred ? tr("Remove the star") : tr("Star"));
  const bool running = run.state == RunState::running;
  const bool goes_on = run.state == RunState::paused || run.state == RunState::stopped ||
                       run.state == RunState::failed || run.state == RunState::crashed ||
                       run.state == RunState::killed;
  pause_->setVisible(running);
  stop_->setVisible(running || run.state == RunState::queued);
  stop_->setText(run.state == RunState::queued ? tr("Remove from queue") : tr("Stop"));
  resume_->setVisible(goes_on);
  showProgress();
  showNotice();
}

void RunHeader::showProgress() {
  const bool over = run_.state == RunState::finished || run_.state == RunState::queued;
  const QString text = progressText(run_);
  progress_row_->setVisible(!over && !text.isEmpty());
  progress_text_->setText(text);
  progress_->setVisible(run_.progress_total > 0);
  if (run_.progress_total > 0) {
    const double part =
        static_cast<double>(run_.progress_done) / static_cast<double>(run_.progress_total);
    progress_->setValue(static_cast<int>(std::clamp(part, 0.0, 1.0) * 1000));
  }
}

void RunHeader::showNotice() {
  const QString advice = runAdvice(run_, now_seconds());
  notice_->setVisible(!advice.isEmpty());
  if (advice.isEmpty()) return;
  const bool late = run_.state == RunState::running;
  const QString tone = late ? QString("caution") : stateTone(run_.state);
  setLook(notice_, "tone", tone == "bad" || tone == "caution" ? tone : QString());
  setLook(notice_title_, "tone", tone);
  QString word = stateWord(run_.state);
  word[0] = word[0].toUpper();
  notice_title_->setText(late ? tr("Not heard of") : word);
  notice_text_->setText(advice);
}

void RunHeader::rename() {
  if (!name_edit_->isVisible()) return;
  name_edit_->hide();
  title_->show();
  const std::string name = name_edit_->text().trimmed().toStdString();
  if (name.empty() || name == run_.name) return;
  try {
    workbench_.log().rename(run_.id, name);
    run_.name = name;
    title_->setText(QString::fromStdString(name));
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
  }
}

void RunHeader::act(const QString& what) {
  const QString id = QString::fromStdString(run_.public_id);
  try {
    if (what == "pause") workbench_.runners().pause(run_);
    if (what == "resume") workbench_.runners().resume(run_);
    if (what == "stop" && run_.state == RunState::queued) {
      workbench_.log().remove_from_queue(run_.id);
    } else if (what == "stop") {
      workbench_.runners().stop(run_);
    }
    if (what == "star") workbench_.log().set_starred(run_.id, !run_.starred);
    if (what == "duplicate") {
      workbench_.openConfigure(QString::fromStdString(run_.plugin + "." + run_.experiment), id);
    }
    if (what == "compare") workbench_.openCompare({id});
    if (what == "report") workbench_.openReport({id});
    if (what == "pause") workbench_.say(tr("Pausing after the step under way."));
    if (what == "stop") workbench_.say(tr("Stopping after the step under way."));
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
  }
}

}  // namespace assay
