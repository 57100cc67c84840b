// Learning rates.
#include "core/torch/train/schedule.h"

#include <torch/optim/optimizer.h>

#include <cmath>
#include <numbers>

namespace assay {

double WarmUpMultiStep::rate(std::int64_t epoch, std::int64_t step_in_epoch) const {
  const auto length = static_cast<double>(warmup_epochs * steps_per_epoch);
  if (epoch < warmup_epochs) {
    const auto step = static_cast<double>(epoch * steps_per_epoch + step_in_epoch);
    return base_rate * step / (length + 1e-8);
  }
  double rate = warmup_epochs > 0 ? base_rate * length / (length + 1e-8) : base_rate;
  for (const std::int64_t milestone : milestones) {
    if (epoch >= milestone) rate *= gamma;
  }
  return rate;
}

double step_rate(double base_rate, double gamma, std::int64_t every, std::int64_t step) {
  return base_rate * std::pow(gamma, static_cast<double>(step / every));
}

double cosine_rate(double base_rate, std::int64_t step, std::int64_t period) {
  const double part = static_cast<double>(step) / static_cast<double>(period);
  return base_rate * (1.0 + std::cos(std::numbers::pi * part)) / 2.0;
}

void set_rate(torch::optim::Optimizer& optimizer, double rate) {
  for (auto& group : optimizer.param_groups()) group.options().set_lr(rate);
}

void set_rate(torch::optim::Optimizer& optimizer, std::size_t group, double rate) {
  optimizer.param_groups().at(group).options().set_lr(rate);
}

}  // namespace assay
