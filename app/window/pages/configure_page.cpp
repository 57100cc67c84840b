// Configure: the form of an experiment; each experiment keeps its own while the window is open.
#include "app/window/pages/configure_page.h"

#include <QStackedWidget>

#include "app/window/configure/configure_form.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {

struct ConfigurePage::State {
  explicit State(Workbench& w) : workbench(w) {}
  Workbench& workbench;
  QStackedWidget* stack = nullptr;
  EmptyState* empty = nullptr;
  QHash<QString, ConfigureForm*> forms;
};

ConfigurePage::ConfigurePage(Workbench& workbench, QWidget* parent)
    : Page(parent), state_(std::make_unique<State>(workbench)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  state_->stack = new QStackedWidget(this);
  state_->empty = new EmptyState("configure", this);
  state_->empty->setText("Nothing to configure", "Pick an experiment on a paper's page.");
  state_->empty->setAction("Papers", "configureToPapers",
                           [this] { state_->workbench.openPapers(); });
  state_->stack->addWidget(state_->empty);
  column->addWidget(state_->stack);
}

ConfigurePage::~ConfigurePage() = default;

void ConfigurePage::open(const QStringList& arguments) {
  if (arguments.isEmpty() || arguments[0].isEmpty()) return;
  const ExperimentAddress found =
      find_experiment(state_->workbench.plugins(), arguments[0].toStdString());
  const QString key = QString::fromStdString(found.plugin->id + "." + found.experiment->id);
  ConfigureForm*& form = state_->forms[key];
  if (form == nullptr) {
    form = new ConfigureForm(state_->workbench, *found.plugin, *found.experiment, this);
    state_->stack->addWidget(form);
  }
  state_->stack->setCurrentWidget(form);
  if (const QString run = arguments.value(1); !run.isEmpty()) form->fillFrom(run);
}

void ConfigurePage::refresh() {}

}  // namespace assay
