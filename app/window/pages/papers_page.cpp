// Papers: the gallery.
#include "app/window/pages/papers_page.h"

#include <QScrollArea>

#include "app/window/log_worker.h"
#include "app/window/papers/paper_card.h"
#include "app/window/papers/paper_states.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/flow_layout.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {

struct PapersPage::State {
  explicit State(Workbench& w) : workbench(w) {}
  Workbench& workbench;
  QLabel* subtitle = nullptr;
  QList<PaperCard*> cards;
};

PapersPage::PapersPage(Workbench& workbench, QWidget* parent)
    : Page(parent), state_(std::make_unique<State>(workbench)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  if (workbench.plugins().empty()) {
    auto* empty = new EmptyState("papers", this);
    empty->setText("No papers found",
                   "Papers are plugins in folders beside the program, in the user's data folder "
                   "(assay/plugins) or in those that ASSAY_PLUGINS names.");
    column->addWidget(empty);
    return;
  }
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  auto* content = new QWidget;
  content->setProperty("look", "page");
  auto* inner = new QVBoxLayout(content);
  inner->setContentsMargins(24, 20, 24, 24);
  inner->setSpacing(4);
  inner->addWidget(makeLabel("Papers", "title", content));
  state_->subtitle = makeLabel(
      "Pick one to try its idea, run its experiments, or check its claims.", "soft", content);
  inner->addWidget(state_->subtitle);
  inner->addSpacing(12);
  auto* grid = new CardGrid(300, 16);
  for (const Manifest& plugin : workbench.plugins()) {
    auto* card = new PaperCard(plugin, content);
    connect(card, &PaperCard::opened, this,
            [this](const QString& id) { state_->workbench.openPaper(id); });
    connect(card, &PaperCard::tried, this,
            [this](const QString& id) { state_->workbench.tryIt(id); });
    grid->addWidget(card);
    state_->cards.append(card);
  }
  inner->addLayout(grid);
  inner->addStretch(1);
  scroll->setWidget(content);
  column->addWidget(scroll);
}

PapersPage::~PapersPage() = default;

void PapersPage::open(const QStringList&) {
  refresh();
}

void PapersPage::refresh() {
  if (state_->cards.isEmpty()) return;
  QStringList ids;
  for (const PaperCard* card : std::as_const(state_->cards)) ids.append(card->plugin());
  state_->workbench.worker().ask(
      this, "papers", [ids](Log& log) { return readPaperStates(log, ids); },
      [this](const QHash<QString, PaperState>& states) {
        std::int64_t runs = 0;
        for (PaperCard* card : std::as_const(state_->cards)) {
          card->show(states.value(card->plugin()));
          runs += states.value(card->plugin()).runs;
        }
        state_->subtitle->setText(
            runs == 0 ? "Nothing has run yet. \"Try it\" runs a small experiment and shows it live."
                      : "Pick one to try its idea, run its experiments, or check its claims.");
      });
}

}  // namespace assay
