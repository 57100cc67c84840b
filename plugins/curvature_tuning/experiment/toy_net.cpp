#include "plugins/curvature_tuning/experiment/toy_net.h"

#include <torch/nn/functional/loss.h>
#include <torch/optim/adamw.h>
#include <torch/types.h>

#include "core/torch/math/generator.h"
#include "core/torch/train/schedule.h"

namespace assay::curvature_tuning {
namespace {

torch::optim::AdamWOptions adamw(double rate, double weight_decay) {
  return torch::optim::AdamWOptions(rate).weight_decay(weight_decay);
}

at::Tensor loss_of(const at::Tensor& outputs, const at::Tensor& targets, bool regression) {
  if (regression) return torch::mse_loss(outputs, targets);
  return torch::nn::functional::binary_cross_entropy_with_logits(outputs, targets);
}

double share_equal(const at::Tensor& classes, const at::Tensor& labels) {
  return classes.eq(labels.gt(0.5)).to(torch::kDouble).mean().item<double>();
}

}  // namespace

ToyTensors to_tensors(const ToyPoints& points) {
  const auto tensor = [](const std::vector<float>& values) {
    return torch::tensor(at::ArrayRef<float>(values), torch::kFloat);
  };
  return {tensor(points.inputs).view({points.count(), points.dimensions}), tensor(points.targets),
          tensor(points.truth)};
}

ToyScore score(const at::Tensor& outputs, const ToyTensors& points, bool regression) {
  const torch::NoGradGuard no_gradient;
  const at::Tensor values = outputs.detach().view(-1);
  ToyScore result;
  result.loss = loss_of(values, points.targets, regression).item<double>();
  if (regression) {
    result.error = torch::mse_loss(values, points.truth).item<double>();
    return result;
  }
  const at::Tensor classes = values.gt(0.0);
  result.accuracy = share_equal(classes, points.targets);
  result.clean_accuracy = share_equal(classes, points.truth);
  return result;
}

ToyTraining::ToyTraining(const ToySettings& settings, const ToyPoints& points,
                         std::uint64_t initial_seed)
    : settings_(settings), tensors_(to_tensors(points)) {
  const SeededInitialisation seeded(initial_seed);
  nn::MlpOptions options;
  options.in = points.dimensions;
  options.width = settings.width;
  options.depth = settings.depth;
  net_ = std::make_shared<nn::Mlp>(options);
  optimizer_ = std::make_unique<torch::optim::AdamW>(
      net_->parameters(), adamw(settings.learning_rate, settings.weight_decay));
}

ToyTraining::~ToyTraining() = default;

double ToyTraining::rate() const {
  if (settings_.decay_every == 0) return settings_.learning_rate;
  return step_rate(settings_.learning_rate, settings_.decay_factor, settings_.decay_every, steps_);
}

at::Tensor ToyTraining::update() {
  set_rate(*optimizer_, rate());
  optimizer_->zero_grad();
  const at::Tensor outputs = net_->forward(tensors_.inputs).view(-1);
  const at::Tensor loss = loss_of(outputs, tensors_.targets, regression());
  loss.backward();
  optimizer_->step();
  ++steps_;
  return outputs.detach();
}

void ToyTraining::train_instead(const std::vector<at::Tensor>& parameters, double learning_rate) {
  settings_.learning_rate = learning_rate;
  settings_.decay_every = 0;
  optimizer_ = std::make_unique<torch::optim::AdamW>(parameters,
                                                     adamw(learning_rate, settings_.weight_decay));
}

at::Tensor grid_inputs(double extent, std::int64_t resolution, int dimensions) {
  const at::Tensor line = torch::linspace(-extent, extent, resolution, torch::kFloat);
  if (dimensions == 1) return line.unsqueeze(1);
  const at::Tensor x = line.repeat({resolution});
  const at::Tensor y = line.repeat_interleave(resolution);
  return torch::stack({x, y}, 1);
}

std::vector<float> to_floats(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().to(torch::kFloat).contiguous().view(-1);
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

Dots dots_of(const ToyPoints& points) {
  Dots dots;
  for (std::size_t i = 0; i < points.targets.size(); ++i) {
    const bool plane = points.dimensions == 2;
    dots.x.push_back(points.inputs[plane ? 2 * i : i]);
    dots.y.push_back(plane ? points.inputs[2 * i + 1] : points.targets[i]);
    dots.labels.push_back(plane && points.targets[i] > 0.5F ? 1 : 0);
  }
  return dots;
}

}  // namespace assay::curvature_tuning
