// The interactive functions: the activation with its derivatives, the decision boundary with its
// curvature, the regression curve. Each answer is computed anew by the live model; only trained
// networks are kept between answers.
#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <limits>
#include <list>
#include <utility>

#include "core/torch/math/generator.h"
#include "plugins/curvature_tuning/experiment/experiments.h"
#include "plugins/curvature_tuning/experiment/toy_report.h"
#include "plugins/curvature_tuning/model/curvature.h"

namespace assay::curvature_tuning {
namespace {

RawTensor raw(const std::vector<float>& values) {
  return RawTensor::from(values, {static_cast<std::int64_t>(values.size())});
}

RawTensor raw(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().to(torch::kDouble).contiguous().view(-1);
  const double* const data = flat.data_ptr<double>();
  return RawTensor::from(std::vector<double>(data, data + flat.numel()), {flat.numel()});
}

// --- the activation ---

struct Derivatives {
  at::Tensor value, slope, curvature;
};

Derivatives differentiate(const at::Tensor& places, double beta, double c) {
  const at::Tensor x = places.detach().clone().set_requires_grad(true);
  const at::Tensor y =
      ctu(x, torch::full({1}, beta, x.options()), torch::full({1}, c, x.options()));
  const at::Tensor slope = torch::autograd::grad({y.sum()}, {x}, {}, true, true)[0];
  // ReLU's slope is constant but for the kink: autograd has nothing to differentiate there.
  at::Tensor curvature = torch::zeros_like(x);
  if (beta < 1.0) curvature = torch::autograd::grad({slope.sum()}, {x})[0];
  return {y.detach(), slope.detach(), curvature.detach()};
}

class Activation final : public Explorable {
 public:
  Answer answer(const ParameterSet& arguments) override {
    const double beta = arguments.real("beta");
    const double c = arguments.real("c");
    const double range = arguments.real("range");
    const at::Tensor x =
        torch::linspace(-range, range, arguments.integer("points"), torch::kDouble);
    const Derivatives on_line = differentiate(x, beta, c);
    const Derivatives at_zero = differentiate(torch::zeros({1}, torch::kDouble), beta, c);

    Answer answer;
    answer.tensors = {{"x", raw(x)},
                      {"phi", raw(on_line.value)},
                      {"phi_prime", raw(on_line.slope)},
                      {"phi_second", raw(on_line.curvature)}};
    const bool relu = beta >= 1.0;
    const double infinity = std::numeric_limits<double>::infinity();
    answer.values = {
        {"value_at_zero", at_zero.value.item<double>()},
        {"slope_at_zero", relu ? Json(nullptr) : Json(at_zero.slope.item<double>())},
        {"curvature_at_zero", number_to_json(relu ? infinity : at_zero.curvature.item<double>())},
        {"gap_to_relu", (on_line.value - x.clamp_min(0.0)).abs().max().item<double>()},
        {"eta", number_to_json(relu ? infinity : beta / (1.0 - beta))},
        {"gamma", number_to_json(relu ? infinity : 1.0 / (1.0 - beta))},
        {"linear", beta <= 0.0 && c >= 1.0}};
    return answer;
  }
};

// --- networks on points ---

struct Key {
  ToySettings settings;
  std::int64_t steps = 0, seed = 1;
  bool operator==(const Key&) const = default;
};

// A trained network with everything that no slider changes.
struct Trained {
  Key key;
  ToyPoints points;
  std::unique_ptr<ToyTraining> training;
  std::shared_ptr<Curvature> curvature = std::make_shared<Curvature>();
  ToyView view;
  std::vector<float> relu;  // its own output on the view
};

Trained train(const Key& key, std::int64_t resolution) {
  Trained trained;
  trained.key = key;
  const auto seed = static_cast<std::uint64_t>(key.seed);
  trained.points = make_points(key.settings.data, mix_seed(seed, 1));
  trained.training = std::make_unique<ToyTraining>(key.settings, trained.points, mix_seed(seed, 2));
  for (std::int64_t i = 0; i < key.steps; ++i) trained.training->update();
  const bool regression = trained.training->regression();
  trained.view = make_view(trained.points, resolution, regression);
  steer(trained.training->net(), trained.curvature);
  return trained;
}

class NetworkExplorable : public Explorable {
 protected:
  Key key_of(const ParameterSet& arguments, bool plane) const {
    Key key;
    key.settings.data.dataset = plane ? arguments.text("dataset") : "regression";
    key.settings.data.points = arguments.integer("points");
    key.settings.data.noise = arguments.real("noise");
    if (plane) {
      key.settings.data.flip = arguments.real("flip");
      key.settings.data.turns = arguments.real("turns");
    }
    key.settings.width = arguments.integer("width");
    key.settings.depth = static_cast<int>(arguments.integer("depth"));
    key.settings.learning_rate = arguments.real("learning_rate");
    key.steps = arguments.integer("steps");
    key.settings.decay_every = (key.steps + 3) / 4;
    key.seed = arguments.integer("training_seed");
    return key;
  }

