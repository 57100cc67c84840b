// What the plugin's library exports: its experiments and interactive functions by name.
#include "core/torch/math/determinism.h"
#include "plugins/curvature_tuning/experiment/experiments.h"

namespace assay::curvature_tuning {
namespace {

class CurvatureTuning final : public Plugin {
 public:
  void configure(int threads) override { configure_torch(threads); }
  Json libraries() const override { return torch_libraries(); }

  std::unique_ptr<Experiment> make_experiment(const std::string& id) override {
    if (id == "toy") return make_toy();
    if (id == "transfer") return make_transfer();
    if (id == "robustness") return make_robustness();
    if (id == "counts") return make_counts();
    return nullptr;
  }

  std::unique_ptr<Explorable> make_explorable(const std::string& id) override {
    if (id == "activation") return make_activation_explorable();
    if (id == "boundary") return make_boundary_explorable();
    if (id == "regression") return make_regression_explorable();
    return nullptr;
  }
};

}  // namespace
}  // namespace assay::curvature_tuning

extern "C" assay::Plugin* assay_plugin_v1() {
  static assay::curvature_tuning::CurvatureTuning plugin;
  return &plugin;
}
