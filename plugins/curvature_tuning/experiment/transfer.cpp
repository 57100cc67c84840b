// "transfer": a network learns a source set, then goes to a target set by linear probe, steering
// CT, trainable CT and LoRA (sections on generalisation; released code: generalization_*.py).
#include <fmt/core.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/error.h"
#include "core/torch/train/state.h"
#include "plugins/curvature_tuning/experiment/experiments.h"
#include "plugins/curvature_tuning/experiment/target_data.h"
#include "plugins/curvature_tuning/experiment/transfer_report.h"

namespace assay::curvature_tuning {
namespace {

enum class Stage { source, tuning, testing, done };

// The best job of one method so far.
struct Best {
  std::size_t job = 0;
  TuningResult result;
};

class Transfer final : public Experiment {
 public:
  void prepare(RunContext& context) override {
    const ParameterSet& parameters = context.parameters();
    BackboneOptions backbone = backbone_options(parameters);
    backbone.seed = context.seed_for("source weights");
    TransferData data = read_transfer_data(context, backbone);
    data_ = std::move(data.target);
    backbone.channels = data.channels;
    backbone.classes = data.source_classes;
    source_ = make_backbone(backbone, false);
    methods_ = method_options(context, backbone, data_.class_count());
    jobs_ = jobs_of(parameters);
    tuning_options_ = {parameters.integer("epochs"), parameters.integer("batch_size"),
                       parameters.integer("warmup_epochs"), parameters.integer("decay_epoch"),
                       context.seed_for("target order")};
    context.text(fmt::format("target: {} training, {} validation, {} test images of {} classes",
                             data_.train.count(), data_.validation.count(), data_.test.count(),
                             data_.class_count()));
    if (data.source_train) {
      show_samples(context, "source_samples", *data.source_train);
      context.text(fmt::format("source: {} training images of {} classes",
                               data.source_train->count(), data.source_classes));
      training_.emplace(source_, std::move(*data.source_train), std::move(*data.source_test),
                        source_options(context));
    } else {
      context.data_used("weights", backbone.weights);
      source_->eval();
      stage_ = Stage::tuning;
    }
    const std::int64_t per_epoch =
        (data_.train.count() + tuning_options_.batch - 1) / tuning_options_.batch;
    updates_per_job_ = per_epoch * tuning_options_.epochs;
  }

  bool step(RunContext& context) override {
    switch (stage_) {
      case Stage::source:
        if (!training_->advance(context)) stage_ = Stage::tuning;
        break;
      case Stage::tuning:
        tune(context);
        break;
      case Stage::testing:
        test(context);
        break;
      case Stage::done:
        break;
    }
    report_progress(context);
    return stage_ != Stage::done;
  }

  void finish(RunContext& context) override {
    show_results(context, outcomes_);
    show_predictions(context, data_.test, outcomes_);
    if (!accuracies_.empty()) show_beta_sweep(context, accuracies_);
    if (const auto best = best_[index(Method::trainable)]) {
      const auto model = make_model(jobs_[best->job], *source_, methods_);
      model->set_state(best->result.state);
      show_learned(context, trainable_units(model->net()));
    }
    if (outcomes_.size() == 1) {
      context.metric("test_accuracy", outcomes_.front().epoch, outcomes_.front().test_accuracy);
    }
  }

  void save(Checkpoint& checkpoint) const override {
    if (training_) training_->save(checkpoint);
    Json best = Json::array();
    for (std::size_t i = 0; i < best_.size(); ++i) {
      if (!best_[i]) continue;
      put_result(checkpoint, "best/" + std::string(method_names[i]), best_[i]->result);
      best.push_back({i, best_[i]->job});
    }
    Json outcomes = Json::array();
    for (const MethodOutcome& outcome : outcomes_) {
      put(checkpoint, "predictions/" + name_of(outcome.method), outcome.predictions);
      outcomes.push_back({static_cast<std::size_t>(outcome.method), outcome.setting,
                          outcome.validation_accuracy, outcome.test_accuracy, outcome.epoch,
                          outcome.inner_parameters, outcome.head_parameters});
    }
    checkpoint.values["stage"] = static_cast<int>(stage_);
    checkpoint.values["job"] = job_;
    checkpoint.values["best"] = best;
    checkpoint.values["outcomes"] = outcomes;
    checkpoint.values["accuracies"] = accuracies_;
    checkpoint.values["rates"] = rates_;
    checkpoint.values["tuning_now"] = tuning_ != nullptr;
    if (tuning_) tuning_->save(checkpoint);
  }

