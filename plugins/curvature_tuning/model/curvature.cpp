// Steering and trainable units, and their way into a net.
#include "plugins/curvature_tuning/model/curvature.h"

#include <torch/types.h>

#include <cmath>
#include <utility>

namespace assay::curvature_tuning {

SteeringCtu::SteeringCtu(std::shared_ptr<const Curvature> curvature)
    : torch::nn::Module("SteeringCtu"), curvature_(std::move(curvature)) {}

at::Tensor SteeringCtu::forward(const at::Tensor& x) {
  const Curvature& now = *curvature_;
  if (now.beta >= 1.0 && now.at_one == AtOne::relu) return at::relu(x);
  const auto options = x.options().requires_grad(false);
  return ctu(x, at::full({1}, now.beta, options), at::full({1}, now.c, options), now.at_one);
}

TrainableCtu::TrainableCtu(std::int64_t channels, int rank, double raw_beta_value,
                           double raw_coeff_value)
    : torch::nn::Module("TrainableCtu") {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank), 1);
  shape[rank == 4 ? 1 : static_cast<std::size_t>(rank) - 1] = channels;
  raw_beta = register_parameter("_raw_beta", torch::full(shape, raw_beta_value));
  raw_coeff = register_parameter("_raw_coeff", torch::full(shape, raw_coeff_value));
}

at::Tensor TrainableCtu::forward(const at::Tensor& x) {
  return ctu(x, at::sigmoid(raw_beta), at::sigmoid(raw_coeff));
}

at::Tensor TrainableCtu::beta() const {
  return at::sigmoid(raw_beta.detach()).reshape({-1});
}
at::Tensor TrainableCtu::coeff() const {
  return at::sigmoid(raw_coeff.detach()).reshape({-1});
}

int steer(torch::nn::Module& net, const std::shared_ptr<const Curvature>& curvature) {
  return nn::replace_every<nn::Relu>(net, [&](const std::string&, const nn::Relu&) {
    return std::make_shared<SteeringCtu>(curvature);
  });
}

std::vector<NamedCtu> make_trainable(torch::nn::Module& net, double raw_beta, double raw_coeff) {
  nn::replace_every<nn::Relu>(net, [&](const std::string&, const nn::Relu& relu) {
    return std::make_shared<TrainableCtu>(relu.channels(), relu.rank(), raw_beta, raw_coeff);
  });
  return trainable_units(net);
}

std::vector<NamedCtu> trainable_units(torch::nn::Module& net) {
  std::vector<NamedCtu> units;
  for (auto& [name, unit] : nn::find_every<TrainableCtu>(net)) units.push_back({name, unit});
  return units;
}

std::vector<at::Tensor> parameters_of(const std::vector<NamedCtu>& units) {
  std::vector<at::Tensor> parameters;
  for (const NamedCtu& named : units) {
    parameters.push_back(named.unit->raw_beta);
    parameters.push_back(named.unit->raw_coeff);
  }
  return parameters;
}

std::int64_t parameter_count(const std::vector<NamedCtu>& units) {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : parameters_of(units)) count += parameter.numel();
  return count;
}

CtuCurves ctu_curves(const std::vector<double>& x, double beta, double c) {
  CtuCurves curves;
  const double q = 1.0 - beta + 1e-6;
  for (const double at : x) {
    if (beta >= 1.0) {
      curves.value.push_back(std::max(at, 0.0));
      curves.slope.push_back(at > 0.0 ? 1.0 : 0.0);
      curves.curvature.push_back(0.0);
      continue;
    }
    const double eta = beta / q, t = eta * at, u = at / q;
    const double e1 = std::exp(-std::abs(t)), e2 = std::exp(-std::abs(u));
    const double s = (t >= 0.0 ? 1.0 : e1) / (1.0 + e1), soft = (u >= 0.0 ? 1.0 : e2) / (1.0 + e2);
    const double bump = e1 / ((1.0 + e1) * (1.0 + e1)), soft_bump = e2 / ((1.0 + e2) * (1.0 + e2));
    const double plus = std::max(u, 0.0) + std::log1p(e2);
    curves.value.push_back(c * s * at + (1.0 - c) * plus * q);
    curves.slope.push_back(c * (s + t * bump) + (1.0 - c) * soft);
    // (sigma(eta x) x)'' = eta sigma' (2 + t (1 - 2 sigma)).
    curves.curvature.push_back(c * eta * bump * (2.0 + t * (1.0 - 2.0 * s)) +
                               (1.0 - c) * soft_bump / q);
  }
  return curves;
}

}  // namespace assay::curvature_tuning
