// What the search box finds: papers and experiments by title, runs by name, notes and log lines.
#include "app/window/shell/search_popup.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QSet>

#include "app/viewers/theme.h"
#include "app/window/log_worker.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int shownMost = 12;

bool hasAllWords(const QString& text, const QString& words) {
  for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
    if (!text.contains(word, Qt::CaseInsensitive)) return false;
  }
  return true;
}

// By name first (what is typed is most often a name), then by notes and log lines.
std::vector<Run> runsWith(Log& log, const std::string& words) {
  std::vector<Run> runs;
  QSet<qint64> seen;
  const auto add = [&](const Run& run) {
    if (run.trashed || seen.contains(run.id)) return;
    seen.insert(run.id);
    runs.push_back(run);
  };
  RunQuery query;
  query.filter = words;
  query.limit = shownMost;
  try {
    for (const RunRow& row : log.runs(query)) add(row.run);
  } catch (const Error&) {
    // Half-typed text that is no filter: the full text search below still serves.
  }
  for (const std::string& id : log.search(words, shownMost)) add(log.find(id));
  return runs;
}

}  // namespace

SearchPopup::SearchPopup(Workbench& workbench, QLineEdit* box, QWidget* window)
    : QFrame(window), workbench_(workbench), box_(box) {
  setProperty("look", "popup");
  setObjectName("searchPopup");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 4, 4, 4);
  list_ = new QListWidget(this);
  list_->setObjectName("searchResults");
  list_->setAccessibleName("Search results");
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setIconSize(QSize(18, 18));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setTextElideMode(Qt::ElideRight);
  column->addWidget(list_);
  hide();
  box_->installEventFilter(this);
  connect(box_, &QLineEdit::textEdited, this, &SearchPopup::ask);
  connect(list_, &QListWidget::itemClicked, this, [this] { openCurrent(); });
}

QList<SearchPopup::Found> SearchPopup::papersWith(const QString& words) const {
  QList<Found> found;
  for (const Manifest& plugin : workbench_.plugins()) {
    if (!plugin.fault.empty()) continue;
    const QString id = QString::fromStdString(plugin.id);
    const QString title = QString::fromStdString(plugin.title);
    QString text = title + " " + id + " " + QString::fromStdString(plugin.paper.title) + " " +
                   QString::fromStdString(plugin.idea);
    for (const std::string& author : plugin.paper.authors) {
      text += " " + QString::fromStdString(author);
    }
    if (hasAllWords(text, words)) found.append({title, "paper", "papers", "paper", id});
    for (const ExperimentSpec& experiment : plugin.experiments) {
      const QString name = QString::fromStdString(experiment.title);
      if (!hasAllWords(title + " " + name + " " + QString::fromStdString(experiment.id), words)) {
        continue;
      }
      found.append({name, "experiment of " + title, "configure", "experiment",
                    id + "." + QString::fromStdString(experiment.id)});
    }
  }
  return found;
}

void SearchPopup::ask() {
  const QString words = box_->text().trimmed();
  if (words.isEmpty()) {
    hide();
    return;
  }
  workbench_.worker().ask(
      this, "search", [text = words.toStdString()](Log& log) { return runsWith(log, text); },
      [this, words](const std::vector<Run>& runs) {
        if (box_->text().trimmed() != words) return;
        QList<Found> found = papersWith(words);
        for (const Run& run : runs) {
          found.append({QString::fromStdString(run.name),
                        stateWord(run.state) + " · " + momentText(run.created), "run", "run",
                        QString::fromStdString(run.public_id)});
        }
        show(found, words);
      });
}

void SearchPopup::show(const QList<Found>& found, const QString& words) {
  list_->clear();
  for (const Found& each : found.mid(0, shownMost)) {
    auto* item = new QListWidgetItem(Theme::of().icon(each.icon, Theme::of().tokens().soft),
                                     each.title + "   " + each.detail, list_);
    item->setData(Qt::UserRole, each.kind);
    item->setData(Qt::UserRole + 1, each.target);
  }
  if (found.isEmpty()) {
    auto* item = new QListWidgetItem("Nothing found for \"" + words + "\"", list_);
    item->setFlags(Qt::NoItemFlags);
  } else {
    list_->setCurrentRow(0);
  }
  place();
  QFrame::show();
  raise();
}

void SearchPopup::place() {
  const QPoint below = box_->mapTo(parentWidget(), QPoint(0, box_->height() + 4));
  const int width = qMax(box_->width(), 420);
  const int rows = qMin(list_->count(), shownMost);
  setGeometry(below.x() + box_->width() - width, below.y(), width, 12 + rows * 29);
}

void SearchPopup::openCurrent() {
  const QListWidgetItem* const item = list_->currentItem();
  if (item == nullptr || !(item->flags() & Qt::ItemIsEnabled)) return;
  const QString kind = item->data(Qt::UserRole).toString();
  const QString target = item->data(Qt::UserRole + 1).toString();
  hide();
  box_->clear();
  box_->clearFocus();
  if (kind == "paper") workbench_.openPaper(target);
  if (kind == "experiment") workbench_.openConfigure(target);
  if (kind == "run") workbench_.openRun(target);
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
  if (watched != box_) return QFrame::eventFilter(watched, event);
  if (event->type() == QEvent::FocusOut) hide();
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
      list_->setCurrentRow(qMin(list_->currentRow() + 1, list_->count() - 1));
      return true;
    case Qt::Key_Up:
      list_->setCurrentRow(qMax(list_->currentRow() - 1, 0));
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (isVisible()) openCurrent();
      return true;
    case Qt::Key_Escape:
      hide();
      box_->clear();
      box_->clearFocus();
      return true;
    default:
      return QFrame::eventFilter(watched, event);
  }
}

}  // namespace assay
