// Runs: one table of all runs, what can be done with them, and the trash.
#include "app/window/pages/runs_page.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>

#include "app/viewers/theme.h"
#include "app/window/runs/column_chooser.h"
#include "app/window/runs/run_actions.h"
#include "app/window/runs/run_details.h"
#include "app/window/runs/run_table_model.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int rowHeight = 34;
const char* const columnsKey = "runs/columns";

}  // namespace

struct RunsPage::State {
  State(Workbench& w, RunsPage* p) : workbench(w), page(p) {}
  Workbench& workbench;
  RunsPage* page;
  RunTableModel* model = nullptr;
  RunActions* actions = nullptr;
  RunDetails* details = nullptr;
  ColumnChooser* chooser = nullptr;
  QTableView* table = nullptr;
  QStackedWidget* stack = nullptr;
  EmptyState* empty = nullptr;
  QLineEdit* filter = nullptr;
  QLabel* fault = nullptr;
  QLabel* count = nullptr;
  QPushButton* trashView = nullptr;
  QPushButton *compare = nullptr, *report = nullptr, *tag = nullptr, *stop = nullptr,
              *resume = nullptr, *trash = nullptr, *restore = nullptr, *purge = nullptr;
  bool loaded = false;

  QLayout* makeTop();
  QLayout* makeFilterRow();
  QLayout* makeActionRow();
  void makeTable();
  void showColumns(const QList<RunColumn>& columns);
  std::vector<Run> selected() const;
  void showSelection();
  void showLoaded();
  void showMenu(const QPoint& where);
  // Faults of the log (locked, disk full) are told, never thrown through Qt.
  void safely(const std::function<void()>& what);
};

void RunsPage::State::safely(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& error) {
    workbench.sayError(QString::fromUtf8(error.what()));
  }
}

QLayout* RunsPage::State::makeTop() {
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  row->addWidget(makeLabel("Runs", "title", page));
  count = makeLabel({}, "soft", page);
  count->setObjectName("runsCount");
  row->addWidget(count, 1, Qt::AlignBottom);
  return row;
}

QLayout* RunsPage::State::makeFilterRow() {
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  filter = new QLineEdit(page);
  filter->setObjectName("runsFilter");
  filter->setAccessibleName("Filter");
  filter->setPlaceholderText(
      "Filter: words, state:finished, tag:keep, seed:1, learning_rate<=0.01   Ctrl+F");
  filter->setClearButtonEnabled(true);
  QObject::connect(filter, &QLineEdit::textChanged, page, [this](const QString& text) {
    fault->hide();
    setLook(filter, "invalid", false);
    model->setFilter(text);
  });
  row->addWidget(filter, 1);
  QPushButton* const columns = makeButton("Columns", "runsColumns", {}, page);
  columns->setIcon(Theme::of().icon("columns"));
  QObject::connect(columns, &QPushButton::clicked, page,
                   [this, columns] { chooser->open(columns, model->columns()); });
  row->addWidget(columns);
  trashView = makeButton("Trash", "runsTrashView", {}, page);
  trashView->setIcon(Theme::of().icon("trash"));
  trashView->setCheckable(true);
  trashView->setToolTip("Show the runs in the trash");
  QObject::connect(trashView, &QPushButton::toggled, page, [this](bool shown) {
    model->setTrash(shown);
    showSelection();
  });
  row->addWidget(trashView);
  return row;
}

