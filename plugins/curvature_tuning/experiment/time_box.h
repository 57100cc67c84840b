// Keeps one step of an experiment short: work goes on until a fifth of a second is over or somebody
// waits for a stop or a pause.
#pragma once

#include <chrono>

#include "core/engine/experiment.h"

namespace assay::curvature_tuning {

class TimeBox {
 public:
  explicit TimeBox(const RunContext& context) : context_(context) {}
  bool over() const {
    return std::chrono::steady_clock::now() - start_ > std::chrono::milliseconds(200) ||
           context_.interrupted();
  }

 private:
  const RunContext& context_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace assay::curvature_tuning
