// The plugin's own Explore page, with the state of its server below.
#include "app/window/papers/explore_view.h"

#include <QTimer>

#include "app/viewers/explore_client.h"
#include "app/viewers/plugin_view.h"
#include "app/window/runner_pool.h"
#include "app/window/widgets/empty_state.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"

namespace assay {

ExploreView::ExploreView(Workbench& workbench, const Manifest& plugin, QWidget* parent)
    : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 16, 24, 8);
  column->setSpacing(6);
  QString reason;
  const QString id = QString::fromStdString(plugin.id);
  PluginView* const view = workbench.view(id, &reason);
  if (view != nullptr) {
    client_ = std::make_unique<ExploreClient>(workbench.runners().runnerPath(), id);
    explore_ = view->makeExplore(*client_, this);
    reason = "This paper has nothing to explore.";
  }
  if (explore_ == nullptr) {
    client_.reset();
    auto* empty = new EmptyState("explore", this);
    empty->setText("Nothing to explore", reason);
    column->addWidget(empty);
    return;
  }
  column->addWidget(explore_, 1);
  state_ = makeLabel({}, "tiny", this);
  state_->setObjectName("exploreState");
  column->addWidget(state_);
  connect(client_.get(), &ExploreClient::serverStateChanged, this, &ExploreView::showState);
  connect(client_.get(), &ExploreClient::answered, this, [this] { answered_ = true; });
  connect(client_.get(), &ExploreClient::failed, this,
          [this](const QString&, const QString& message) {
            failed_ = true;
            showState("failed: " + message);
          });
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, &ExploreView::showLatency);
  timer->start(500);
}

// The plugin's widget asks the client until it is gone.
ExploreView::~ExploreView() {
  delete explore_;
}

bool ExploreView::settled() const {
  return client_ == nullptr || failed_ || (answered_ && !client_->busy());
}

void ExploreView::showState(const QString& state) {
  server_ = state;
  setLook(state_, "tone", state.startsWith("failed") ? "bad" : "");
  showLatency();
}

void ExploreView::showLatency() {
  if (server_.isEmpty() || server_ == "ready") {
    const double latency = client_->latencyMilliseconds();
    state_->setText(latency > 0.0 ? QString("Computed live · answer in %1 ms · %2 a second")
                                        .arg(latency, 0, 'f', 0)
                                        .arg(client_->answersPerSecond(), 0, 'f', 0)
                                  : QString("Computed live by the model"));
    return;
  }
  state_->setText(server_ == "starting" ? "Starting the model…" : server_);
}

}  // namespace assay
