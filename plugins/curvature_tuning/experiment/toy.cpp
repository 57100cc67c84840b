// "toy": a small ReLU network on points in the plane or on a noisy curve, then either beta turned
// from 1 down without training (steering), or further training with trainable units or LoRA.
#include <fmt/core.h>
#include <torch/optim/adamw.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/torch/math/generator.h"
#include "core/torch/nn/lora.h"
#include "core/torch/train/state.h"
#include "plugins/curvature_tuning/experiment/experiments.h"
#include "plugins/curvature_tuning/experiment/toy_report.h"
#include "plugins/curvature_tuning/model/curvature.h"

namespace assay::curvature_tuning {
namespace {

enum class Stage { training, sweeping, tuning, done };

// Rows of metrics: the first update at once, then every tenth.
bool row_is_due(std::int64_t step, std::int64_t last) {
  return step == 1 || step % 10 == 0 || step == last;
}

ToySettings settings_of(const ParameterSet& parameters) {
  ToySettings settings;
  settings.data = {parameters.text("dataset"), parameters.integer("points"),
                   parameters.real("noise"), parameters.real("flip"), parameters.real("turns")};
  settings.width = parameters.integer("width");
  settings.depth = static_cast<int>(parameters.integer("depth"));
  settings.learning_rate = parameters.real("learning_rate");
  settings.decay_every = parameters.integer("decay_every");
  settings.decay_factor = parameters.real("decay_factor");
  settings.weight_decay = parameters.real("weight_decay");
  return settings;
}

// One beta of the sweep.
struct SweepRow {
  double beta = 1.0;
  ToyScore train, validation, test;
  double curvature = 0.0;
};

Json to_json(const ToyScore& score) {
  return Json{score.loss, score.accuracy, score.clean_accuracy, score.error};
}
ToyScore score_from(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>(),
          json.at(3).get<double>()};
}

class Toy final : public Experiment {
 public:
  void prepare(RunContext& context) override {
    const ParameterSet& parameters = context.parameters();
    const ToySettings settings = settings_of(parameters);
    method_ = parameters.text("method");
    steps_ = parameters.integer("steps");
    tune_steps_ = parameters.integer("tune_steps");
    tune_rate_ = parameters.real("tune_rate");
    tune_weights_ = parameters.boolean("tune_weights");
    raw_beta_ = parameters.real("initial_raw_beta");
    lora_rank_ = parameters.integer("lora_rank");
    beta_ = parameters.real("beta");
    curvature_->c = parameters.real("c");
    lora_seed_ = context.seed_for("lora");
    betas_ = parameters.reals("beta_sweep");
    std::sort(betas_.rbegin(), betas_.rend());
    betas_.erase(std::unique(betas_.begin(), betas_.end()), betas_.end());

    const ToyPoints points = make_points(settings.data, context.seed_for("points"));
    validation_ = to_tensors(make_points(settings.data, context.seed_for("validation points")));
    test_ = to_tensors(make_points(settings.data, context.seed_for("test points")));
    training_.emplace(settings, points, context.seed_for("weights"));
    view_ = make_view(points, parameters.integer("resolution"), regression());
    points_ = points;
  }

  bool step(RunContext& context) override {
    switch (stage_) {
      case Stage::training:
        train(context);
        break;
      case Stage::sweeping:
        sweep(context);
        break;
      case Stage::tuning:
        tune(context);
        break;
      case Stage::done:
        break;
    }
    context.progress(done(), total(), what());
    return stage_ != Stage::done;
  }

  void finish(RunContext& context) override {
    show_points(context, points_);
    if (method_ == "steering") return finish_sweep(context);
    const ToyScore test = score_on(test_);
    if (regression()) {
      context.metric("tuned/error", tune_steps_, test.error);
    } else {
      context.metric("tuned/test_accuracy", tune_steps_, test.clean_accuracy);
    }
  }

  void save(Checkpoint& checkpoint) const override {
    put(checkpoint, "model", training_->net());
    put(checkpoint, "optimizer", training_->optimizer());
    Json rows = Json::array();
    for (const SweepRow& row : rows_) {
      rows.push_back({row.beta, to_json(row.train), to_json(row.validation), to_json(row.test),
                      row.curvature});
    }
    checkpoint.values = {{"stage", static_cast<int>(stage_)},
                         {"steps", training_->steps()},
                         {"tuned", tuned_},
                         {"rows", rows}};
  }

  void load(const Checkpoint& checkpoint) override {
    stage_ = static_cast<Stage>(checkpoint.value("stage").get<int>());
    if (stage_ != Stage::training) leave_training();
    tuned_ = checkpoint.value("tuned").get<std::int64_t>();
    training_->set_steps(checkpoint.value("steps").get<std::int64_t>());
    rows_.clear();
    for (const Json& row : checkpoint.value("rows")) {
      rows_.push_back({row.at(0).get<double>(), score_from(row.at(1)), score_from(row.at(2)),
                       score_from(row.at(3)), row.at(4).get<double>()});
    }
    take(checkpoint, "model", training_->net());
    take(checkpoint, "optimizer", training_->optimizer());
  }

