// The view half of the Curvature Tuning plugin.
#include "app/viewers/plugin_view.h"
#include "plugins/curvature_tuning/view/explore_page.h"
#include "plugins/curvature_tuning/view/run_views.h"

namespace assay::curvature_tuning {

class View : public QObject, public PluginView {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID AssayPluginView_iid)
  Q_INTERFACES(assay::PluginView)

 public:
  QWidget* makeExplore(ExploreClient& client, QWidget* parent) override {
    return new ExplorePage(client, parent);
  }
  RunView* makeRunView(const QString& experiment, QWidget* parent) override;
};

RunView* View::makeRunView(const QString& experiment, QWidget* parent) {
  if (experiment == "toy") return new ToyRunView(parent);
  if (experiment == "transfer") return new TransferRunView(parent);
  if (experiment == "robustness") return new RobustnessRunView(parent);
  return nullptr;
}

}  // namespace assay::curvature_tuning

#include "view.moc"
