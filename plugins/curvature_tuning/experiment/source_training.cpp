#include "plugins/curvature_tuning/experiment/source_training.h"

#include <fmt/core.h>
#include <torch/nn/functional/loss.h>
#include <torch/optim/adam.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/torch/train/schedule.h"
#include "core/torch/train/state.h"
#include "plugins/curvature_tuning/experiment/backbone.h"
#include "plugins/curvature_tuning/experiment/time_box.h"

namespace assay::curvature_tuning {
namespace {

// A last batch of a few images would disturb batch normalisation.
bool drops_last(const Dataset& train, const SourceOptions& options) {
  return train.count() >= options.batch;
}

}  // namespace

SourceOptions source_options(RunContext& context) {
  const ParameterSet& parameters = context.parameters();
  return {parameters.integer("source_epochs"), parameters.integer("source_batch"),
          parameters.real("source_rate"), context.seed_for("source order")};
}

SourceTraining::SourceTraining(std::shared_ptr<nn::Classifier> net, Dataset train, Dataset test,
                               const SourceOptions& options)
    : net_(std::move(net)),
      train_(std::move(train)),
      test_(std::move(test)),
      options_(options),
      normalization_(normalization_of(train_)),
      batches_(train_.count(), options.batch, options.order_seed, drops_last(train_, options)),
      optimizer_(std::make_unique<torch::optim::Adam>(net_->parameters(),
                                                      torch::optim::AdamOptions(options.rate))) {}

SourceTraining::~SourceTraining() = default;

std::int64_t SourceTraining::total() const {
  return options_.epochs * batches_.per_epoch();
}

bool SourceTraining::advance(RunContext& context) {
  const TimeBox box(context);
  const bool first = updates_ == 0;
  while (!done()) {
    update(context);
    if (first || box.over()) break;
  }
  if (done()) net_->eval();
  return !done();
}

void SourceTraining::update(RunContext& context) {
  net_->train();
  const std::int64_t epoch = updates_ / batches_.per_epoch();
  const at::Tensor indices = batches_.indices(epoch, updates_ % batches_.per_epoch());
  set_rate(*optimizer_, cosine_rate(options_.rate, updates_, total()));
  optimizer_->zero_grad();
  const at::Tensor logits = net_->forward(input_batch(train_, indices, normalization_));
  const at::Tensor loss =
      torch::nn::functional::cross_entropy(logits, train_.labels.index_select(0, indices));
  loss.backward();
  optimizer_->step();
  ++updates_;
  loss_sum_ += loss.item<double>();
  ++loss_count_;
  if (!std::isfinite(loss_sum_)) {
    throw Error(ErrorKind::failed,
                fmt::format("the source loss became {} at update {}: choose a smaller source_rate",
                            loss_sum_, updates_));
  }
  if (updates_ == 1 || updates_ % 10 == 0 || done()) {
    context.metric("source/loss", updates_, loss_sum_ / static_cast<double>(loss_count_));
    loss_sum_ = 0.0;
    loss_count_ = 0;
  }
  if (updates_ % batches_.per_epoch() == 0) end_epoch(context);
}

void SourceTraining::end_epoch(RunContext& context) {
  net_->eval();
  const std::int64_t epoch = updates_ / batches_.per_epoch();
  const double accuracy = accuracy_of(*net_, test_, normalization_);
  context.metric("source/test_accuracy", epoch, accuracy);
  context.text(fmt::format("source epoch {} of {}: test accuracy {:.4f} on {} images", epoch,
                           options_.epochs, accuracy, test_.count()));
}

void SourceTraining::save(Checkpoint& checkpoint) const {
  put(checkpoint, "source/model", *net_);
  if (!done()) put(checkpoint, "source/optimizer", *optimizer_);
  checkpoint.values["source"] = Json{updates_, loss_sum_, loss_count_};
}

void SourceTraining::load(const Checkpoint& checkpoint) {
  const Json& position = checkpoint.value("source");
  updates_ = position.at(0).get<std::int64_t>();
  loss_sum_ = position.at(1).get<double>();
  loss_count_ = position.at(2).get<std::int64_t>();
  take(checkpoint, "source/model", *net_);
  if (!done()) take(checkpoint, "source/optimizer", *optimizer_);
  if (done()) net_->eval();
}

double accuracy_of(nn::Classifier& net, const Dataset& data, const Normalization& normalization) {
  const torch::NoGradGuard no_gradient;
  constexpr std::int64_t batch = 250;
  std::int64_t right = 0;
  for (std::int64_t start = 0; start < data.count(); start += batch) {
    const at::Tensor indices = torch::arange(start, std::min(start + batch, data.count()));
    const at::Tensor logits = net.forward(input_batch(data, indices, normalization));
    right += logits.argmax(1).eq(data.labels.index_select(0, indices)).sum().item<std::int64_t>();
  }
  return data.count() == 0 ? 0.0 : static_cast<double>(right) / static_cast<double>(data.count());
}

}  // namespace assay::curvature_tuning
