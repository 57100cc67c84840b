// One run: head, live curves, metrics, the plugin's own view, artifacts, log; and its facts.
#include "app/window/pages/run_page.h"

#include <QScrollArea>
#include <QTabBar>
#include <QTimer>

#include "app/viewers/plugin_view.h"
#include "app/viewers/table/table_view.h"
#include "app/window/log_worker.h"
#include "app/window/run/run_artifacts.h"
#include "app/window/run/run_curves.h"
#include "app/window/run/run_events.h"
#include "app/window/run/run_facts.h"
#include "app/window/run/run_header.h"
#include "app/window/run/run_metrics.h"
#include "app/window/run/run_update.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {
constexpr int narrow = 940;  // below this the two columns stand one above the other
}

struct RunPage::State {
  State(Workbench& w, QObject* owner)
      : workbench(w), worker(w.logDirectory(), Log::Mode::read_only, owner) {}
  Workbench& workbench;
  LogWorker worker;
  QString id;
  Run run;
  RunCursor cursor;
  bool reading = false, again = false;
  ParameterSet parameters;
  const ExperimentSpec* experiment = nullptr;

  EmptyState* empty = nullptr;
  QScrollArea* scroll = nullptr;
  RunHeader* header = nullptr;
  QTabBar* tabs = nullptr;
  QWidget *overview = nullptr, *left = nullptr, *right = nullptr;
  QBoxLayout* columns = nullptr;
  QLabel* waiting = nullptr;
  QFrame* waiting_card = nullptr;
  RunCurves* curves = nullptr;
  RunMetrics* metrics = nullptr;
  QFrame* view_card = nullptr;
  QVBoxLayout* view_column = nullptr;
  RunView* view = nullptr;
  RunArtifacts* artifacts = nullptr;
  RunEvents* events = nullptr;
  RunConfiguration* configuration = nullptr;
  RunEnvironment* environment = nullptr;
  RunNotes* notes = nullptr;
  QTimer clock;  // a late heartbeat shows without a change in the log

  void make_overview(QVBoxLayout* column, RunPage* page);
  void show_tab(int index);
  void make_view();
  void take(RunUpdate update);
  void fail(const QString& message);
};

void RunPage::State::make_overview(QVBoxLayout* column, RunPage* page) {
  overview = new QWidget(page);
  columns = new QBoxLayout(QBoxLayout::LeftToRight, overview);
  columns->setContentsMargins(0, 0, 0, 0);
  columns->setSpacing(16);
  left = new QWidget(overview);
  right = new QWidget(overview);
  auto* left_column = new QVBoxLayout(left);
  auto* right_column = new QVBoxLayout(right);
  for (QVBoxLayout* one : {left_column, right_column}) {
    one->setContentsMargins(0, 0, 0, 0);
    one->setSpacing(16);
  }
  waiting_card = makeCard(left);
  auto* inner = new QVBoxLayout(waiting_card);
  inner->setContentsMargins(15, 28, 15, 28);
  waiting = makeLabel({}, "soft", waiting_card);
  waiting->setAlignment(Qt::AlignCenter);
  inner->addWidget(waiting);
  left_column->addWidget(waiting_card);
  curves = new RunCurves(workbench, left);
  metrics = new RunMetrics(left);
  left_column->addWidget(curves);
  left_column->addWidget(metrics);
  left_column->addStretch(1);
  view_card = makeCard(right);
  view_column = new QVBoxLayout(view_card);
  view_column->setContentsMargins(15, 12, 15, 12);
  view_card->hide();
  artifacts = new RunArtifacts(right);
  artifacts->hide();
  events = new RunEvents(right);
  right_column->addWidget(view_card);
  right_column->addWidget(artifacts);
  right_column->addWidget(events, 1);
  // What is in them must not widen the page.
  left->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  right->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  columns->addWidget(left, 3);
  columns->addWidget(right, 2);
  column->addWidget(overview, 1);
}