  void load(const Checkpoint& checkpoint) override {
    stage_ = static_cast<Stage>(checkpoint.value("stage").get<int>());
    job_ = checkpoint.value("job").get<std::size_t>();
    accuracies_ = checkpoint.value("accuracies").get<std::vector<std::pair<double, double>>>();
    rates_ = checkpoint.value("rates").get<std::int64_t>();
    if (training_) training_->load(checkpoint);
    for (const Json& entry : checkpoint.value("best")) {
      const auto method = entry.at(0).get<std::size_t>();
      best_.at(method) =
          Best{entry.at(1).get<std::size_t>(),
               take_result(checkpoint, "best/" + std::string(method_names.at(method)))};
    }
    outcomes_.clear();
    for (const Json& entry : checkpoint.value("outcomes")) {
      MethodOutcome outcome;
      outcome.method = static_cast<Method>(entry.at(0).get<std::size_t>());
      outcome.setting = entry.at(1).get<double>();
      outcome.validation_accuracy = entry.at(2).get<double>();
      outcome.test_accuracy = entry.at(3).get<double>();
      outcome.epoch = entry.at(4).get<std::int64_t>();
      outcome.inner_parameters = entry.at(5).get<std::int64_t>();
      outcome.head_parameters = entry.at(6).get<std::int64_t>();
      outcome.predictions = take_tensor(checkpoint, "predictions/" + name_of(outcome.method));
      outcomes_.push_back(std::move(outcome));
    }
    if (!checkpoint.value("tuning_now").get<bool>()) return;
    begin_job();
    tuning_->load(checkpoint);
  }

 private:
  static std::size_t index(Method method) { return static_cast<std::size_t>(method); }

  // --- tuning: one job after another ---

  void begin_job() {
    tuning_ = std::make_unique<Tuning>(make_model(jobs_[job_], *source_, methods_), data_,
                                       tuning_options_);
  }

  void tune(RunContext& context) {
    const Job& job = jobs_[job_];
    if (!tuning_) {
      begin_job();
      if (is_first(job_)) report_counts(context, job);
    }
    const std::size_t losses = tuning_->result().losses.size();
    const std::size_t validations = tuning_->result().validations.size();
    const bool more = tuning_->advance(TimeBox(context));
    if (shown_live(job)) {
      report_rows(context, live_prefix(job), tuning_->result(), losses, validations);
    }
    if (job.method == Method::trainable && tuning_->result().validations.size() > validations) {
      report_units(context);
    }
    if (!more) end_job(context);
  }

  bool is_first(std::size_t job) const {
    return job == 0 || jobs_[job - 1].method != jobs_[job].method;
  }
  std::int64_t count_of(Method method) const {
    return std::count_if(jobs_.begin(), jobs_.end(),
                         [&](const Job& job) { return job.method == method; });
  }
  // A steering head takes a moment only; of several learning rates each has rows of its own.
  bool shown_live(const Job& job) const { return job.method != Method::steering; }
  std::string live_prefix(const Job& job) const {
    const std::string name = name_of(job.method) + "/";
    const bool several = job.method == Method::lora && count_of(Method::lora) > 1;
    return several ? name + "rate_" + shortest(job.setting) + "/" : name;
  }

  static void report_rows(RunContext& context, const std::string& prefix,
                          const TuningResult& result, std::size_t losses, std::size_t validations) {
    for (std::size_t i = losses; i < result.losses.size(); ++i) {
      context.metric(prefix + "loss", result.losses[i].first, result.losses[i].second);
    }
    for (std::size_t i = validations; i < result.validations.size(); ++i) {
      context.metric(prefix + "validation_accuracy", result.validations[i].first,
                     result.validations[i].second);
    }
  }

  void report_counts(RunContext& context, const Job& job) {
    const std::string name = name_of(job.method);
    const auto inner = static_cast<double>(tuning_->model().inner_parameters());
    const auto head = static_cast<double>(tuning_->model().head_parameters());
    context.metric(name + "/trained_parameters", 0, inner);
    context.metric(name + "/head_parameters", 0, head);
    context.metric(name + "/all_trained_parameters", 0, inner + head);
    context.text(fmt::format("{}: trains {} parameters in the network and {} in its head", name,
                             inner, head));
  }

  void report_units(RunContext& context) {
    double beta = 0.0;
    double c = 0.0;
    double count = 0.0;
    for (const NamedCtu& named : trainable_units(tuning_->model().net())) {
      beta += named.unit->beta().sum().item<double>();
      c += named.unit->coeff().sum().item<double>();
      count += static_cast<double>(named.unit->raw_beta.numel());
    }
    const std::int64_t epoch = tuning_->result().validations.back().first;
    context.metric("trainable/mean_beta", epoch, beta / count);
    context.metric("trainable/mean_c", epoch, c / count);
  }

  void end_job(RunContext& context) {
    const Job& job = jobs_[job_];
    const TuningResult& result = tuning_->result();
    if (job.method == Method::steering) {
      const auto step = static_cast<std::int64_t>(accuracies_.size());
      context.metric("steering/betas", step, job.setting);
      context.metric("steering/validation_by_beta", step, result.validation_accuracy);
      accuracies_.emplace_back(job.setting, result.validation_accuracy);
    }
    if (job.method == Method::lora) {
      context.metric("lora/validation_by_rate", rates_++, result.validation_accuracy);
    }
    std::optional<Best>& best = best_[index(job.method)];
    if (!best || result.validation_accuracy > best->result.validation_accuracy) {
      best = Best{job_, result};
    }
    tuning_.reset();
    ++job_;
    const bool method_ends = job_ == jobs_.size() || is_first(job_);
    if (method_ends && best_[index(job.method)]) report_choice(context, *best_[index(job.method)]);
    if (job_ == jobs_.size()) stage_ = Stage::testing;
  }

