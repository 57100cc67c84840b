// The images of "robustness": to train on, to choose beta with, to judge by; no image is in two of
// them.
#pragma once

#include <optional>

#include "plugins/curvature_tuning/experiment/backbone.h"
#include "plugins/curvature_tuning/experiment/source_training.h"

namespace assay::curvature_tuning {

struct AttackData {
  std::optional<Dataset> train;  // none where weights come from a file
  Dataset validation, test;
  std::int64_t channels = 1;
};
AttackData read_attack_data(RunContext& context, const BackboneOptions& backbone);

}  // namespace assay::curvature_tuning
