// CTU layers and how they come into a net: steering (one beta and c for the whole net, not trained)
// and trainable (one of each per unit), sections 3.2 and 3.3.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/torch/nn/layer.h"
#include "core/torch/nn/replace.h"
#include "plugins/curvature_tuning/model/ctu.h"

namespace assay::curvature_tuning {

// One for a net: all its steering units look here, so a slider or a sweep sets two numbers.
struct Curvature {
  double beta = 0.95;  // in [0,1]; 1 is ReLU
  double c = 0.5;      // in [0,1]; 1 SiLU-like, 0 softplus-like
  AtOne at_one = AtOne::relu;
};

class SteeringCtu : public torch::nn::Module, public nn::Layer {
 public:
  explicit SteeringCtu(std::shared_ptr<const Curvature> curvature);
  at::Tensor forward(const at::Tensor& x) override;

 private:
  std::shared_ptr<const Curvature> curvature_;
};

inline constexpr double initial_raw_beta = 1.386;  // beta 0.79995; the release's start value
inline constexpr double initial_raw_coeff = 0.0;   // c 0.5

// beta = sigmoid(_raw_beta), c = sigmoid(_raw_coeff), each of shape [1,C,1,1] (rank 4) or [1,..,C].
class TrainableCtu : public torch::nn::Module, public nn::Layer {
 public:
  TrainableCtu(std::int64_t channels, int rank, double raw_beta = initial_raw_beta,
               double raw_coeff = initial_raw_coeff);
  at::Tensor forward(const at::Tensor& x) override;
  at::Tensor beta() const;   // detached, [C]
  at::Tensor coeff() const;  // detached, [C]
  at::Tensor raw_beta, raw_coeff;
};

// Puts a steering unit for every Relu. Returns how many.
int steer(torch::nn::Module& net, const std::shared_ptr<const Curvature>& curvature);

// Puts a trainable unit for every Relu; returns them with their names, in order.
struct NamedCtu {
  std::string name;
  std::shared_ptr<TrainableCtu> unit;
};
std::vector<NamedCtu> make_trainable(torch::nn::Module& net, double raw_beta = initial_raw_beta,
                                     double raw_coeff = initial_raw_coeff);
std::vector<NamedCtu> trainable_units(torch::nn::Module& net);
std::vector<at::Tensor> parameters_of(const std::vector<NamedCtu>& units);
std::int64_t parameter_count(const std::vector<NamedCtu>& units);

// phi, phi', phi'' at each x (float64), by the closed forms: for plots.
struct CtuCurves {
  std::vector<double> value, slope, curvature;
};
CtuCurves ctu_curves(const std::vector<double>& x, double beta, double c);

}  // namespace assay::curvature_tuning