  void report_choice(RunContext& context, const Best& best) const {
    const Job& job = jobs_[best.job];
    const std::string name = name_of(job.method);
    report_rows(context, name + "/", best.result, 0, 0);
    context.metric(name + "/best_epoch", 0, static_cast<double>(best.result.epoch));
    if (job.method == Method::steering) context.metric("steering/beta", 0, job.setting);
    if (job.method == Method::lora) context.metric("lora/rate", 0, job.setting);
    context.text(
        fmt::format("{}: validation accuracy {:.4f} after epoch {}{}", name,
                    best.result.validation_accuracy, best.result.epoch,
                    job.method == Method::steering ? fmt::format(", beta {}", shortest(job.setting))
                    : job.method == Method::lora   ? fmt::format(", rate {}", shortest(job.setting))
                                                   : ""));
  }

  // --- testing: the chosen one of each method, once ---

  void test(RunContext& context) {
    const std::optional<Best>* next = next_to_test();
    if (next == nullptr) {
      stage_ = Stage::done;
      return;
    }
    const Best& best = **next;
    if (!tested_) {
      tested_ = make_model(jobs_[best.job], *source_, methods_);
      tested_->set_state(best.result.state);
      tested_->train(false);
      said_.clear();
      said_count_ = 0;
    }
    const torch::NoGradGuard no_gradient;
    const TimeBox box(context);
    while (said_count_ < data_.test.count()) {
      constexpr std::int64_t batch = 128;
      const at::Tensor indices =
          torch::arange(said_count_, std::min(said_count_ + batch, data_.test.count()));
      said_.push_back(tested_->test_logits(data_, indices).argmax(1));
      said_count_ += indices.numel();
      if (box.over()) break;
    }
    if (said_count_ == data_.test.count()) end_test(context, best);
  }

  const std::optional<Best>* next_to_test() const {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      const bool tested = std::any_of(outcomes_.begin(), outcomes_.end(), [&](const auto& outcome) {
        return index(outcome.method) == i;
      });
      if (best_[i] && !tested) return &best_[i];
    }
    return nullptr;
  }

  void end_test(RunContext& context, const Best& best) {
    MethodOutcome outcome;
    outcome.method = jobs_[best.job].method;
    outcome.setting = jobs_[best.job].setting;
    outcome.validation_accuracy = best.result.validation_accuracy;
    outcome.epoch = best.result.epoch;
    outcome.inner_parameters = tested_->inner_parameters();
    outcome.head_parameters = tested_->head_parameters();
    outcome.predictions = torch::cat(said_);
    outcome.test_accuracy =
        outcome.predictions.eq(data_.test.labels).to(torch::kDouble).mean().item<double>();
    const std::string name = name_of(outcome.method);
    context.metric(name + "/test_accuracy", outcome.epoch, outcome.test_accuracy);
    context.text(fmt::format("{}: test accuracy {:.4f}", name, outcome.test_accuracy));
    outcomes_.push_back(std::move(outcome));
    tested_.reset();
    if (next_to_test() == nullptr) stage_ = Stage::done;
  }

  void report_progress(RunContext& context) const {
    const std::int64_t source = training_ ? training_->total() : 0;
    const std::int64_t jobs = static_cast<std::int64_t>(jobs_.size());
    const std::int64_t total = source + jobs * updates_per_job_;
    std::int64_t done = training_ ? training_->updates() : 0;
    done += static_cast<std::int64_t>(job_) * updates_per_job_;
    if (tuning_) done += tuning_->updates();
    std::string what = "training on the source set";
    if (stage_ == Stage::testing) what = "testing";
    if (stage_ == Stage::tuning && job_ < jobs_.size()) what = name_of(jobs_[job_].method);
    context.progress(done, total, what);
  }

  TargetData data_;
  std::shared_ptr<nn::Classifier> source_;
  std::optional<SourceTraining> training_;
  MethodOptions methods_;
  TuningOptions tuning_options_;
  std::vector<Job> jobs_;
  std::int64_t updates_per_job_ = 1;

  Stage stage_ = Stage::source;
  std::size_t job_ = 0;
  std::unique_ptr<Tuning> tuning_;
  std::array<std::optional<Best>, 4> best_;
  std::vector<std::pair<double, double>> accuracies_;  // of each beta, as swept
  std::int64_t rates_ = 0;
  std::vector<MethodOutcome> outcomes_;
  // A test under way; begun anew after a resume.
  std::unique_ptr<TuningModel> tested_;
  std::vector<at::Tensor> said_;
  std::int64_t said_count_ = 0;
};

}  // namespace

std::unique_ptr<Experiment> make_transfer() {
  return std::make_unique<Transfer>();
}

}  // namespace assay::curvature_tuning
