// The target set of "transfer": read, split, normalised; and the source set beside it.
#pragma once

#include <optional>

#include "plugins/curvature_tuning/experiment/backbone.h"
#include "plugins/curvature_tuning/experiment/source_training.h"
#include "plugins/curvature_tuning/experiment/tuning.h"

namespace assay::curvature_tuning {

struct TransferData {
  TargetData target;
  std::optional<Dataset> source_train, source_test;  // none where weights come from a file
  std::int64_t channels = 1;
  std::int64_t source_classes = 10;
};

TransferData read_transfer_data(RunContext& context, const BackboneOptions& backbone);

// At most so many images for the accuracy after each source epoch.
inline constexpr std::int64_t source_test_limit = 2000;

// A set cut into training and test images: by its own test part, else by `test_fraction`.
struct TrainTest {
  Dataset train, test;
};
struct CutOptions {
  std::int64_t channels = 1, side = 28;
  std::int64_t train_limit = 0, test_limit = 0;  // 0: all
  double test_fraction = 0.3;
  std::uint64_t seed = 0;
};
struct RawSets;
TrainTest cut(const RawSets& sets, const CutOptions& options);

}  // namespace assay::curvature_tuning