 private:
  bool regression() const { return training_->regression(); }

  std::int64_t later_units() const {
    return method_ == "steering" ? static_cast<std::int64_t>(betas_.size()) : tune_steps_;
  }
  std::int64_t total() const { return steps_ + later_units(); }
  std::int64_t done() const {
    const std::int64_t base = std::min(training_->steps(), steps_);
    return base + (method_ == "steering" ? static_cast<std::int64_t>(rows_.size()) : tuned_);
  }
  const char* what() const {
    if (stage_ == Stage::training) return "training the ReLU network";
    return method_ == "steering" ? "turning beta down" : "tuning";
  }

  // Updates for a fifth of a second; the first one alone, so that its row is there at once.
  template <class Update>
  void for_a_while(RunContext& context, bool first, Update update) {
    const auto start = std::chrono::steady_clock::now();
    const auto enough = [&] {
      return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(200) ||
             context.interrupted();
    };
    while (update() && !first && !enough()) {
    }
  }

  void train(RunContext& context) {
    for_a_while(context, training_->steps() == 0, [&] {
      const double rate = training_->rate();
      const at::Tensor outputs = training_->update();
      const std::int64_t step = training_->steps();
      if (row_is_due(step, steps_)) {
        const ToyScore now = score(outputs, training_->tensors(), regression());
        check(now.loss);
        report(context, "", step, now);
        context.metric("learning_rate", step, rate);
      }
      return step < steps_;
    });
    if (training_->steps() < steps_) return;
    stage_ = method_ == "steering" ? Stage::sweeping : Stage::tuning;
    leave_training();
    if (stage_ == Stage::tuning) begin_tuning(context);
  }

  void check(double loss) const {
    if (std::isfinite(loss)) return;
    throw Error(ErrorKind::failed,
                fmt::format("the loss became {} at step {}: choose a smaller learning_rate", loss,
                            training_->steps()));
  }

  void report(RunContext& context, const std::string& prefix, std::int64_t step,
              const ToyScore& now) const {
    context.metric(prefix + "loss", step, now.loss);
    if (regression()) {
      context.metric(prefix + "error", step, now.error);
      return;
    }
    context.metric(prefix + "accuracy", step, now.accuracy);
    context.metric(prefix + "clean_accuracy", step, now.clean_accuracy);
  }

  // Exchanges the activations (or the layers); a resumed run does it again before it loads weights.
  void leave_training() {
    nn::Mlp& net = training_->net();
    if (method_ == "steering") {
      steer(net, curvature_);
      return;
    }
    if (method_ == "lora") {
      const SeededInitialisation seeded(lora_seed_);
      nn::wrap_with_lora(net, {lora_rank_, static_cast<double>(lora_rank_)});
    } else {
      units_ = make_trainable(net, raw_beta_, initial_raw_coeff);
      if (!tune_weights_) {
        nn::set_trainable(net, false);
        for (at::Tensor& parameter : parameters_of(units_)) parameter.set_requires_grad(true);
      }
    }
    std::vector<at::Tensor> trained;
    for (const at::Tensor& parameter : net.parameters()) {
      if (parameter.requires_grad()) trained.push_back(parameter);
    }
    training_->train_instead(trained, tune_rate_);
  }

  ToyScore score_on(const ToyTensors& points) {
    const torch::NoGradGuard no_gradient;
    return score(training_->net().forward(points.inputs), points, regression());
  }

  // --- steering ---

  void sweep(RunContext& context) {
    const auto index = rows_.size();
    const auto step = static_cast<std::int64_t>(index);
    SweepRow row;
    row.beta = curvature_->beta = betas_[index];
    row.train = score_on(training_->tensors());
    row.validation = score_on(validation_);
    row.test = score_on(test_);
    const ToyPicture picture =
        picture_of(training_->net(), bend_of(row.beta, curvature_->c), view_);
    row.curvature = picture.mean_curvature;
    report(context, row, step);
    const Json meta = {
        {"beta", row.beta},
        {"c", curvature_->c},
        {"caption", fmt::format("beta {}, c {}", shortest(row.beta), shortest(curvature_->c))}};
    if (regression()) {
      show_curve(context, "regression_curve", picture, view_, step, meta);
    } else {
      show_boundary(context, picture, view_, step, meta);
    }
    rows_.push_back(row);
    if (rows_.size() == betas_.size()) stage_ = Stage::done;
  }

  void report(RunContext& context, const SweepRow& row, std::int64_t step) const {
    context.metric("sweep/beta", step, row.beta);
    context.metric("sweep/loss", step, row.train.loss);
    context.metric("sweep/curvature", step, row.curvature);
    if (regression()) {
      context.metric("sweep/error", step, row.test.error);
      context.metric("sweep/validation_error", step, row.validation.loss);
      return;
    }
    context.metric("sweep/accuracy", step, row.train.accuracy);
    context.metric("sweep/clean_accuracy", step, row.train.clean_accuracy);
    context.metric("sweep/validation_accuracy", step, row.validation.accuracy);
    context.metric("sweep/test_accuracy", step, row.test.clean_accuracy);
  }