QLayout* RunsPage::State::makeActionRow() {
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  const auto add = [&](QPushButton*& place, const char* text, const char* name, const char* tip,
                       auto what) {
    place = makeButton(text, name, {}, page);
    place->setToolTip(tip);
    QObject::connect(place, &QPushButton::clicked, page,
                     [this, what] { safely([&] { what(selected()); }); });
    row->addWidget(place);
  };
  using Runs = std::vector<Run>;
  add(compare, "Compare", "runsCompare", "Side by side",
      [this](const Runs& r) { actions->compare(r); });
  add(report, "Report", "runsReport", "A report on these runs",
      [this](const Runs& r) { actions->report(r); });
  add(tag, "Tag…", "runsTag", "Add a tag (T)", [this](const Runs& r) { actions->askForTag(r); });
  add(stop, "Stop", "runsStop", "Stop at the next step",
      [this](const Runs& r) { actions->stop(r); });
  add(resume, "Resume", "runsResume", "Go on from the last checkpoint",
      [this](const Runs& r) { actions->resume(r); });
  add(trash, "Move to trash", "runsTrash", "Del", [this](const Runs& r) { actions->trash(r); });
  add(restore, "Restore", "runsRestore", "Out of the trash",
      [this](const Runs& r) { actions->restore(r); });
  add(purge, "Remove for good…", "runsPurge", "Removes files too",
      [this](const Runs& r) { actions->purge(r); });
  purge->setProperty("look", "danger");
  row->addStretch(1);
  return row;
}

void RunsPage::State::makeTable() {
  table = new QTableView(page);
  table->setObjectName("runsTable");
  table->setAccessibleName("Runs");
  table->setModel(model);
  table->setShowGrid(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setEditTriggers(QAbstractItemView::EditKeyPressed);
  table->setSortingEnabled(true);
  table->setWordWrap(false);
  table->setIconSize(QSize(16, 16));
  table->setContextMenuPolicy(Qt::CustomContextMenu);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setTabKeyNavigation(false);
  // One height for all rows: 100,000 of them cost nothing.
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->verticalHeader()->setDefaultSectionSize(rowHeight);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setSectionsMovable(true);
  table->horizontalHeader()->setStretchLastSection(true);
  QObject::connect(table, &QTableView::doubleClicked, page, [this](const QModelIndex& index) {
    const Run* const run = model->run(index.row());
    if (run != nullptr && !model->showsTrash()) actions->open(Run(*run));
  });
  QObject::connect(table, &QTableView::clicked, page, [this](const QModelIndex& index) {
    const Run* const run = model->run(index.row());
    if (run == nullptr || model->columns()[index.column()].kind != RunColumn::Kind::star) return;
    safely([&] { actions->toggleStar(Run(*run)); });
  });
  QObject::connect(table, &QWidget::customContextMenuRequested, page,
                   [this](const QPoint& where) { showMenu(where); });
  QObject::connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, page,
                   [this] { showSelection(); });
  QObject::connect(table->selectionModel(), &QItemSelectionModel::currentChanged, page,
                   [this] { showSelection(); });
}

void RunsPage::State::showColumns(const QList<RunColumn>& columns) {
  model->setColumns(columns);
  QStringList ids;
  for (int i = 0; i < columns.size(); ++i) {
    ids << columns[i].id();
    const QSettings settings;
    table->setColumnWidth(
        i, settings.value("runs/width/" + columns[i].id(), columns[i].width()).toInt());
  }
  QSettings().setValue(columnsKey, ids);
}

std::vector<Run> RunsPage::State::selected() const {
  std::vector<Run> runs;
  const QModelIndexList rows = table->selectionModel()->selectedRows();
  for (const QModelIndex& index : rows) {
    if (const Run* run = model->run(index.row())) runs.push_back(*run);
  }
  return runs;
}

