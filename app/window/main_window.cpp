// The main window: header, rail, pages, queue bar, messages.
#include "app/window/main_window.h"

#include <QCloseEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QTimer>

#include "app/window/log_worker.h"
#include "app/window/page.h"
#include "app/window/page_factory.h"
#include "app/window/runner_pool.h"
#include "app/window/shell/header_bar.h"
#include "app/window/shell/message_line.h"
#include "app/window/shell/queue_bar.h"
#include "app/window/shell/queue_panel.h"
#include "app/window/shell/rail.h"
#include "app/window/shell/search_popup.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int openRunsKept = 8;
constexpr int historyKept = 50;

struct Place {
  QString page;
  QStringList arguments;
  bool operator==(const Place&) const = default;
};

QString railEntryOf(const QString& page) {
  if (page == "paper" || page == "configure") return "papers";
  return page == "run" ? "runs" : page;
}

}  // namespace

struct MainWindow::State {
  explicit State(Workbench& w) : workbench(w) {}
  Workbench& workbench;
  HeaderBar* header = nullptr;
  Rail* rail = nullptr;
  QStackedWidget* pages = nullptr;
  QueueBar* queueBar = nullptr;
  QueuePanel* queuePanel = nullptr;
  MessageLine* message = nullptr;
  QHash<QString, Page*> made;
  QString current;
  QList<Place> history;
  QList<OpenRun> openRuns;
  QueueState queue;
  bool asksOnClose = true;
  bool painted = false;
};

MainWindow::MainWindow(Workbench& workbench, QWidget* parent)
    : QWidget(parent), state_(std::make_unique<State>(workbench)) {
  setWindowTitle("Assay");
  setObjectName("mainWindow");
  setAttribute(Qt::WA_StyledBackground, false);
  State& s = *state_;
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  s.header = new HeaderBar(workbench, this);
  column->addWidget(s.header);
  auto* middle = new QHBoxLayout;
  middle->setSpacing(0);
  s.rail = new Rail(this);
  s.pages = new QStackedWidget(this);
  middle->addWidget(s.rail);
  middle->addWidget(s.pages, 1);
  column->addLayout(middle, 1);
  s.queueBar = new QueueBar(workbench, this);
  column->addWidget(s.queueBar);
  s.queuePanel = new QueuePanel(workbench, this);
  s.message = new MessageLine(this);
  new SearchPopup(workbench, s.header->searchBox(), this);
  setMinimumSize(960, 600);

  connect(s.rail, &Rail::pageChosen, this, [this](const QString& page) { openPage(page, {}); });
  connect(s.rail, &Rail::runChosen, this, [this](const QString& id) { openPage("run", {id}); });
  connect(s.rail, &Rail::runClosed, this, [this](const QString& id) {
    state_->openRuns.removeIf([&](const OpenRun& run) { return run.publicId == id; });
    showOpenRuns();
  });
  connect(s.queueBar, &QueueBar::clicked, this, &MainWindow::toggleQueue);
  connect(&workbench, &Workbench::pageAsked, this, &MainWindow::openPage);
  connect(&workbench, &Workbench::messageAsked, s.message, &MessageLine::say);
  connect(&workbench, &Workbench::actionAsked, s.message, &MessageLine::sayWith);
  connect(&workbench, &Workbench::logChanged, this, &MainWindow::refresh);
  connect(&workbench.runners(), &RunnerPool::changed, this, &MainWindow::refresh);
  makeShortcuts();
}

MainWindow::~MainWindow() {
  // Pages read the log until the end; they go before what they read.
  qDeleteAll(state_->made);
}

void MainWindow::makeShortcuts() {
  const auto add = [this](const QKeySequence& keys, auto what) {
    connect(new QShortcut(keys, this), &QShortcut::activated, this, what);
  };
  const char* const pages[] = {"papers", "runs", "compare", "report", "data"};
  for (int i = 0; i < 5; ++i) {
    add(QKeySequence(QString("Ctrl+%1").arg(i + 1)),
        [this, page = QString(pages[i])] { openPage(page, {}); });
  }
  add(QKeySequence("Ctrl+K"), [this] {
    state_->header->searchBox()->setFocus();
    state_->header->searchBox()->selectAll();
  });
  add(QKeySequence("Ctrl+J"), [this] { toggleQueue(); });
  add(QKeySequence("Ctrl+Q"), [this] { close(); });
  add(QKeySequence("Alt+Left"), [this] {
    if (state_->history.size() < 2) return;
    state_->history.removeLast();
    const Place place = state_->history.takeLast();
    openPage(place.page, place.arguments);
  });
}