  void finish_sweep(RunContext& context) {
    // Betas fall along the rows, so the first of equals is the largest.
    const auto better = [&](const SweepRow& a, const SweepRow& b) {
      return regression() ? a.validation.loss > b.validation.loss
                          : a.validation.accuracy < b.validation.accuracy;
    };
    const SweepRow& chosen = *std::max_element(rows_.begin(), rows_.end(), better);
    context.metric("chosen/beta", steps_, chosen.beta);
    report_test(context, "chosen/", chosen.test);
    curvature_->beta = 1.0;
    report_test(context, "relu/", score_on(test_));
    curvature_->beta = beta_;
    report_test(context, "steering/", score_on(test_));
    context.table("curves", 0, sweep_table());
    if (regression()) context.table("regression", 0, regression_table());
  }

  void report_test(RunContext& context, const std::string& prefix, const ToyScore& test) const {
    if (regression()) {
      context.metric(prefix + "error", steps_, test.error);
    } else {
      context.metric(prefix + "test_accuracy", steps_, test.clean_accuracy);
    }
  }

  Table sweep_table() const {
    Table table;
    table.columns = {"beta", "loss", "curvature"};
    const std::vector<std::string> more =
        regression() ? std::vector<std::string>{"validation_error", "error"}
                     : std::vector<std::string>{"accuracy", "clean_accuracy", "validation_accuracy",
                                                "test_accuracy"};
    table.columns.insert(table.columns.end(), more.begin(), more.end());
    for (const SweepRow& row : rows_) {
      std::vector<std::string> cells = {shortest(row.beta), shortest(row.train.loss),
                                        shortest(row.curvature)};
      const std::vector<double> rest =
          regression() ? std::vector<double>{row.validation.loss, row.test.error}
                       : std::vector<double>{row.train.accuracy, row.train.clean_accuracy,
                                             row.validation.accuracy, row.test.clean_accuracy};
      for (const double value : rest) cells.push_back(shortest(value));
      table.rows.push_back(std::move(cells));
    }
    return table;
  }

  Table regression_table() {
    const torch::NoGradGuard no_gradient;
    std::vector<std::vector<float>> fits;
    Table table;
    table.columns = {"x", "true"};
    for (const double beta : betas_) {
      curvature_->beta = beta;
      fits.push_back(to_floats(training_->net().forward(view_.inputs)));
      table.columns.push_back("beta_" + shortest(beta));
    }
    const std::vector<float> x = to_floats(view_.inputs);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double place = static_cast<double>(x[i]);
      std::vector<std::string> row = {shortest(place), shortest(true_curve(place))};
      for (const auto& fit : fits) row.push_back(shortest(static_cast<double>(fit[i])));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  // --- tuning ---

  void begin_tuning(RunContext& context) {
    std::int64_t count = 0;
    for (const at::Tensor& parameter : training_->net().parameters()) {
      if (parameter.requires_grad()) count += parameter.numel();
    }
    context.metric("tuned/trained_parameters", 0, static_cast<double>(count));
    context.text(fmt::format("tuning {} parameters ({})", count, method_));
    show_tuning(context);
  }

  void tune(RunContext& context) {
    for_a_while(context, tuned_ == 0, [&] {
      const at::Tensor outputs = training_->update();
      ++tuned_;
      if (row_is_due(tuned_, tune_steps_)) {
        const ToyScore now = score(outputs, training_->tensors(), regression());
        check(now.loss);
        report(context, "tuned/", tuned_, now);
      }
      const std::int64_t tenth = std::max<std::int64_t>(tune_steps_ / 10, 1);
      if (tuned_ % tenth == 0 || tuned_ == tune_steps_) show_tuning(context);
      return tuned_ < tune_steps_;
    });
    if (tuned_ >= tune_steps_) stage_ = Stage::done;
  }

  void show_tuning(RunContext& context) {
    const Bend bend = units_.empty()
                          ? bend_of(1.0, curvature_->c)
                          : Bend{units_.front().unit->beta(), units_.front().unit->coeff()};
    const ToyPicture picture = picture_of(training_->net(), bend, view_);
    show_tuned(context, picture, view_, tuned_,
               {{"caption", fmt::format("{}, step {}", method_, tuned_)}});
  }

  std::string method_;
  std::int64_t steps_ = 0, tune_steps_ = 0, lora_rank_ = 1;
  double beta_ = 1.0, tune_rate_ = 0.0, raw_beta_ = 0.0;
  bool tune_weights_ = true;
  std::uint64_t lora_seed_ = 0;
  std::vector<double> betas_;  // from the largest down
  ToyPoints points_;
  ToyTensors validation_, test_;
  ToyView view_;
  std::optional<ToyTraining> training_;
  std::shared_ptr<Curvature> curvature_ = std::make_shared<Curvature>();
  std::vector<NamedCtu> units_;

  Stage stage_ = Stage::training;
  std::int64_t tuned_ = 0;
  std::vector<SweepRow> rows_;
};

}  // namespace

std::unique_ptr<Experiment> make_toy() {
  return std::make_unique<Toy>();
}

}  // namespace assay::curvature_tuning