void RunsPage::State::showSelection() {
  const std::vector<Run> runs = selected();
  const bool any = !runs.empty();
  const bool trashed = model->showsTrash();
  for (QPushButton* button : {compare, report, tag, stop, resume, trash}) {
    button->setVisible(!trashed);
  }
  for (QPushButton* button : {restore, purge}) {
    button->setVisible(trashed);
    button->setEnabled(any);
  }
  compare->setEnabled(runs.size() >= 2);
  report->setEnabled(any);
  tag->setEnabled(any);
  stop->setEnabled(std::any_of(runs.begin(), runs.end(), RunActions::canStop));
  resume->setEnabled(std::any_of(runs.begin(), runs.end(), RunActions::canResume));
  trash->setEnabled(any);
  const QModelIndex current = table->currentIndex();
  const Run* const run = any && current.isValid() ? model->run(current.row()) : nullptr;
  QString changed;
  for (int c = 0; run != nullptr && c < model->columnCount(); ++c) {
    if (model->columns()[c].kind == RunColumn::Kind::changed) {
      changed = model->data(model->index(current.row(), c), Qt::DisplayRole).toString();
    }
  }
  details->show(run, changed);
}

void RunsPage::State::showLoaded() {
  loaded = true;
  const int rows = model->rowCount();
  const bool filtered = !filter->text().trimmed().isEmpty();
  count->setText(filtered
                     ? QString("%1 found").arg(countText(rows))
                     : plural(rows, "run", "runs") + (model->showsTrash() ? " in the trash" : ""));
  if (rows > 0) {
    stack->setCurrentWidget(table);
  } else {
    const bool trashed = model->showsTrash();
    empty->setText(filtered  ? "No run fits the filter"
                   : trashed ? "The trash is empty"
                             : "No runs yet",
                   filtered  ? "Words must all occur; a comparison needs a metric or parameter, as "
                               "accuracy>0.9."
                   : trashed ? "Runs that are moved to the trash stay here until they are removed "
                               "for good."
                             : "Pick a paper, set its parameters, press Start. Runs started on the "
                               "command line appear here too.");
    if (!filtered && !trashed) {
      empty->setAction("Papers", "runsToPapers", [this] { workbench.openPapers(); });
    } else {
      empty->setAction({}, {}, {});
    }
    stack->setCurrentWidget(empty);
  }
  showSelection();
}

void RunsPage::State::showMenu(const QPoint& where) {
  const std::vector<Run> runs = selected();
  if (runs.empty()) return;
  QMenu menu(table);
  menu.setObjectName("runsMenu");
  const auto add = [&](const QString& text, bool enabled, auto what) {
    QAction* const action = menu.addAction(text, page, [this, what] { safely(what); });
    action->setEnabled(enabled);
  };
  if (model->showsTrash()) {
    add("Restore", true, [&] { actions->restore(runs); });
    add("Remove for good…", true, [&] { actions->purge(runs); });
  } else {
    add("Open", runs.size() == 1, [&] { actions->open(runs.front()); });
    add("Duplicate…", runs.size() == 1, [&] { actions->duplicate(runs.front()); });
    add("Rename", runs.size() == 1, [&] { page->renameCurrent(); });
    add(runs.front().starred ? "Unstar" : "Star", runs.size() == 1,
        [&] { actions->toggleStar(runs.front()); });
    menu.addSeparator();
    add("Compare", runs.size() >= 2, [&] { actions->compare(runs); });
    add("Report", true, [&] { actions->report(runs); });
    add("Tag…", true, [&] { actions->askForTag(runs); });
    menu.addSeparator();
    add("Stop", std::any_of(runs.begin(), runs.end(), RunActions::canStop),
        [&] { actions->stop(runs); });
    add("Resume", std::any_of(runs.begin(), runs.end(), RunActions::canResume),
        [&] { actions->resume(runs); });
    add("Move to trash", true, [&] { actions->trash(runs); });
  }
  menu.exec(table->viewport()->mapToGlobal(where));
}

