// --screenshot: each page on this log, once it has settled, as a PNG.
#include "app/window/screenshots.h"

#include <QDir>
#include <QPixmap>
#include <QTimer>

#include "app/window/log_worker.h"
#include "app/window/page.h"
#include "app/window/workbench.h"

namespace assay {
namespace {

constexpr int lookMilliseconds = 50;
constexpr int quietMilliseconds = 500;  // settled for so long: what follows a refresh is there too
constexpr int longestMilliseconds = 30000;  // then it is taken as it is
constexpr int comparedMost = 4;

// The newest finished run, else the newest of all, and its like.
std::vector<Run> worthShowing(Log& log) {
  RunQuery query;
  query.filter = "state:finished";
  query.limit = 200;
  std::vector<RunRow> rows = log.runs(query);
  if (rows.empty()) {
    query.filter.clear();
    rows = log.runs(query);
  }
  std::vector<Run> runs;
  for (const RunRow& row : rows) {
    const bool alike = runs.empty() || (row.run.plugin == runs.front().plugin &&
                                        row.run.experiment == runs.front().experiment);
    if (alike && runs.size() < comparedMost) runs.push_back(row.run);
  }
  return runs;
}

}  // namespace

ScreenshotTour::ScreenshotTour(Workbench& workbench, MainWindow& window, QString folder,
                               QString theme)
    : workbench_(workbench),
      window_(window),
      folder_(std::move(folder)),
      theme_(std::move(theme)) {}

void ScreenshotTour::planStops() {
  QString plugin;
  QString experiment;
  for (const Manifest& each : workbench_.plugins()) {
    if (!each.fault.empty() || each.experiments.empty()) continue;
    plugin = QString::fromStdString(each.id);
    const std::string& id = each.try_it.empty() ? each.experiments.front().id : each.try_it;
    experiment = plugin + "." + QString::fromStdString(id);
    break;
  }
  QStringList runs;
  for (const Run& run : worthShowing(workbench_.log())) {
    runs << QString::fromStdString(run.public_id);
  }
  stops_ = {{"papers", "papers", {}},
            {"paper", "paper", {plugin, "idea"}},
            {"explore", "paper", {plugin, "explore"}},
            {"claims", "paper", {plugin, "claims"}},
            {"configure", "configure", {experiment}},
            {"runs", "runs", {}},
            {"run", "run", runs.mid(0, 1)},
            {"compare", "compare", runs},
            {"report", "report", runs},
            {"data", "data", {}}};
}

void ScreenshotTour::begin() {
  if (!QDir().mkpath(folder_)) {
    emit finished(folder_ + ": the folder can't be made");
    return;
  }
  planStops();
  next();
}

void ScreenshotTour::next() {
  if (stops_.isEmpty()) {
    emit finished({});
    return;
  }
  stop_ = stops_.takeFirst();
  window_.openPage(stop_.page, stop_.arguments);
  if (QWidget* focused = window_.focusWidget()) focused->clearFocus();
  waited_ = quiet_ = 0;
  QTimer::singleShot(lookMilliseconds, this, &ScreenshotTour::look);
}

void ScreenshotTour::look() {
  const Page* const page = window_.page(stop_.page);
  const bool settled = page->settled() && workbench_.worker().idle();
  waited_ += lookMilliseconds;
  quiet_ = settled ? quiet_ + lookMilliseconds : 0;
  if (quiet_ < quietMilliseconds && waited_ < longestMilliseconds) {
    QTimer::singleShot(lookMilliseconds, this, &ScreenshotTour::look);
    return;
  }
  if (save()) next();
}

bool ScreenshotTour::save() {
  const QString file = QDir(folder_).filePath(stop_.file + "-" + theme_ + ".png");
  if (window_.grab().save(file)) return true;
  emit finished(file + ": can't be written");
  return false;
}

}  // namespace assay
