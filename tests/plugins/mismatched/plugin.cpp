// A plugin whose library speaks another version of the interface than its manifest says.
#include "core/engine/experiment.h"

namespace {

class MismatchedPlugin : public assay::Plugin {
 public:
  int abi() const override { return assay::plugin_abi + 1; }
  std::unique_ptr<assay::Experiment> make_experiment(const std::string&) override {
    return nullptr;
  }
};

}  // namespace

extern "C" assay::Plugin* assay_plugin_v1() {
  static MismatchedPlugin plugin;
  return &plugin;
}
