// The bar at the bottom.
#include "app/window/shell/queue_bar.h"

#include <QFile>
#include <QMouseEvent>
#include <QProgressBar>
#include <QTimer>

#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/process.h"

namespace assay {
namespace {

struct Memory {
  double total = 0.0, available = 0.0;  // GiB
};

Memory readMemory() {
  QFile file("/proc/meminfo");
  Memory memory;
  if (!file.open(QIODevice::ReadOnly)) return memory;
  for (const QByteArray& line : file.readAll().split('\n')) {
    const double gibibytes = line.simplified().split(' ').value(1).toDouble() / 1024.0 / 1024.0;
    if (line.startsWith("MemTotal:")) memory.total = gibibytes;
    if (line.startsWith("MemAvailable:")) memory.available = gibibytes;
  }
  return memory;
}

QString gibibytes(double value) {
  return QString::number(value, 'f', value < 10.0 ? 1 : 0);
}

}  // namespace

QueueBar::QueueBar(Workbench& workbench, QWidget* parent) : QFrame(parent), workbench_(workbench) {
  setObjectName("queueBar");
  setFixedHeight(34);
  setCursor(Qt::PointingHandCursor);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 0, 16, 0);
  row->setSpacing(12);
  counts_ = makeButton("Nothing running", "queueButton", "quiet", this);
  counts_->setToolTip("What runs, what waits (Ctrl+J)");
  connect(counts_, &QPushButton::clicked, this, &QueueBar::clicked);
  row->addWidget(counts_);
  progress_ = new QProgressBar(this);
  progress_->setObjectName("queueProgress");
  progress_->setAccessibleName("Progress of the current run");
  progress_->setFixedWidth(220);
  progress_->setTextVisible(false);
  row->addWidget(progress_);
  current_ = makeLabel({}, "small", this);
  current_->setObjectName("queueCurrent");
  row->addWidget(current_, 1);
  machine_ = makeLabel({}, "small", this);
  row->addWidget(machine_);
  progress_->hide();
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, &QueueBar::showMachine);
  timer->start(5000);
  showMachine();
}

void QueueBar::show(const QueueState& state, bool held) {
  QStringList parts;
  if (!state.running.empty()) parts << QString("%1 running").arg(state.running.size());
  if (!state.waiting.empty()) parts << QString("%1 waiting").arg(state.waiting.size());
  if (held) parts << "held";
  counts_->setText(parts.isEmpty() ? "Nothing running" : parts.join(", "));
  if (state.running.empty()) {
    progress_->hide();
    current_->clear();
    return;
  }
  const Run& run = state.running.front();
  progress_->setVisible(run.progress_total > 0);
  progress_->setRange(0, 1000);
  if (run.progress_total > 0) {
    progress_->setValue(static_cast<int>(1000.0 * static_cast<double>(run.progress_done) /
                                         static_cast<double>(run.progress_total)));
  }
  const QString progress = queueProgressText(run);
  current_->setText(QString::fromStdString(run.name) +
                    (progress.isEmpty() ? QString() : " · " + progress));
}

void QueueBar::showMachine() {
  const Memory memory = readMemory();
  machine_->setText(QString("%1 · %2 of %3 GiB")
                        .arg(plural(core_count(), "core", "cores"),
                             gibibytes(memory.total - memory.available), gibibytes(memory.total)));
  machine_->setToolTip("Cores this program may use, memory in use");
}

void QueueBar::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit clicked();
}

}  // namespace assay