RunsPage::RunsPage(Workbench& workbench, QWidget* parent)
    : Page(parent), state_(std::make_unique<State>(workbench, this)) {
  State& s = *state_;
  s.model = new RunTableModel(workbench, this);
  s.actions = new RunActions(workbench, this);
  s.chooser = new ColumnChooser(workbench, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 20, 24, 16);
  column->setSpacing(8);
  column->addLayout(s.makeTop());
  s.makeTable();
  column->addLayout(s.makeFilterRow());
  s.fault = makeWrapped({}, {}, this);
  s.fault->setObjectName("runsFilterFault");
  s.fault->setProperty("tone", "bad");
  s.fault->hide();
  column->addWidget(s.fault);
  column->addLayout(s.makeActionRow());
  auto* middle = new QHBoxLayout;
  middle->setSpacing(16);
  QFrame* const card = makeCard(this);
  auto* inner = new QVBoxLayout(card);
  inner->setContentsMargins(1, 1, 1, 1);
  s.stack = new QStackedWidget(card);
  s.empty = new EmptyState("runs", s.stack);
  s.stack->addWidget(s.table);
  s.stack->addWidget(s.empty);
  inner->addWidget(s.stack);
  middle->addWidget(card, 1);
  s.details = new RunDetails(workbench, this);
  middle->addWidget(s.details);
  column->addLayout(middle, 1);

  connect(s.model, &RunTableModel::loaded, this, [this] { state_->showLoaded(); });
  connect(s.model, &RunTableModel::filterRefused, this, [this](const QString& reason) {
    state_->fault->setText(reason);
    state_->fault->show();
    setLook(state_->filter, "invalid", true);
  });
  connect(s.chooser, &ColumnChooser::chosen, this,
          [this](const QList<RunColumn>& columns) { state_->showColumns(columns); });
  connect(s.table->horizontalHeader(), &QHeaderView::sectionResized, this,
          [this](int section, int, int width) {
            const QList<RunColumn>& columns = state_->model->columns();
            if (section == columns.size() - 1) return;  // stretched
            QSettings().setValue("runs/width/" + columns[section].id(), width);
          });
  const auto onKey = [this](const QKeySequence& keys, QWidget* where, auto what) {
    auto* shortcut = new QShortcut(keys, where);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, what);
  };
  onKey(QKeySequence::Find, this, [this] {
    state_->filter->setFocus();
    state_->filter->selectAll();
  });
  onKey(Qt::Key_Return, s.table, [this] {
    const std::vector<Run> runs = state_->selected();
    if (runs.size() == 1 && !state_->model->showsTrash()) state_->actions->open(runs.front());
    if (runs.size() > 1 && !state_->model->showsTrash()) state_->actions->compare(runs);
  });
  onKey(QKeySequence::Delete, s.table, [this] {
    if (state_->trash->isEnabled() && !state_->model->showsTrash()) state_->trash->click();
  });
  onKey(Qt::Key_T, s.table, [this] {
    if (state_->tag->isEnabled()) state_->tag->click();
  });
  onKey(Qt::Key_F2, s.table, [this] { renameCurrent(); });

  QList<RunColumn> columns;
  for (const QString& id : QSettings().value(columnsKey).toStringList()) {
    columns.append(columnFrom(id, workbench));
  }
  s.showColumns(columns.isEmpty() ? defaultColumns(workbench) : columns);
  for (int i = 0; i < s.model->columnCount(); ++i) {
    if (s.model->columns()[i].kind == RunColumn::Kind::created) {
      s.table->sortByColumn(i, Qt::DescendingOrder);
    }
  }
  s.showSelection();
}

RunsPage::~RunsPage() = default;

void RunsPage::renameCurrent() {
  const QModelIndex current = state_->table->currentIndex();
  for (int c = 0; current.isValid() && c < state_->model->columnCount(); ++c) {
    if (state_->model->columns()[c].kind == RunColumn::Kind::name) {
      state_->table->edit(state_->model->index(current.row(), c));
    }
  }
}

void RunsPage::open(const QStringList& arguments) {
  if (!arguments.isEmpty()) {
    state_->trashView->setChecked(false);
    state_->filter->setText(arguments[0]);
  }
  state_->model->refresh();
}

void RunsPage::refresh() {
  state_->model->refresh();
}

bool RunsPage::settled() const {
  return state_->loaded;
}

}  // namespace assay
