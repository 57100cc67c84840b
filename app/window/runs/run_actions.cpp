// What can be done with the selected runs.
#include "app/window/runs/run_actions.h"

#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

#include "app/window/log_worker.h"
#include "app/window/runner_pool.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

QStringList publicIds(const std::vector<Run>& runs) {
  QStringList ids;
  for (const Run& run : runs) ids << QString::fromStdString(run.public_id);
  return ids;
}

std::vector<std::int64_t> idsOf(const std::vector<Run>& runs) {
  std::vector<std::int64_t> ids;
  for (const Run& run : runs) ids.push_back(run.id);
  return ids;
}

std::uint64_t bytesBelow(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code fault;  // a file that goes meanwhile isn't counted
  for (std::filesystem::recursive_directory_iterator entry(folder, fault), end;
       !fault && entry != end; entry.increment(fault)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) bytes += entry->file_size(ignored);
  }
  return bytes;
}

QString runsText(std::size_t count) {
  return plural(static_cast<std::int64_t>(count), "run", "runs");
}

}  // namespace

RunActions::RunActions(Workbench& workbench, QWidget* parent)
    : QObject(parent), workbench_(workbench), parent_(parent) {}

bool RunActions::canStop(const Run& run) {
  return run.state == RunState::running || run.state == RunState::queued ||
         run.state == RunState::paused;
}

bool RunActions::canResume(const Run& run) {
  return run.state != RunState::running && run.state != RunState::queued &&
         run.state != RunState::finished;
}

void RunActions::open(const Run& run) {
  workbench_.openRun(QString::fromStdString(run.public_id));
}

void RunActions::compare(const std::vector<Run>& runs) {
  workbench_.openCompare(publicIds(runs));
}

void RunActions::report(const std::vector<Run>& runs) {
  workbench_.openReport(publicIds(runs));
}

void RunActions::duplicate(const Run& run) {
  workbench_.openConfigure(QString::fromStdString(run.plugin + "." + run.experiment),
                           QString::fromStdString(run.public_id));
}

void RunActions::askForTag(const std::vector<Run>& runs) {
  QStringList known;
  for (const std::string& tag : workbench_.log().all_tags()) known << QString::fromStdString(tag);
  bool accepted = false;
  const QString tag = QInputDialog::getItem(parent_, "Tag " + runsText(runs.size()), "Tag", known,
                                            -1, true, &accepted)
                          .trimmed();
  if (accepted && !tag.isEmpty()) addTag(runs, tag);
}

void RunActions::addTag(const std::vector<Run>& runs, const QString& tag) {
  const std::string text = tag.toStdString();
  const std::vector<std::int64_t> ids = idsOf(runs);
  workbench_.log().add_tag(ids, text);
  workbench_.sayWith(QString("Tagged %1 \"%2\".").arg(runsText(runs.size()), tag), "Undo",
                     [this, ids, text] { workbench_.log().remove_tag(ids, text); });
}

void RunActions::stop(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (canStop(run)) workbench_.runners().stop(run);
  }
}

void RunActions::resume(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (canResume(run)) workbench_.runners().resume(run);
  }
}

void RunActions::toggleStar(const Run& run) {
  workbench_.log().set_starred(run.id, !run.starred);
}

void RunActions::trash(const std::vector<Run>& runs) {
  std::vector<Run> movable;
  for (const Run& run : runs) {
    if (run.state != RunState::running) movable.push_back(run);
  }
  if (movable.empty()) {
    workbench_.say("Stop a run before it is moved to the trash.");
    return;
  }
  const std::vector<std::int64_t> ids = idsOf(movable);
  workbench_.log().trash(ids);
  QString said =
      movable.size() == 1 ? "Moved to trash." : "Moved " + runsText(movable.size()) + " to trash.";
  if (movable.size() < runs.size()) said += " Running ones were left.";
  workbench_.sayWith(said, "Undo", [this, ids] { workbench_.log().restore(ids); });
}

void RunActions::restore(const std::vector<Run>& runs) {
  workbench_.log().restore(idsOf(runs));
  workbench_.say("Restored " + runsText(runs.size()) + ".");
}

void RunActions::purge(const std::vector<Run>& runs) {
  workbench_.worker().ask(
      this, "bytes",
      [runs](Log& log) {
        std::uint64_t bytes = 0;
        for (const Run& run : runs) bytes += bytesBelow(log.run_directory(run.public_id));
        return bytes;
      },
      [this, runs](std::uint64_t bytes) {
        QMessageBox box(parent_);
        box.setObjectName("purgeDialog");
        box.setWindowTitle("Remove for good");
        box.setText(QString("Remove %1 and %2 of files for good?")
                        .arg(runsText(runs.size()), bytesText(bytes)));
        box.setInformativeText("This can't be undone.");
        QPushButton* const remove = box.addButton("Remove", QMessageBox::DestructiveRole);
        remove->setObjectName("purgeConfirm");
        box.setDefaultButton(box.addButton("Cancel", QMessageBox::RejectRole));
        box.exec();
        if (box.clickedButton() == remove) removeForGood(idsOf(runs));
      });
}

void RunActions::removeForGood(const std::vector<std::int64_t>& ids) {
  try {
    const std::uint64_t bytes = workbench_.log().purge(ids);
    workbench_.say(QString("Removed %1; %2 freed.").arg(runsText(ids.size()), bytesText(bytes)));
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
  }
}

}  // namespace assay
