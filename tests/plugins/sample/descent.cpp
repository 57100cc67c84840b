// Noisy gradient descent on f(x) = 1/2 sum_i c_i x_i^2, with momentum and its own generator.
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <thread>

#include "experiments.h"

namespace sample {
namespace {

// Uniform in [-1, 1), the same on every standard library.
double noise_from(std::mt19937_64& generator) {
  return std::ldexp(static_cast<double>(generator() >> 11), -52) - 1.0;
}

class Descent : public assay::Experiment {
 public:
  void prepare(assay::RunContext& context) override {
    const auto& parameters = context.parameters();
    steps_ = parameters.integer("steps");
    curvatures_ = parameters.reals("curvatures");
    generator_.seed(context.seed_for("noise"));
    std::mt19937_64 start(context.seed_for("start"));
    for (std::size_t i = 0; i < curvatures_.size(); ++i) x_.push_back(3.0 * noise_from(start));
    velocity_.assign(x_.size(), 0.0);
    context.text("starting at a loss of " + std::to_string(loss()));
    context.metric("dimension", 0, static_cast<double>(x_.size()));
  }

  bool step(assay::RunContext& context) override {
    const auto& parameters = context.parameters();
    std::this_thread::sleep_for(std::chrono::milliseconds(parameters.integer("delay_ms")));
    const double rate = parameters.real("learning_rate");
    const double momentum =
        parameters.text("method") == "momentum" ? parameters.real("momentum") : 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double gradient =
          curvatures_[i] * x_[i] + parameters.real("noise") * noise_from(generator_);
      velocity_[i] = momentum * velocity_[i] + gradient;
      x_[i] -= rate * velocity_[i];
    }
    ++position_;
    best_ = std::min(best_, loss());
    context.metric("loss", position_, loss());
    context.metric("best_loss", position_, best_);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      context.metric("x/" + std::to_string(i), position_, x_[i]);
    }
    context.progress(position_, steps_, "descending");
    if (position_ % 10 == 0) context.text("step " + std::to_string(position_));
    if (position_ % 20 == 0) draw(context);
    return position_ < steps_;
  }

  void finish(assay::RunContext& context) override {
    context.metric("final_loss", 0, loss());
    assay::Table table;
    table.columns = {"i", "x"};
    for (std::size_t i = 0; i < x_.size(); ++i) {
      table.rows.push_back({std::to_string(i), std::to_string(x_[i])});
    }
    context.table("minimum", position_, table);
  }

  void save(assay::Checkpoint& checkpoint) const override {
    const auto size = static_cast<std::int64_t>(x_.size());
    checkpoint.tensors["x"] = assay::RawTensor::from(x_, {size});
    checkpoint.tensors["velocity"] = assay::RawTensor::from(velocity_, {size});
    std::ostringstream state;
    state << generator_;
    checkpoint.values["generator"] = state.str();
    checkpoint.values["position"] = position_;
    checkpoint.values["best"] = best_;
  }

  void load(const assay::Checkpoint& checkpoint) override {
    x_ = checkpoint.tensor("x").as_doubles();
    velocity_ = checkpoint.tensor("velocity").as_doubles();
    std::istringstream state(checkpoint.value("generator").get<std::string>());
    state >> generator_;
    position_ = checkpoint.value("position").get<std::int64_t>();
    best_ = checkpoint.value("best").get<double>();
  }

 private:
  double loss() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) sum += 0.5 * curvatures_[i] * x_[i] * x_[i];
    return sum;
  }

  void draw(assay::RunContext& context) const {
    assay::Image image{16, 16, 1, std::vector<std::uint8_t>(256, 255)};
    const auto row = static_cast<std::size_t>(position_ / 20 % 16);
    for (std::size_t column = 0; column < 16; ++column) image.pixels[16 * row + column] = 0;
    context.image("path", position_, image, {{"caption", "where it is"}});
  }

  std::int64_t steps_ = 0;
  std::int64_t position_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  std::vector<double> curvatures_, x_, velocity_;
  std::mt19937_64 generator_;
};

// x doubles until it is infinite, then infinity minus infinity is no number.
class Divergent : public assay::Experiment {
 public:
  void prepare(assay::RunContext&) override {}
  bool step(assay::RunContext& context) override {
    x_ *= 1e100;
    ++position_;
    context.metric("loss", position_, position_ < 6 ? x_ : x_ - x_);
    return position_ < 8;
  }
  void save(assay::Checkpoint& checkpoint) const override {
    checkpoint.values = {{"x", x_}, {"position", position_}};
  }
  void load(const assay::Checkpoint& checkpoint) override {
    x_ = checkpoint.value("x").get<double>();
    position_ = checkpoint.value("position").get<std::int64_t>();
  }

 private:
  double x_ = 1.0;
  std::int64_t position_ = 0;
};

}  // namespace

std::unique_ptr<assay::Experiment> make_descent() {
  return std::make_unique<Descent>();
}
std::unique_ptr<assay::Experiment> make_divergent() {
  return std::make_unique<Divergent>();
}

}  // namespace sample
