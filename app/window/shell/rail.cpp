// The rail at the left: pages, and the runs that were opened.
#include "app/window/shell/rail.h"

#include <QContextMenuEvent>
#include <QMenu>

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"

namespace assay {
namespace {

constexpr int railWidth = 188;

QString elided(const QWidget* widget, const QString& text) {
  return widget->fontMetrics().elidedText(text, Qt::ElideRight, railWidth - 44);
}

}  // namespace

Rail::Rail(QWidget* parent) : QFrame(parent) {
  setObjectName("rail");
  setFixedWidth(railWidth);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 12, 8, 12);
  column->setSpacing(3);
  struct Entry {
    const char *page, *text, *icon;
  };
  int number = 0;
  for (const Entry& entry : {Entry{"papers", "Papers", "papers"}, Entry{"runs", "Runs", "runs"},
                             Entry{"compare", "Compare", "compare"},
                             Entry{"report", "Reports", "report"}, Entry{"data", "Data", "data"}}) {
    QPushButton* const button = addEntry(entry.text, QString("rail_") + entry.page, entry.icon);
    button->setToolTip(QString("%1 (Ctrl+%2)").arg(entry.text).arg(++number));
    entries_.insert(entry.page, button);
    icons_.insert(entry.page, entry.icon);
    column->addWidget(button);
    connect(button, &QPushButton::clicked, this,
            [this, page = QString(entry.page)] { emit pageChosen(page); });
  }
  column->addSpacing(10);
  open_ = new QWidget(this);
  auto* openColumn = new QVBoxLayout(open_);
  openColumn->setContentsMargins(0, 0, 0, 0);
  openColumn->setSpacing(3);
  QLabel* const heading = makeLabel("Open", "tiny", open_);
  heading->setContentsMargins(10, 0, 0, 4);
  openColumn->addWidget(heading);
  openList_ = new QVBoxLayout;
  openList_->setSpacing(3);
  openColumn->addLayout(openList_);
  column->addWidget(open_);
  column->addStretch(1);
  open_->hide();
  connect(&Theme::of(), &Theme::changed, this, &Rail::colour);
  colour();
}

QPushButton* Rail::addEntry(const QString& text, const QString& name, const QString& icon) {
  QPushButton* const button = makeButton(text, name, "rail", this);
  button->setCheckable(true);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  button->setIconSize(QSize(18, 18));
  button->setProperty("icon_name", icon);
  return button;
}

void Rail::colour() {
  const ThemeTokens& tokens = Theme::of().tokens();
  for (auto entry = entries_.cbegin(); entry != entries_.cend(); ++entry) {
    const QColor color = entry.value()->isChecked() ? tokens.accent : tokens.soft;
    entry.value()->setIcon(Theme::of().icon(icons_.value(entry.key()), color));
  }
}

void Rail::mark(const QString& page, const QString& openRun) {
  for (auto entry = entries_.cbegin(); entry != entries_.cend(); ++entry) {
    entry.value()->setChecked(entry.key() == page && openRun.isEmpty());
  }
  openMarked_ = openRun;
  for (QPushButton* button : open_->findChildren<QPushButton*>()) {
    button->setChecked(button->property("run").toString() == openRun);
  }
  colour();
}

void Rail::setOpenRuns(const QList<OpenRun>& runs) {
  clearLayout(openList_);
  openRuns_ = runs;
  for (const OpenRun& run : runs) {
    QPushButton* const button = addEntry(elided(this, run.name), "open_" + run.publicId, {});
    button->setToolTip(run.name);
    button->setAccessibleName("Open run " + run.name);
    button->setProperty("run", run.publicId);
    button->setChecked(run.publicId == openMarked_);
    button->setContextMenuPolicy(Qt::CustomContextMenu);
    openList_->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, id = run.publicId] { emit runChosen(id); });
    connect(button, &QPushButton::customContextMenuRequested, this,
            [this, button, id = run.publicId](const QPoint& where) {
              QMenu menu;
              menu.addAction("Close", this, [this, id] { emit runClosed(id); });
              menu.addAction("Close all", this, [this] {
                for (const OpenRun& each : QList<OpenRun>(openRuns_)) emit runClosed(each.publicId);
              });
              menu.exec(button->mapToGlobal(where));
            });
  }
  open_->setVisible(!runs.isEmpty());
}

}  // namespace assay
