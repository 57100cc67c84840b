// One paper: idea, explore, claims, how to cite.
#include "app/window/pages/paper_page.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTabBar>
#include <QUrl>

#include "app/viewers/theme.h"
#include "app/window/papers/claims_view.h"
#include "app/window/papers/explore_view.h"
#include "app/window/papers/idea_view.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {
namespace {

const QStringList& tabNames() {
  static const QStringList names = {"idea", "explore", "claims", "cite"};
  return names;
}

QString bylineOf(const Paper& paper) {
  QStringList authors;
  for (const std::string& author : paper.authors) authors << QString::fromStdString(author);
  QString line = authors.join(", ");
  if (!paper.venue.empty()) line += " · " + QString::fromStdString(paper.venue);
  if (paper.year > 0 && !line.contains(QString::number(paper.year))) {
    line += " " + QString::number(paper.year);
  }
  return line;
}

QWidget* makeCite(Workbench& workbench, const Paper& paper, QWidget* parent) {
  auto* place = new QWidget(parent);
  auto* column = new QVBoxLayout(place);
  column->setContentsMargins(24, 16, 24, 24);
  QFrame* const card = makeCard(place);
  auto* inner = new QVBoxLayout(card);
  inner->setContentsMargins(20, 16, 20, 16);
  inner->setSpacing(10);
  inner->addWidget(makeLabel("BibTeX", "heading", card));
  const QString bibtex = QString::fromStdString(paper.bibtex);
  auto* text = new QPlainTextEdit(bibtex, card);
  text->setObjectName("bibtex");
  text->setAccessibleName("BibTeX entry");
  text->setReadOnly(true);
  text->setFont(Theme::monospace());
  text->setProperty("look", "bare");
  text->setFixedHeight(qBound(80, static_cast<int>(bibtex.count('\n') + 2) * 18, 360));
  inner->addWidget(text);
  QPushButton* const copy = makeButton("Copy", "copyBibtex", {}, card);
  copy->setIcon(Theme::of().icon("copy"));
  QObject::connect(copy, &QPushButton::clicked, card, [&workbench, bibtex] {
    QGuiApplication::clipboard()->setText(bibtex);
    workbench.say("Copied the BibTeX entry");
  });
  inner->addWidget(copy);
  column->addWidget(card);
  column->addStretch(1);
  return place;
}

}  // namespace

struct PaperPage::State {
  explicit State(Workbench& w) : workbench(w) {}
  Workbench& workbench;
  QVBoxLayout* column = nullptr;
  const Manifest* plugin = nullptr;
  QWidget* content = nullptr;  // of this plugin
  QTabBar* tabs = nullptr;
  QStackedWidget* stack = nullptr;
  QWidget* explorePlace = nullptr;
  ExploreView* explore = nullptr;
  ClaimsView* claims = nullptr;

  QWidget* makeHeader(QWidget* parent);
  void show(const Manifest& shown, QWidget* parent);
  void showTab(int index);
};

QWidget* PaperPage::State::makeHeader(QWidget* parent) {
  auto* header = new QWidget(parent);
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(24, 20, 24, 6);
  row->setSpacing(8);
  auto* text = new QVBoxLayout;
  text->setSpacing(4);
  text->addWidget(makeWrapped(
      QString::fromStdString(plugin->paper.title.empty() ? plugin->title : plugin->paper.title),
      "title", header));
  text->addWidget(makeWrapped(bylineOf(plugin->paper), "soft", header));
  row->addLayout(text, 1);
  const QString url = QString::fromStdString(plugin->paper.url);
  if (!url.isEmpty()) {
    QPushButton* const link = makeButton("Paper", "paperLink", {}, header);
    link->setIcon(Theme::of().icon("link"));
    link->setToolTip(url);
    connect(link, &QPushButton::clicked, header, [url] { QDesktopServices::openUrl(QUrl(url)); });
    row->addWidget(link, 0, Qt::AlignTop);
  }
  if (!plugin->try_it.empty()) {
    QPushButton* const tryIt = makeButton("Try it", "tryPaper", "primary", header);
    tryIt->setToolTip("Runs a quick experiment and shows it live");
    connect(tryIt, &QPushButton::clicked, header,
            [this] { workbench.tryIt(QString::fromStdString(plugin->id)); });
    row->addWidget(tryIt, 0, Qt::AlignTop);
  }
  return header;
}

