// Training of the small network on its source set, in short steps; shared by the experiments that
// start from a trained network.
#pragma once

#include <memory>

#include "core/engine/experiment.h"
#include "core/torch/data/dataset.h"
#include "core/torch/nn/resnet.h"

namespace torch::optim {
class Adam;
}

namespace assay::curvature_tuning {

struct SourceOptions {
  std::int64_t epochs = 3, batch = 64;
  double rate = 2e-3;  // Adam; to zero along a cosine
  std::uint64_t order_seed = 0;
};
SourceOptions source_options(RunContext& context);

class SourceTraining {
 public:
  SourceTraining(std::shared_ptr<nn::Classifier> net, Dataset train, Dataset test,
                 const SourceOptions& options);
  ~SourceTraining();

  // A short time of updates, with their metrics; false once all is done. The net is then in eval
  // mode.
  bool advance(RunContext& context);
  bool done() const { return updates_ == total(); }
  std::int64_t updates() const { return updates_; }
  std::int64_t total() const;

  const Normalization& normalization() const { return normalization_; }
  nn::Classifier& net() const { return *net_; }

  void save(Checkpoint& checkpoint) const;  // under "source/"
  void load(const Checkpoint& checkpoint);

 private:
  void update(RunContext& context);
  void end_epoch(RunContext& context);

  std::shared_ptr<nn::Classifier> net_;
  Dataset train_, test_;
  SourceOptions options_;
  Normalization normalization_;
  Batches batches_;
  std::unique_ptr<torch::optim::Adam> optimizer_;
  std::int64_t updates_ = 0;
  double loss_sum_ = 0.0;
  std::int64_t loss_count_ = 0;
};

// Share of images that `net` (in eval mode) gets right.
double accuracy_of(nn::Classifier& net, const Dataset& data, const Normalization& normalization);

}  // namespace assay::curvature_tuning
