// Learning rates by step, and the handle to set them.
#pragma once

#include <cstdint>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace assay {

// Linear warm-up from 0 over the first `warmup_epochs`, then `base_rate` times gamma for each
// milestone (epochs) passed. As in the released code of several papers the warm-up divides by its
// length + 1e-8 and the rate it reached is kept, 2e-9 relative below base_rate.
struct WarmUpMultiStep {
  double base_rate = 1e-3;
  std::int64_t steps_per_epoch = 1;
  std::int64_t warmup_epochs = 1;
  std::vector<std::int64_t> milestones;
  double gamma = 0.1;
  double rate(std::int64_t epoch, std::int64_t step_in_epoch) const;
};

// base_rate * gamma^(step / every), as StepLR.
double step_rate(double base_rate, double gamma, std::int64_t every, std::int64_t step);
// base_rate * (1 + cos(pi step / period)) / 2, the closed form of cosine annealing to zero.
double cosine_rate(double base_rate, std::int64_t step, std::int64_t period);

// Sets the learning rate of all parameter groups, or of one.
void set_rate(torch::optim::Optimizer& optimizer, double rate);
void set_rate(torch::optim::Optimizer& optimizer, std::size_t group, double rate);

}  // namespace assay
