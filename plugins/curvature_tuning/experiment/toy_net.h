// A small ReLU network and its training on points, full batch with AdamW as in the authors' demos;
// shared by the toy experiment and the interactive pages.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/torch/nn/small_nets.h"
#include "plugins/curvature_tuning/experiment/pictures.h"
#include "plugins/curvature_tuning/experiment/toy_data.h"

namespace torch::optim {
class AdamW;
}

namespace assay::curvature_tuning {

struct ToySettings {
  ToyDataOptions data;
  std::int64_t width = 20;
  int depth = 2;
  double learning_rate = 1e-3;
  std::int64_t decay_every = 500;  // steps; 0: never
  double decay_factor = 0.1;
  double weight_decay = 0.01;
  bool operator==(const ToySettings&) const = default;
};

// Points as tensors: inputs [n, d], targets and truth [n].
struct ToyTensors {
  at::Tensor inputs, targets, truth;
};
ToyTensors to_tensors(const ToyPoints& points);

// What one pass over points says. `accuracy` and `clean_accuracy` for classes, `error` for curves.
struct ToyScore {
  double loss = 0.0, accuracy = 0.0, clean_accuracy = 0.0, error = 0.0;
};
ToyScore score(const at::Tensor& outputs, const ToyTensors& points, bool regression);

class ToyTraining {
 public:
  // `initial_seed` draws the weights.
  ToyTraining(const ToySettings& settings, const ToyPoints& points, std::uint64_t initial_seed);
  ~ToyTraining();

  // One update; what the network said before it, [n].
  at::Tensor update();
  double rate() const;  // of the next update
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }

  // What is trained from now on: these parameters, by a fresh optimiser at this rate, not decayed.
  void train_instead(const std::vector<at::Tensor>& parameters, double learning_rate);

  nn::Mlp& net() { return *net_; }
  const nn::Mlp& net() const { return *net_; }
  torch::optim::AdamW& optimizer() { return *optimizer_; }
  const torch::optim::AdamW& optimizer() const { return *optimizer_; }
  const ToyTensors& tensors() const { return tensors_; }
  bool regression() const { return settings_.data.dataset == "regression"; }

 private:
  ToySettings settings_;
  ToyTensors tensors_;
  std::shared_ptr<nn::Mlp> net_;
  std::unique_ptr<torch::optim::AdamW> optimizer_;
  std::int64_t steps_ = 0;
};

// A regular grid over [-extent, extent]^dimensions, the first coordinate fastest: [n, dimensions].
at::Tensor grid_inputs(double extent, std::int64_t resolution, int dimensions);
std::vector<float> to_floats(const at::Tensor& tensor);
Dots dots_of(const ToyPoints& points);

}  // namespace assay::curvature_tuning