  // With its beta and c set and its picture at this resolution.
  Trained& network(const ParameterSet& arguments, bool plane) {
    const Key key = key_of(arguments, plane);
    const std::int64_t resolution = arguments.integer("resolution");
    auto found = std::find_if(kept_.begin(), kept_.end(),
                              [&](const Trained& trained) { return trained.key == key; });
    if (found == kept_.end()) {
      kept_.push_front(train(key, resolution));
      if (kept_.size() > most_kept) kept_.pop_back();
      found = kept_.begin();
    }
    if (found->view.resolution != resolution) {
      found->view = make_view(found->points, resolution, !plane);
    }
    found->curvature->beta = arguments.real("beta");
    found->curvature->c = arguments.real("c");
    return *found;
  }

  static Json common_values(const Trained& trained) {
    return {{"beta", trained.curvature->beta},
            {"c", trained.curvature->c},
            {"columns", trained.view.resolution},
            {"x_low", -trained.view.extent},
            {"x_high", trained.view.extent}};
  }

 private:
  static constexpr std::size_t most_kept = 8;
  std::list<Trained> kept_;
};

ToyPicture live_picture(Trained& trained) {
  return picture_of(trained.training->net(), bend_of(trained.curvature->beta, trained.curvature->c),
                    trained.view);
}

class Boundary final : public NetworkExplorable {
 public:
  Answer answer(const ParameterSet& arguments) override {
    Trained& trained = network(arguments, true);
    const torch::NoGradGuard no_gradient;
    const ToyPicture picture = live_picture(trained);
    const ToyTensors& points = trained.training->tensors();
    const ToyScore now = score(trained.training->net().forward(points.inputs), points, false);

    Answer answer;
    const std::vector<std::int64_t> shape = {trained.view.resolution, trained.view.resolution};
    answer.tensors = {{"logits", RawTensor::from(picture.logits, shape)},
                      {"curvature", RawTensor::from(picture.hessian_norm, shape)},
                      {"normal_curvature", RawTensor::from(picture.normal_curvature, shape)},
                      {"points_x", raw(trained.view.dots.x)},
                      {"points_y", raw(trained.view.dots.y)},
                      {"labels", raw(points.targets)},
                      {"true_labels", raw(points.truth)}};
    answer.values = common_values(trained);
    answer.values["rows"] = trained.view.resolution;
    answer.values["y_low"] = -trained.view.extent;
    answer.values["y_high"] = trained.view.extent;
    answer.values["accuracy"] = now.clean_accuracy;
    answer.values["accuracy_on_given_labels"] = now.accuracy;
    answer.values["loss"] = number_to_json(now.loss);
    answer.values["mean_curvature"] = number_to_json(picture.mean_curvature);
    return answer;
  }
};

class Regression final : public NetworkExplorable {
 public:
  Answer answer(const ParameterSet& arguments) override {
    Trained& trained = network(arguments, false);
    const torch::NoGradGuard no_gradient;
    nn::Mlp& net = trained.training->net();
    if (trained.relu.size() != static_cast<std::size_t>(trained.view.resolution)) {
      const double beta = std::exchange(trained.curvature->beta, 1.0);
      trained.relu = to_floats(net.forward(trained.view.inputs));
      trained.curvature->beta = beta;
    }
    const ToyPicture picture = live_picture(trained);
    const std::vector<float> x = to_floats(trained.view.inputs);
    std::vector<float> truth;
    for (const float place : x) {
      truth.push_back(static_cast<float>(true_curve(static_cast<double>(place))));
    }
    const ToyTensors& points = trained.training->tensors();
    const ToyScore now = score(net.forward(points.inputs), points, true);

    Answer answer;
    answer.tensors = {{"x", raw(x)},
                      {"fit", raw(picture.logits)},
                      {"relu", raw(trained.relu)},
                      {"truth", raw(truth)},
                      {"curvature", raw(picture.hessian_norm)},
                      {"points_x", raw(trained.view.dots.x)},
                      {"points_y", raw(trained.view.dots.y)}};
    answer.values = common_values(trained);
    answer.values["error"] = number_to_json(now.error);
    answer.values["loss"] = number_to_json(now.loss);
    answer.values["mean_curvature"] = number_to_json(picture.mean_curvature);
    return answer;
  }
};

}  // namespace

std::unique_ptr<Explorable> make_activation_explorable() {
  return std::make_unique<Activation>();
}
std::unique_ptr<Explorable> make_boundary_explorable() {
  return std::make_unique<Boundary>();
}
std::unique_ptr<Explorable> make_regression_explorable() {
  return std::make_unique<Regression>();
}

}  // namespace assay::curvature_tuning