Page* MainWindow::page(const QString& name) {
  const auto known = state_->made.constFind(name);
  if (known != state_->made.constEnd()) return *known;
  Page* const made = makePage(name, state_->workbench, state_->pages);
  if (made == nullptr) return nullptr;
  made->setObjectName("page_" + name);
  state_->made.insert(name, made);
  state_->pages->addWidget(made);
  return made;
}

QString MainWindow::currentPage() const {
  return state_->current;
}

void MainWindow::openPage(const QString& name, const QStringList& arguments) {
  Page* const shown = page(name);
  if (shown == nullptr) return;
  try {
    shown->open(arguments);
  } catch (const Error& error) {
    state_->workbench.sayError(QString::fromUtf8(error.what()));
    return;
  }
  state_->pages->setCurrentWidget(shown);
  state_->current = name;
  const Place place{name, arguments};
  if (state_->history.isEmpty() || state_->history.back() != place) state_->history.append(place);
  if (state_->history.size() > historyKept) state_->history.removeFirst();
  state_->queuePanel->hide();
  if (name == "run") noteOpened(arguments.value(0));
  markRail(name, arguments);
  QSettings().setValue("window/page", railEntryOf(name));
}

void MainWindow::markRail(const QString& page, const QStringList& arguments) {
  const QString run = page == "run" ? arguments.value(0) : QString();
  const bool listed = std::any_of(state_->openRuns.cbegin(), state_->openRuns.cend(),
                                  [&](const OpenRun& open) { return open.publicId == run; });
  state_->rail->mark(railEntryOf(page), listed ? run : QString());
}

void MainWindow::noteOpened(const QString& publicId) {
  for (const OpenRun& run : state_->openRuns) {
    if (run.publicId == publicId) return;
  }
  try {
    const Run run = state_->workbench.log().find(publicId.toStdString());
    state_->openRuns.append({publicId, QString::fromStdString(run.name)});
  } catch (const Error&) {
    return;  // the page itself says that there is no such run
  }
  while (state_->openRuns.size() > openRunsKept) state_->openRuns.removeFirst();
  showOpenRuns();
}

void MainWindow::showOpenRuns() {
  state_->rail->setOpenRuns(state_->openRuns);
}

void MainWindow::refresh() {
  state_->workbench.worker().ask(this, "queue", readQueue, [this](QueueState queue) {
    state_->queue = std::move(queue);
    state_->queueBar->show(state_->queue, state_->workbench.runners().queueHeld());
    if (state_->queuePanel->isVisible()) state_->queuePanel->show(state_->queue);
  });
  if (auto* shown = qobject_cast<Page*>(state_->pages->currentWidget())) shown->refresh();
}

void MainWindow::toggleQueue() {
  if (state_->queuePanel->isVisible()) {
    state_->queuePanel->hide();
    return;
  }
  state_->queuePanel->show(state_->queue);
  state_->queuePanel->place();
  state_->queuePanel->QFrame::show();
  state_->queuePanel->raise();
  state_->queuePanel->setFocus();
}

void MainWindow::setAsksOnClose(bool asks) {
  state_->asksOnClose = asks;
}

bool MainWindow::mayClose() {
  const auto running = static_cast<std::int64_t>(state_->queue.running.size());
  if (!state_->asksOnClose || running == 0) return true;
  QMessageBox box(this);
  box.setObjectName("closeDialog");
  box.setWindowTitle("Close Assay");
  box.setText(plural(running, "run is", "runs are") + " under way.");
  box.setInformativeText(
      "Runs are processes of their own and go on without the window. Waiting runs start when the "
      "window is open again.");
  QPushButton* const keep = box.addButton("Keep running", QMessageBox::AcceptRole);
  QPushButton* const stop = box.addButton("Stop them", QMessageBox::DestructiveRole);
  box.addButton("Cancel", QMessageBox::RejectRole);
  keep->setObjectName("closeKeep");
  stop->setObjectName("closeStop");
  box.setDefaultButton(keep);
  box.exec();
  if (box.clickedButton() == stop) {
    // A request in the log is enough: each run sees it between two steps.
    for (const Run& run : state_->queue.running) {
      state_->workbench.log().request(run.id, Request::Kind::stop);
    }
    return true;
  }
  return box.clickedButton() == keep;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!mayClose()) {
    event->ignore();
    return;
  }
  QSettings().setValue("window/geometry", saveGeometry());
  event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  state_->queuePanel->place();
  if (state_->message->isVisible()) state_->message->place();
}

bool MainWindow::event(QEvent* event) {
  const bool handled = QWidget::event(event);
  if (event->type() == QEvent::Paint && !state_->painted) {
    state_->painted = true;
    QTimer::singleShot(0, this, [this] {
      emit firstPainted();
      refresh();
    });
  }
  return handled;
}

}  // namespace assay