RunPage::RunPage(Workbench& workbench, QWidget* parent)
    : Page(parent), state_(std::make_unique<State>(workbench, this)) {
  State& s = *state_;
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  s.empty = new EmptyState("run", this);
  s.empty->setText(tr("No run is open"), tr("Open one from Runs."));
  s.empty->setAction(tr("Go to Runs"), "go_to_runs", [&s]() { s.workbench.openRuns(); });
  column->addWidget(s.empty);
  s.scroll = new QScrollArea(this);
  s.scroll->setWidgetResizable(true);
  s.scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  content->setProperty("look", "page");
  auto* inner = new QVBoxLayout(content);
  inner->setContentsMargins(24, 20, 24, 24);
  inner->setSpacing(12);
  s.header = new RunHeader(workbench, content);
  inner->addWidget(s.header);
  s.tabs = new QTabBar(content);
  s.tabs->setObjectName("run_tabs");
  s.tabs->setExpanding(false);
  s.tabs->setDrawBase(false);
  for (const QString& name :
       {tr("Overview"), tr("Configuration"), tr("Environment"), tr("Notes")}) {
    s.tabs->addTab(name);
  }
  inner->addWidget(s.tabs);
  s.make_overview(inner, this);
  s.configuration = new RunConfiguration(workbench, content);
  s.environment = new RunEnvironment(content);
  s.notes = new RunNotes(workbench, content);
  inner->addWidget(s.configuration, 1);
  inner->addWidget(s.environment, 1);
  inner->addWidget(s.notes, 1);
  s.scroll->setWidget(content);
  s.scroll->hide();
  column->addWidget(s.scroll);
  connect(s.tabs, &QTabBar::currentChanged, this, [&s](int index) { s.show_tab(index); });
  s.show_tab(0);
  connect(&s.worker, &LogWorker::failed, this, [&s](const QString& message) { s.fail(message); });
  connect(s.curves, &RunCurves::runDropped, this, [this, &s](const QString& id) {
    const std::string address = id.toStdString();
    s.worker.ask(
        this, "dropped",
        [address](Log& log) {
          const Run run = log.find(address);
          std::map<std::string, std::vector<MetricPoint>> points;
          for (const MetricSummary& metric : log.metrics(run.id)) {
            points[metric.key] = log.curve(run.id, metric.key);
          }
          return std::make_pair(run, points);
        },
        [&s](std::pair<Run, std::map<std::string, std::vector<MetricPoint>>> other) {
          s.curves->addOther(other.first, std::move(other.second));
        });
  });
  s.clock.setInterval(2000);
  connect(&s.clock, &QTimer::timeout, this, [this, &s]() {
    if (isVisible() && s.run.state == RunState::running) s.header->showRun(s.run);
  });
  s.clock.start();
}

RunPage::~RunPage() {
  state_->notes->save();
}

void RunPage::State::show_tab(int index) {
  overview->setVisible(index == 0);
  configuration->setVisible(index == 1);
  environment->setVisible(index == 2);
  notes->setVisible(index == 3);
}

void RunPage::open(const QStringList& arguments) {
  State& s = *state_;
  const QString id = arguments.value(0);
  if (id.isEmpty()) return;
  if (id != s.id) {
    s.id = id;
    s.cursor = {};
    s.run = {};
    s.tabs->setCurrentIndex(0);
    try {
      s.cursor.run_id = s.workbench.log().find(id.toStdString()).id;
    } catch (const Error& error) {
      s.fail(QString::fromUtf8(error.what()));
      return;
    }
  }
  refresh();
}

void RunPage::State::fail(const QString& message) {
  reading = false;
  if (run.id != 0) {
    workbench.sayError(message);
    return;
  }
  empty->setText(tr("This run can't be shown"), message);
  empty->show();
  scroll->hide();
}

void RunPage::refresh() {
  State& s = *state_;
  if (s.cursor.run_id == 0) return;
  if (s.reading) {
    s.again = true;
    return;
  }
  s.reading = true;
  s.worker.ask(
      this, "update", [cursor = s.cursor](Log& log) { return read_update(log, cursor); },
      [this](RunUpdate update) {
        State& st = *state_;
        st.reading = false;
        if (update.cursor.run_id == st.cursor.run_id) st.take(std::move(update));
        if (!std::exchange(st.again, false)) return;
        refresh();
      });
}

void RunPage::State::make_view() {
  if (view != nullptr) {
    view_column->removeWidget(view);
    view->deleteLater();
    view = nullptr;
  }
  PluginView* plugin = workbench.view(QString::fromStdString(run.plugin));
  if (plugin == nullptr) return;
  view = plugin->makeRunView(QString::fromStdString(run.experiment), view_card);
  if (view != nullptr) view_column->addWidget(view);
}

void RunPage::State::take(RunUpdate update) {
  const bool other = update.run.id != run.id;
  cursor = update.cursor;
  run = update.run;
  if (other) {
    const Manifest* plugin = workbench.plugin(QString::fromStdString(run.plugin));
    experiment = plugin != nullptr ? plugin->experiment(run.experiment) : nullptr;
    make_view();
  }
  empty->hide();
  scroll->show();
  header->showRun(run);
  curves->take(update);
  metrics->show(update, experiment);
  if (update.whole) {
    events->clear();
    parameters = update.parameters;
    configuration->show(run, parameters);
  }
  events->add(update.events);
  artifacts->show(workbench.logDirectory(), update.artifacts, experiment);
  environment->show(run, update.timings);
  notes->show(run);
  if (view != nullptr) {
    view->showRun(workbench.log(), run);
    view_card->setVisible(view->hasContent());
  }
  waiting_card->setVisible(curves->isEmpty() && update.metrics.empty());
  waiting->setText(run.state == RunState::queued    ? tr("Curves appear when the run starts.")
                   : run.state == RunState::running ? tr("Waiting for the first metric…")
                                                    : tr("This run wrote no metrics."));
}

void RunPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  state_->columns->setDirection(width() < narrow ? QBoxLayout::TopToBottom
                                                 : QBoxLayout::LeftToRight);
}

}  // namespace assay
