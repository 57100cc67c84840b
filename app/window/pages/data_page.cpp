// Data: every data set and weight file known, a look at it, and what to do when it is missing.
#include "app/window/pages/data_page.h"

#include <QFileDialog>
#include <QListWidget>
#include <QPointer>
#include <QScrollArea>
#include <QThreadPool>

#include "app/viewers/theme.h"
#include "app/window/data/data_entry.h"
#include "app/window/data/data_list.h"
#include "app/window/data/data_view.h"
#include "app/window/log_worker.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {

struct DataPage::State {
  State(Workbench& w, DataPage* p) : workbench(w), page(p) {}
  Workbench& workbench;
  DataPage* page;
  QListWidget* list = nullptr;
  DataView* view = nullptr;
  QList<DataEntry> entries;
  QHash<QString, DataFacts> facts;    // by path
  QHash<QString, QString> checksums;  // by path; empty while it is computed
  int looking = 0;
  bool loaded = false;

  void showEntries(const QList<DataEntry>& shown);
  void showIcons();
  void showCurrent();
  void look(const QString& path);
  void computeChecksum(const QString& path);
  void add(const QString& path);
};

void DataPage::State::showEntries(const QList<DataEntry>& shown) {
  const QString current = list->currentRow() >= 0 && list->currentRow() < entries.size()
                              ? entries[list->currentRow()].path + entries[list->currentRow()].title
                              : QString();
  entries = shown;
  const QSignalBlocker quiet(list);
  list->clear();
  int row = 0;
  for (int i = 0; i < entries.size(); ++i) {
    list->addItem(entries[i].title);
    if (entries[i].path + entries[i].title == current) row = i;
    if (!facts.contains(entries[i].path)) look(entries[i].path);
  }
  loaded = true;
  list->setCurrentRow(entries.isEmpty() ? -1 : row);
  showIcons();
  showCurrent();
}

void DataPage::State::showIcons() {
  for (int i = 0; i < entries.size() && i < list->count(); ++i) {
    const DataFacts known = facts.value(entries[i].path);
    const QString tone = known.exists && known.problem.isEmpty() ? "good" : "caution";
    list->item(i)->setIcon(
        Theme::of().icon(tone == "good" ? "verdict-reproduced" : "verdict-none", toneColor(tone)));
    list->item(i)->setToolTip(known.exists ? entries[i].path : "Missing");
  }
}

void DataPage::State::showCurrent() {
  const int row = list->currentRow();
  if (row < 0 || row >= entries.size()) {
    view->showNothing();
    return;
  }
  const DataEntry& entry = entries[row];
  const auto known = facts.constFind(entry.path);
  if (known == facts.constEnd()) {
    view->showLooking(entry);
    return;
  }
  if (known->exists && !checksums.contains(entry.path)) computeChecksum(entry.path);
  view->show(entry, *known, checksums.value(entry.path));
}

void DataPage::State::look(const QString& path) {
  ++looking;
  QPointer<DataPage> alive(page);
  QThreadPool::globalInstance()->start([alive, path, application = qApp] {
    DataFacts seen = lookAt(path);
    QMetaObject::invokeMethod(application, [alive, path, seen = std::move(seen)] {
      if (!alive) return;
      State& state = *alive->state_;
      --state.looking;
      state.facts.insert(path, seen);
      state.showIcons();
      state.showCurrent();
    });
  });
}

void DataPage::State::computeChecksum(const QString& path) {
  checksums.insert(path, {});
  QPointer<DataPage> alive(page);
  QThreadPool::globalInstance()->start([alive, path, application = qApp] {
    const QString checksum = checksumOf(path);
    QMetaObject::invokeMethod(application, [alive, path, checksum] {
      if (!alive) return;
      alive->state_->checksums.insert(path, checksum);
      alive->state_->showCurrent();
    });
  });
}

void DataPage::State::add(const QString& path) {
  if (path.isEmpty()) return;
  QStringList paths = addedPaths();
  if (!paths.contains(path)) paths << path;
  setAddedPaths(paths);
  page->refresh();
}

DataPage::DataPage(Workbench& workbench, QWidget* parent)
    : Page(parent), state_(std::make_unique<State>(workbench, this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 20, 24, 16);
  column->setSpacing(4);
  auto* top = new QHBoxLayout;
  top->setSpacing(6);
  top->addWidget(makeLabel("Data", "title", this));
  top->addStretch(1);
  QPushButton* const file = makeButton("Add file…", "addDataFile", {}, this);
  QPushButton* const folder = makeButton("Add folder…", "addDataFolder", {}, this);
  top->addWidget(file);
  top->addWidget(folder);
  column->addLayout(top);
  column->addWidget(
      makeLabel("Data sets and weights that papers use, that runs have used, or that you add.",
                "soft", this));
  column->addSpacing(12);
  auto* row = new QHBoxLayout;
  row->setSpacing(16);
  QFrame* const card = makeCard(this);
  card->setFixedWidth(264);
  auto* inner = new QVBoxLayout(card);
  inner->setContentsMargins(6, 6, 6, 6);
  state_->list = new QListWidget(card);
  state_->list->setObjectName("dataList");
  state_->list->setAccessibleName("Data sets and weights");
  state_->list->setIconSize(QSize(18, 18));
  inner->addWidget(state_->list);
  row->addWidget(card);
  state_->view = new DataView(this);
  row->addWidget(state_->view, 1);
  column->addLayout(row, 1);

  connect(file, &QPushButton::clicked, this,
          [this] { state_->add(QFileDialog::getOpenFileName(this, "Add a data or weight file")); });
  connect(folder, &QPushButton::clicked, this,
          [this] { state_->add(QFileDialog::getExistingDirectory(this, "Add a folder of data")); });
  connect(state_->list, &QListWidget::currentRowChanged, this, [this] { state_->showCurrent(); });
  connect(state_->view, &DataView::removeAsked, this, [this](const QString& path) {
    QStringList paths = addedPaths();
    paths.removeAll(path);
    setAddedPaths(paths);
    refresh();
  });
  connect(state_->view, &DataView::lookAsked, this, [this](const QString& path) {
    state_->facts.remove(path);
    state_->checksums.remove(path);
    state_->look(path);
    state_->showCurrent();
  });
}

DataPage::~DataPage() = default;

void DataPage::open(const QStringList& arguments) {
  if (!arguments.isEmpty()) state_->add(arguments.front());
  refresh();
}

// Runs say what they used when they end; between two visits that is soon enough.
void DataPage::refresh() {
  state_->workbench.worker().ask(this, "data", readUsedData, [this](const QList<UsedData>& used) {
    const QList<DataEntry> entries = knownData(state_->workbench, used);
    QStringList before;
    QStringList after;
    for (const DataEntry& entry : std::as_const(state_->entries)) {
      before << entry.title + entry.path + entry.papers.join(',') + entry.checksum;
    }
    for (const DataEntry& entry : entries) {
      after << entry.title + entry.path + entry.papers.join(',') + entry.checksum;
    }
    if (!state_->loaded || before != after) state_->showEntries(entries);
  });
}

bool DataPage::settled() const {
  return state_->loaded && state_->looking == 0;
}

}  // namespace assay
