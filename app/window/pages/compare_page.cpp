// See compare_page.h. The numbers come from app/report/comparison.h, as those of a report do.
#include "app/window/pages/compare_page.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMimeData>
#include <QScrollArea>
#include <QSet>
#include <algorithm>

#include "app/viewers/plot/plot_view.h"
#include "app/window/compare/compare_cards.h"
#include "app/window/compare/pick_runs.h"
#include "app/window/log_worker.h"
#include "app/window/run/curve_groups.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {
namespace {

constexpr int narrow = 940;  // below this the cards stand one above the other

QString text_of(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

struct ComparePage::State {
  State(Workbench& w, QObject* owner)
      : workbench(w), worker(w.logDirectory(), Log::Mode::read_only, owner) {}
  Workbench& workbench;
  LogWorker worker;
  QStringList ids;
  CompareData data;
  std::vector<std::string> group_by;
  bool own_grouping = false;  // chosen by the user, not by what differs
  QString baseline, metric;
  bool reading = false, again = false;

  EmptyState* empty = nullptr;
  QScrollArea* scroll = nullptr;
  QLabel *title = nullptr, *grouped = nullptr, *subtitle = nullptr;
  QPushButton* group_button = nullptr;
  QMenu* group_menu = nullptr;
  QComboBox *metric_box = nullptr, *baseline_box = nullptr, *value_box = nullptr;
  QBoxLayout *first_row = nullptr, *second_row = nullptr;
  DifferencesCard* differences = nullptr;
  ResultCard* result = nullptr;
  GroupCurvesCard* curves = nullptr;
  PicturesCard* pictures = nullptr;
  ComparedRunsCard* runs = nullptr;

  void make_head(QVBoxLayout* column, ComparePage* page);
  void make_cards(QVBoxLayout* column, ComparePage* page);
  void fill_group_menu(ComparePage* page);
  void show_all();
  CompareScene scene();
  QString group_name(const RunGroup& group) const;
  QString grouping_words() const;
};

void ComparePage::State::make_head(QVBoxLayout* column, ComparePage* page) {
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  title = makeLabel({}, "title", page);
  grouped = makePill({}, {}, page);
  row->addWidget(title);
  row->addWidget(grouped);
  row->addStretch(1);
  QPushButton* const add = makeButton(tr("Add runs…"), "add_runs", {}, page);
  QPushButton* const report = makeButton(tr("Make report…"), "make_report", "primary", page);
  row->addWidget(add);
  row->addWidget(report);
  column->addLayout(row);
  subtitle = makeLabel({}, "soft", page);
  column->addWidget(subtitle);
  auto* choices = new QHBoxLayout;
  choices->setSpacing(8);
  metric_box = new QComboBox(page);
  metric_box->setObjectName("metric");
  metric_box->setAccessibleName(tr("Metric"));
  value_box = new QComboBox(page);
  value_box->setObjectName("value");
  value_box->setAccessibleName(tr("Which value"));
  value_box->addItems({tr("last value"), tr("best value")});
  group_button = makeButton(tr("Group by"), "group_by", {}, page);
  group_menu = new QMenu(group_button);
  baseline_box = new QComboBox(page);
  baseline_box->setObjectName("baseline");
  baseline_box->setAccessibleName(tr("Baseline"));
  for (QComboBox* box : {metric_box, value_box, baseline_box}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  }
  choices->addWidget(makeLabel(tr("Metric"), "soft", page));
  choices->addWidget(metric_box);
  choices->addWidget(value_box);
  choices->addSpacing(12);
  choices->addWidget(group_button);
  choices->addSpacing(12);
  choices->addWidget(makeLabel(tr("Baseline"), "soft", page));
  choices->addWidget(baseline_box);
  choices->addStretch(1);
  column->addLayout(choices);

  connect(add, &QPushButton::clicked, page, [this, page]() {
    PickRuns dialog(workbench, page);
    if (dialog.exec() == QDialog::Accepted) page->open(ids + dialog.chosen());
  });
  connect(report, &QPushButton::clicked, page, [this]() { workbench.openReport(ids); });
  connect(group_button, &QPushButton::clicked, page, [this, page]() {
    fill_group_menu(page);
    group_menu->popup(group_button->mapToGlobal(QPoint(0, group_button->height() + 4)));
  });
  connect(metric_box, &QComboBox::activated, page, [this, page]() {
    metric = metric_box->currentData().toString();
    page->refresh();
  });
  connect(value_box, &QComboBox::activated, page, [this]() { show_all(); });
  connect(baseline_box, &QComboBox::activated, page, [this]() {
    baseline = baseline_box->currentText();
    show_all();
  });
}

void ComparePage::State::make_cards(QVBoxLayout* column, ComparePage* page) {
  differences = new DifferencesCard(page);
  result = new ResultCard(page);
  curves = new GroupCurvesCard(page);
  pictures = new PicturesCard(page);
  runs = new ComparedRunsCard(page);
  first_row = new QBoxLayout(QBoxLayout::LeftToRight);
  second_row = new QBoxLayout(QBoxLayout::LeftToRight);
  first_row->setSpacing(16);
  second_row->setSpacing(16);
  first_row->addWidget(differences, 1);
  first_row->addWidget(result, 1);
  second_row->addWidget(curves, 1);
  second_row->addWidget(runs, 1);
  column->addLayout(first_row);
  column->addLayout(second_row);
  column->addWidget(pictures);
  connect(runs, &ComparedRunsCard::opened, page,
          [this](const QString& id) { workbench.openRun(id); });
  connect(runs, &ComparedRunsCard::removed, page, [this, page](const QStringList& gone) {
    QStringList rest = ids;
    for (const QString& id : gone) rest.removeAll(id);
    ids = rest;
    own_grouping = own_grouping && !rest.isEmpty();
    page->refresh();
  });
  connect(&curves->plot(), &PlotView::runDropped, page,
          [this, page](const QString& id) { page->open(ids + QStringList{id}); });
}

ComparePage::ComparePage(Workbench& workbench, QWidget* parent)
    : Page(parent), state_(std::make_unique<State>(workbench, this)) {
  State& s = *state_;
  setAcceptDrops(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  s.empty = new EmptyState("compare", this);
  s.empty->setText(tr("Nothing to compare yet"),
                   tr("Choose runs on the Runs page and Compare them, drag them here, or add them "
                      "now. Runs that differ in their seeds only become one group."));
  s.empty->setAction(tr("Add runs…"), "add_first_runs", [this]() {
    PickRuns dialog(state_->workbench, this);
    if (dialog.exec() == QDialog::Accepted) open(dialog.chosen());
  });
  column->addWidget(s.empty);
  s.scroll = new QScrollArea(this);
  s.scroll->setWidgetResizable(true);
  s.scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  content->setProperty("look", "page");
  auto* inner = new QVBoxLayout(content);
  inner->setContentsMargins(24, 20, 24, 24);
  inner->setSpacing(12);
  s.make_head(inner, this);
  inner->addSpacing(4);
  auto* cards = new QVBoxLayout;
  cards->setSpacing(16);
  s.make_cards(cards, this);
  inner->addLayout(cards);
  inner->addStretch(1);
  s.scroll->setWidget(content);
  s.scroll->hide();
  column->addWidget(s.scroll);
  connect(&s.worker, &LogWorker::failed, this, [&s](const QString& message) {
    s.reading = false;
    s.workbench.sayError(message);
  });
  connect(&Theme::of(), &Theme::changed, this, [&s]() { s.show_all(); });
}

ComparePage::~ComparePage() = default;

void ComparePage::open(const QStringList& arguments) {
  State& s = *state_;
  if (!arguments.isEmpty()) {
    QStringList wanted = arguments;
    wanted.removeDuplicates();
    if (wanted != s.ids) s.own_grouping = false;
    s.ids = wanted;
  }
  refresh();
}

void ComparePage::refresh() {
  State& s = *state_;
  s.empty->setVisible(s.ids.isEmpty());
  if (s.ids.isEmpty()) {
    s.scroll->hide();
    return;
  }
  if (s.reading) {
    s.again = true;
    return;
  }
  s.reading = true;
  std::vector<std::string> ids;
  for (const QString& id : s.ids) ids.push_back(id.toStdString());
  s.worker.ask(
      this, "compare",
      [ids, plugins = &s.workbench.plugins(), metric = s.metric.toStdString()](Log& log) {
        return read_compare(log, *plugins, ids, metric);
      },
      [this](CompareData data) {
        State& st = *state_;
        st.reading = false;
        st.data = std::move(data);
        st.metric = text_of(st.data.metric);
        st.scroll->show();
        st.show_all();
        if (std::exchange(st.again, false)) refresh();
      });
}

// "Trainable CT" for method = trainable_ct, where the experiment names its choices.
QString ComparePage::State::group_name(const RunGroup& group) const {
  const Run& run = data.runs[group.runs.front()].run;
  const Manifest* plugin = workbench.plugin(text_of(run.plugin));
  const ExperimentSpec* experiment =
      plugin != nullptr ? plugin->experiment(run.experiment) : nullptr;
  if (experiment == nullptr || group_by.size() != 1) return text_of(group.name);
  const ParameterSpec* parameter = experiment->parameter(group_by.front());
  if (parameter == nullptr) return text_of(group.name);
  for (const Choice& choice : parameter->choices) {
    if (choice.value == group.name && !choice.label.empty()) return text_of(choice.label);
  }
  return group_by.front() == "method" ? text_of(group.name)
                                      : text_of(parameter->label + " " + group.name);
}

QString ComparePage::State::grouping_words() const {
  if (group_by.empty()) return tr("one group");
  QStringList words;
  for (const std::string& key : group_by) words << wordsOf(key, nullptr).toLower();
  if (words.size() > 3) return tr("grouped by %1 parameters").arg(words.size());
  return tr("grouped by %1").arg(words.join(", "));
}

CompareScene ComparePage::State::scene() {
  if (!own_grouping) group_by = differing(data.runs);
  CompareScene s;
  s.data = &data;
  s.groups = group_runs(data.runs, group_by);
  for (const RunGroup& group : s.groups) s.group_names << group_name(group);
  s.baseline = static_cast<std::size_t>(std::max<qsizetype>(0, s.group_names.indexOf(baseline)));
  s.value = value_box->currentIndex() == 1 ? MetricValue::best : MetricValue::last;
  s.log_directory = workbench.logDirectory();
  s.metric_title = metricName(data.metric, nullptr);
  for (const ComparedRun& run : data.runs) {
    const Manifest* plugin = workbench.plugin(text_of(run.run.plugin));
    if (plugin == nullptr) continue;
    s.experiment = plugin->experiment(run.run.experiment);
    const MetricSpec* spec = workbench.metric(run.run, data.metric);
    s.metric_title = metricName(data.metric, s.experiment);
    if (spec == nullptr) continue;
    s.unit = text_of(spec->unit);
    s.axis = text_of(spec->axis);
    s.better = spec->better;
    break;
  }
  return s;
}

void ComparePage::State::fill_group_menu(ComparePage* page) {
  group_menu->clear();
  QAction* const usual = group_menu->addAction(tr("All that differs"));
  usual->setCheckable(true);
  usual->setChecked(!own_grouping);
  connect(usual, &QAction::triggered, page, [this]() {
    own_grouping = false;
    show_all();
  });
  group_menu->addSeparator();
  const auto different = differing(data.runs);
  for (const std::string& key : grouping_choices(data.runs)) {
    const bool differs = std::find(different.begin(), different.end(), key) != different.end();
    // Equal everywhere: grouping by it would change nothing.
    if (!differs && key != "name" && key != "run") continue;
    QAction* const action = group_menu->addAction(wordsOf(key, nullptr));
    action->setCheckable(true);
    action->setChecked(std::find(group_by.begin(), group_by.end(), key) != group_by.end());
    connect(action, &QAction::triggered, page, [this, key](bool on) {
      own_grouping = true;
      std::erase(group_by, key);
      if (on) group_by.push_back(key);
      show_all();
    });
  }
}

void ComparePage::State::show_all() {
  if (data.runs.empty()) return;
  const CompareScene s = scene();
  const auto count = static_cast<std::int64_t>(data.runs.size());
  title->setText(count == 1 ? tr("Compare: one run so far")
                            : tr("Compare %1 runs").arg(countText(count)));
  grouped->setText(grouping_words());
  QSet<quint64> seeds;
  for (const ComparedRun& run : data.runs) seeds.insert(run.run.seed);
  subtitle->setText(s.groups.size() > 1
                        ? tr("Baseline: %1 · paired over %2 · Holm corrected")
                              .arg(s.group_names.value(static_cast<qsizetype>(s.baseline)),
                                   plural(seeds.size(), tr("seed"), tr("seeds")))
                        : tr("One group of %1; add runs with other settings to compare.")
                              .arg(plural(seeds.size(), tr("seed"), tr("seeds"))));
  QStringList keys;
  for (const ComparedRun& run : data.runs) {
    for (const MetricSummary& metric : run.metrics) {
      if (!keys.contains(text_of(metric.key))) keys << text_of(metric.key);
    }
  }
  keys.sort();
  metric_box->clear();
  for (const QString& key : keys) {
    metric_box->addItem(metricName(key.toStdString(), s.experiment), key);
  }
  metric_box->setCurrentIndex(static_cast<int>(keys.indexOf(text_of(data.metric))));
  baseline_box->clear();
  baseline_box->addItems(s.group_names);
  baseline_box->setCurrentIndex(static_cast<int>(s.baseline));
  differences->show(s);
  result->show(s);
  curves->show(s);
  pictures->show(s);
  runs->show(s);
}

void ComparePage::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasFormat(run_mime_type)) event->acceptProposedAction();
}

void ComparePage::dropEvent(QDropEvent* event) {
  const QString text = QString::fromUtf8(event->mimeData()->data(run_mime_type));
  QStringList ids = state_->ids;
  for (const QString& id : text.split('\n', Qt::SkipEmptyParts)) ids << id.trimmed();
  event->acceptProposedAction();
  open(ids);
}

void ComparePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  const auto direction = width() < narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
  state_->first_row->setDirection(direction);
  state_->second_row->setDirection(direction);
}

}  // namespace assay
