// The header: title, which log, search, theme.
#include "app/window/shell/header_bar.h"

#include <QActionGroup>
#include <QDesktopServices>
#include <QLineEdit>
#include <QMenu>
#include <QUrl>

#include "app/viewers/theme.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {

HeaderBar::HeaderBar(Workbench& workbench, QWidget* parent)
    : QFrame(parent), workbench_(workbench) {
  setObjectName("headerBar");
  setFixedHeight(44);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(16, 0, 16, 0);
  row->setSpacing(8);
  QLabel* const title = makeLabel("Assay", "heading", this);
  row->addWidget(title);
  row->addSpacing(4);
  const QString folder = QString::fromStdString(workbench.logDirectory().string());
  const QString last = QString::fromStdString(workbench.logDirectory().filename().string());
  QPushButton* const log = makeButton(last.isEmpty() ? folder : last, "logChip", "pill", this);
  log->setToolTip("Experiment log: " + folder + "\nClick to open the folder.");
  log->setAccessibleName("Experiment log " + folder);
  connect(log, &QPushButton::clicked, this,
          [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
  row->addWidget(log);
  row->addStretch(1);
  search_ = new QLineEdit(this);
  search_->setObjectName("searchBox");
  search_->setAccessibleName("Search papers, runs and notes");
  search_->setPlaceholderText("Search papers, runs, notes   Ctrl+K");
  search_->setProperty("look", "search");
  search_->setFixedWidth(340);
  row->addWidget(search_);
  theme_ = makeIconButton("sun", "Light or dark", "themeButton", this);
  connect(theme_, &QToolButton::clicked, this, &HeaderBar::showThemeMenu);
  row->addWidget(theme_);
  connect(&Theme::of(), &Theme::changed, this, &HeaderBar::colour);
  colour();
}

void HeaderBar::colour() {
  theme_->setIcon(Theme::of().icon("sun", Theme::of().tokens().soft));
}

void HeaderBar::showThemeMenu() {
  QMenu menu(this);
  QActionGroup group(&menu);
  const auto add = [&](const QString& text, ThemeChoice choice) {
    QAction* const action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(Theme::of().choice() == choice);
    group.addAction(action);
    connect(action, &QAction::triggered, this, [choice] { Theme::of().choose(choice); });
  };
  add("As the desktop", ThemeChoice::system);
  add("Light", ThemeChoice::light);
  add("Dark", ThemeChoice::dark);
  menu.exec(theme_->mapToGlobal(QPoint(0, theme_->height() + 2)));
}

}  // namespace assay
