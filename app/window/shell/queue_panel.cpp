// The queue, opened from the bar.
#include "app/window/shell/queue_panel.h"

#include <QAbstractItemModel>
#include <QCheckBox>
#include <QListWidget>
#include <QShortcut>
#include <QSpinBox>

#include "app/viewers/theme.h"
#include "app/window/runner_pool.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int panelWidth = 520;
constexpr int panelHeight = 380;
constexpr int idRole = Qt::UserRole;

}  // namespace

QueuePanel::QueuePanel(Workbench& workbench, QWidget* parent)
    : QFrame(parent), workbench_(workbench) {
  setObjectName("queuePanel");
  setProperty("look", "popup");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 12);
  column->setSpacing(8);
  auto* top = new QHBoxLayout;
  top->addWidget(makeLabel("Queue", "heading", this));
  top->addStretch(1);
  QToolButton* const close = makeIconButton("close", "Close", "queueClose", this);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  top->addWidget(close);
  column->addLayout(top);
  column->addWidget(makeSettings());
  column->addWidget(makeRule(this));
  running_ = new QVBoxLayout;
  running_->setSpacing(8);
  column->addLayout(running_);
  waitingHeading_ = makeLabel({}, "small", this);
  column->addWidget(waitingHeading_);
  waiting_ = new QListWidget(this);
  waiting_->setObjectName("queueWaiting");
  waiting_->setAccessibleName("Waiting runs, in order");
  waiting_->setDragDropMode(QAbstractItemView::InternalMove);
  waiting_->setDefaultDropAction(Qt::MoveAction);
  waiting_->setIconSize(QSize(16, 16));
  column->addWidget(waiting_, 1);
  waitingButtons_ = makeWaitingButtons();
  column->addWidget(waitingButtons_);
  connect(waiting_->model(), &QAbstractItemModel::rowsMoved, this, &QueuePanel::orderDragged);
  const auto onKey = [this](const char* keys, QWidget* where, auto what) {
    auto* shortcut = new QShortcut(QKeySequence(keys), where);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, what);
  };
  onKey("Alt+Up", waiting_, [this] { moveBy(-1); });
  onKey("Alt+Down", waiting_, [this] { moveBy(1); });
  onKey("Del", waiting_, [this] { removeCurrent(); });
  onKey("Esc", this, [this] { QFrame::hide(); });
  QFrame::hide();
}

QWidget* QueuePanel::makeSettings() {
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(makeLabel("Runs at once", "soft", row));
  places_ = new QSpinBox(row);
  places_->setObjectName("queuePlaces");
  places_->setAccessibleName("Runs at once");
  places_->setRange(1, 64);
  places_->setFixedWidth(68);
  places_->setToolTip("A run takes all cores unless it is given fewer threads.");
  layout->addWidget(places_);
  layout->addSpacing(16);
  held_ = new QCheckBox("Hold: start nothing new", row);
  held_->setObjectName("queueHold");
  layout->addWidget(held_);
  layout->addStretch(1);
  connect(places_, &QSpinBox::valueChanged, this,
          [this](int places) { workbench_.runners().setPlaces(places); });
  connect(held_, &QCheckBox::toggled, this,
          [this](bool held) { workbench_.runners().setQueueHeld(held); });
  return row;
}

QWidget* QueuePanel::makeWaitingButtons() {
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  QPushButton* const up = makeButton("Move up", "queueUp", {}, row);
  QPushButton* const down = makeButton("Move down", "queueDown", {}, row);
  QPushButton* const remove = makeButton("Remove", "queueRemove", {}, row);
  up->setToolTip("Alt+Up; or drag the row");
  down->setToolTip("Alt+Down; or drag the row");
  layout->addWidget(up);
  layout->addWidget(down);
  layout->addStretch(1);
  layout->addWidget(remove);
  connect(up, &QPushButton::clicked, this, [this] { moveBy(-1); });
  connect(down, &QPushButton::clicked, this, [this] { moveBy(1); });
  connect(remove, &QPushButton::clicked, this, &QueuePanel::removeCurrent);
  return row;
}

void QueuePanel::place() {
  const QSize window = parentWidget()->size();
  const int height = qMin(panelHeight, window.height() - 120);
  setGeometry(12, window.height() - 34 - 8 - height, panelWidth, height);
}