void PaperPage::State::show(const Manifest& shown, QWidget* parent) {
  if (content != nullptr) delete content;
  plugin = &shown;
  explore = nullptr;
  claims = nullptr;
  content = new QWidget(parent);
  auto* inner = new QVBoxLayout(content);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(0);
  inner->addWidget(makeHeader(content));
  tabs = new QTabBar(content);
  tabs->setObjectName("paperTabs");
  tabs->setAccessibleName("Parts of the paper");
  tabs->setDrawBase(false);
  tabs->setExpanding(false);
  for (const char* title : {"Idea", "Explore", "Claims", "Cite"}) tabs->addTab(title);
  auto* tabRow = new QHBoxLayout;
  tabRow->setContentsMargins(24, 0, 24, 0);
  tabRow->addWidget(tabs);
  tabRow->addStretch(1);
  inner->addLayout(tabRow);
  inner->addWidget(makeRule(content));
  stack = new QStackedWidget(content);
  stack->addWidget(new IdeaView(workbench, shown, stack));
  explorePlace = new QWidget(stack);
  auto* exploreColumn = new QVBoxLayout(explorePlace);
  exploreColumn->setContentsMargins(0, 0, 0, 0);
  stack->addWidget(explorePlace);
  claims = new ClaimsView(workbench, shown, stack);
  stack->addWidget(claims);
  stack->addWidget(makeCite(workbench, shown.paper, stack));
  inner->addWidget(stack, 1);
  connect(tabs, &QTabBar::currentChanged, content, [this](int index) { showTab(index); });
  column->addWidget(content);
}

void PaperPage::State::showTab(int index) {
  stack->setCurrentIndex(index);
  if (index == 1 && explore == nullptr) {
    explore = new ExploreView(workbench, *plugin, explorePlace);
    explorePlace->layout()->addWidget(explore);
  }
  if (index == 2) claims->refresh();
}

PaperPage::PaperPage(Workbench& workbench, QWidget* parent)
    : Page(parent), state_(std::make_unique<State>(workbench)) {
  state_->column = new QVBoxLayout(this);
  state_->column->setContentsMargins(0, 0, 0, 0);
}

PaperPage::~PaperPage() = default;

void PaperPage::open(const QStringList& arguments) {
  const QString id = arguments.value(0);
  const Manifest* const plugin = state_->workbench.plugin(id);
  if (plugin == nullptr || !plugin->fault.empty()) {
    delete state_->content;
    state_->plugin = nullptr;
    auto* empty = new EmptyState("warning", this);
    empty->setText(plugin == nullptr ? "No such paper" : "This paper can't be used",
                   plugin == nullptr ? "There is no plugin \"" + id + "\"."
                                     : QString::fromStdString(plugin->fault));
    empty->setAction("Papers", "paperToPapers", [this] { state_->workbench.openPapers(); });
    state_->content = empty;
    state_->column->addWidget(empty);
    return;
  }
  if (plugin != state_->plugin) state_->show(*plugin, this);
  const int tab = static_cast<int>(tabNames().indexOf(arguments.value(1)));
  if (tab >= 0) state_->tabs->setCurrentIndex(tab);
  state_->showTab(state_->tabs->currentIndex());
}

void PaperPage::refresh() {
  if (state_->plugin != nullptr && state_->tabs->currentIndex() == 2) state_->claims->refresh();
}

bool PaperPage::settled() const {
  return state_->explore == nullptr || state_->tabs->currentIndex() != 1 ||
         state_->explore->settled();
}

}  // namespace assay