void QueuePanel::show(const QueueState& state) {
  const QSignalBlocker noPlaces(places_);
  const QSignalBlocker noHeld(held_);
  places_->setValue(workbench_.runners().places());
  held_->setChecked(workbench_.runners().queueHeld());
  showRunning(state.running);
  showWaiting(state.waiting);
}

void QueuePanel::showRunning(const std::vector<Run>& runs) {
  QList<qint64> ids;
  for (const Run& run : runs) ids.append(run.id);
  if (ids != shownRunning_ || running_->count() == 0) {
    shownRunning_ = ids;
    clearLayout(running_);
    if (runs.empty()) running_->addWidget(makeLabel("Nothing is running.", "soft", this));
    for (const Run& run : runs) {
      auto* row = new QWidget(this);
      auto* layout = new QHBoxLayout(row);
      layout->setContentsMargins(0, 0, 0, 0);
      layout->setSpacing(8);
      QPushButton* const name = makeButton(
          fontMetrics().elidedText(QString::fromStdString(run.name), Qt::ElideRight, 200),
          "queueOpenRun", "link", row);
      QLabel* const progress = makeLabel({}, "small", row);
      progress->setObjectName("queueProgressText");
      QToolButton* const pause = makeIconButton("pause", "Pause", "queuePause", row);
      QToolButton* const stop = makeIconButton("stop", "Stop", "queueStop", row);
      layout->addWidget(name);
      layout->addWidget(progress, 1);
      layout->addWidget(pause);
      layout->addWidget(stop);
      running_->addWidget(row);
      connect(name, &QPushButton::clicked, this, [this, run] {
        workbench_.openRun(QString::fromStdString(run.public_id));
        hide();
      });
      connect(pause, &QToolButton::clicked, this, [this, run] { workbench_.runners().pause(run); });
      connect(stop, &QToolButton::clicked, this, [this, run] { workbench_.runners().stop(run); });
    }
  }
  for (int i = 0; i < running_->count() && i < static_cast<int>(runs.size()); ++i) {
    QLabel* const text = running_->itemAt(i)->widget()->findChild<QLabel*>("queueProgressText");
    if (text != nullptr) text->setText(queueProgressText(runs[static_cast<std::size_t>(i)]));
  }
}

void QueuePanel::showWaiting(const std::vector<Run>& runs) {
  waitingHeading_->setText(runs.empty() ? "Nothing is waiting."
                                        : plural(static_cast<std::int64_t>(runs.size()),
                                                 "run is waiting", "runs are waiting"));
  waiting_->setVisible(!runs.empty());
  waitingButtons_->setVisible(!runs.empty());
  QList<qint64> ids;
  for (const Run& run : runs) ids.append(run.id);
  if (ids == shownWaiting_) return;
  const qint64 current =
      waiting_->currentItem() == nullptr ? 0 : waiting_->currentItem()->data(idRole).toLongLong();
  shownWaiting_ = ids;
  waiting_->clear();
  for (const Run& run : runs) {
    auto* item = new QListWidgetItem(Theme::of().icon("grip", Theme::of().tokens().faint),
                                     QString::fromStdString(run.name), waiting_);
    item->setData(idRole, static_cast<qint64>(run.id));
    if (run.id == current) waiting_->setCurrentItem(item);
  }
  if (waiting_->currentRow() < 0) waiting_->setCurrentRow(0);
}

void QueuePanel::moveBy(int rows) {
  const int row = waiting_->currentRow();
  const int target = row + rows;
  if (row < 0 || target < 0 || target >= waiting_->count()) return;
  QListWidgetItem* const item = waiting_->takeItem(row);
  waiting_->insertItem(target, item);
  waiting_->setCurrentRow(target);
  orderDragged();
}

// The row that was moved is the one whose neighbour below is new: put it before that one.
void QueuePanel::orderDragged() {
  const QListWidgetItem* const moved = waiting_->currentItem();
  if (moved == nullptr) return;
  const QListWidgetItem* const next = waiting_->item(waiting_->row(moved) + 1);
  shownWaiting_.clear();  // shown anew from the log
  try {
    workbench_.runners().moveInQueue(moved->data(idRole).toLongLong(),
                                     next == nullptr ? 0 : next->data(idRole).toLongLong());
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
  }
}

void QueuePanel::removeCurrent() {
  const QListWidgetItem* const item = waiting_->currentItem();
  if (item == nullptr) return;
  try {
    workbench_.log().remove_from_queue(item->data(idRole).toLongLong());
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
  }
}

}  // namespace assay
