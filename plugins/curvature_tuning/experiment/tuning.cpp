#include "plugins/curvature_tuning/experiment/tuning.h"

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

namespace assay::curvature_tuning {
namespace {

constexpr std::int64_t evaluation_batch = 128;

std::size_t index_of(TuningModel::Part part) {
  return part == TuningModel::Part::train ? 0 : 1;
}

const Dataset& part_of(const TargetData& data, TuningModel::Part part) {
  return part == TuningModel::Part::train ? data.train : data.validation;
}

at::Tensor range_from(std::int64_t start, std::int64_t count) {
  return torch::arange(start, std::min(start + evaluation_batch, count));
}

std::vector<torch::optim::OptimizerParamGroup> optimizer_groups(const TuningModel& model) {
  std::vector<torch::optim::OptimizerParamGroup> groups;
  for (const TuningModel::Group& group : model.groups()) {
    groups.emplace_back(group.parameters, std::make_unique<torch::optim::AdamOptions>(group.rate));
  }
  return groups;
}

}  // namespace

// --- the model ---

TuningModel::TuningModel(std::shared_ptr<nn::Classifier> net, Kind kind, std::vector<Group> groups)
    : net_(std::move(net)), kind_(kind), groups_(std::move(groups)) {
  net_->eval();
}

nn::Linear& TuningModel::head() {
  return dynamic_cast<nn::Linear&>(*module_of(net_->at_place(net_->head_name())));
}

bool TuningModel::extract_some(const TargetData& data, const TimeBox& box) {
  if (kind_ != Kind::head) return false;
  const torch::NoGradGuard no_gradient;
  for (const Part part : {Part::train, Part::validation}) {
    const Dataset& images = part_of(data, part);
    auto& pieces = pieces_[index_of(part)];
    at::Tensor& features = features_[index_of(part)];
    while (!features.defined()) {
      const auto start = static_cast<std::int64_t>(pieces.size()) * evaluation_batch;
      if (start >= images.count()) {
        features = torch::cat(pieces);
        pieces.clear();
        break;
      }
      if (!pieces.empty() && box.over()) return true;
      const at::Tensor batch =
          input_batch(images, range_from(start, images.count()), data.normalization);
      pieces.push_back(net_->features(batch));
    }
  }
  return false;
}

at::Tensor TuningModel::logits(const TargetData& data, Part part, const at::Tensor& indices) {
  if (kind_ == Kind::head) {
    return head().forward(features_[index_of(part)].index_select(0, indices));
  }
  return net_->forward(input_batch(part_of(data, part), indices, data.normalization));
}

at::Tensor TuningModel::test_logits(const TargetData& data, const at::Tensor& indices) {
  return net_->forward(input_batch(data.test, indices, data.normalization));
}

void TuningModel::train(bool on) {
  net_->train(on && kind_ == Kind::whole);
}

std::map<std::string, at::Tensor> TuningModel::state() const {
  std::map<std::string, at::Tensor> state;
  for (const auto& item : net_->named_parameters()) {
    if (item.value().requires_grad()) state[item.key()] = item.value().detach().clone();
  }
  if (kind_ == Kind::head) return state;
  for (const auto& item : net_->named_buffers()) {
    state[item.key()] = item.value().detach().clone();
  }
  return state;
}

void TuningModel::set_state(const std::map<std::string, at::Tensor>& state) {
  const torch::NoGradGuard no_gradient;
  const auto set = [&](const auto& items) {
    for (const auto& item : items) {
      const auto found = state.find(item.key());
      if (found == state.end()) continue;
      at::Tensor target = item.value();
      target.copy_(found->second);
    }
  };
  set(net_->named_parameters());
  set(net_->named_buffers());
}

std::int64_t TuningModel::head_parameters() {
  return head().weight.numel() + (head().bias.defined() ? head().bias.numel() : 0);
}

std::int64_t TuningModel::inner_parameters() {
  std::int64_t count = 0;
  for (const Group& group : groups_) {
    for (const at::Tensor& parameter : group.parameters) count += parameter.numel();
  }
  return count - head_parameters();
}

// --- the training ---

Tuning::Tuning(std::unique_ptr<TuningModel> model, const TargetData& data,
               const TuningOptions& options)
    : model_(std::move(model)),
      data_(data),
      options_(options),
      batches_(data.train.count(), options.batch, options.order_seed),
      optimizer_(std::make_unique<torch::optim::Adam>(optimizer_groups(*model_))) {}

Tuning::~Tuning() = default;

bool Tuning::advance(const TimeBox& box) {
  if (model_->extract_some(data_, box)) return true;
  while (!done()) {
    if (batch_ < batches_.per_epoch()) {
      update();
    } else if (validated_ < data_.validation.count()) {
      validate();
    } else {
      end_epoch();
    }
    if (box.over()) break;
  }
  return !done();
}

void Tuning::update() {
  model_->train(true);
  const WarmUpMultiStep schedule{1.0, batches_.per_epoch(), options_.warmup_epochs,
                                 options_.decay_epoch > 0
                                     ? std::vector<std::int64_t>{options_.decay_epoch}
                                     : std::vector<std::int64_t>{}};
  const double factor = schedule.rate(epoch_, batch_);
  for (std::size_t i = 0; i < model_->groups().size(); ++i) {
    set_rate(*optimizer_, i, factor * model_->groups()[i].rate);
  }
  const at::Tensor indices = batches_.indices(epoch_, batch_);
  optimizer_->zero_grad();
  const at::Tensor loss =
      torch::nn::functional::cross_entropy(model_->logits(data_, TuningModel::Part::train, indices),
                                           data_.train.labels.index_select(0, indices));
  loss.backward();
  optimizer_->step();
  last_loss_ = loss.item<double>();
  loss_sum_ += last_loss_;
  ++loss_count_;
  ++batch_;
  ++updates_;
  const bool row = updates_ == 1 || updates_ % 10 == 0 || updates_ == total();
  if (!row) return;
  result_.losses.emplace_back(updates_, loss_sum_ / static_cast<double>(loss_count_));
  loss_sum_ = 0.0;
  loss_count_ = 0;
}

void Tuning::validate() {
  const torch::NoGradGuard no_gradient;
  model_->train(false);
  const at::Tensor indices = range_from(validated_, data_.validation.count());
  const at::Tensor logits = model_->logits(data_, TuningModel::Part::validation, indices);
  right_ += logits.argmax(1)
                .eq(data_.validation.labels.index_select(0, indices))
                .sum()
                .item<std::int64_t>();
  validated_ += indices.numel();
}

void Tuning::end_epoch() {
  const double accuracy =
      static_cast<double>(right_) / static_cast<double>(data_.validation.count());
  ++epoch_;
  result_.validations.emplace_back(epoch_, accuracy);
  if (accuracy > result_.validation_accuracy) {
    result_.validation_accuracy = accuracy;
    result_.epoch = epoch_;
    result_.state = model_->state();
  }
  batch_ = 0;
  validated_ = 0;
  right_ = 0;
}

void Tuning::save(Checkpoint& checkpoint) const {
  put_state(checkpoint, "tuning/state", model_->state());
  put(checkpoint, "tuning/optimizer", *optimizer_);
  put_result(checkpoint, "tuning/best", result_);
  checkpoint.values["tuning"] = Json{epoch_, batch_, updates_, loss_sum_, loss_count_, last_loss_};
}

void Tuning::load(const Checkpoint& checkpoint) {
  const Json& position = checkpoint.value("tuning");
  epoch_ = position.at(0).get<std::int64_t>();
  batch_ = position.at(1).get<std::int64_t>();
  updates_ = position.at(2).get<std::int64_t>();
  loss_sum_ = position.at(3).get<double>();
  loss_count_ = position.at(4).get<std::int64_t>();
  last_loss_ = position.at(5).get<double>();
  model_->set_state(take_state(checkpoint, "tuning/state"));
  take(checkpoint, "tuning/optimizer", *optimizer_);
  result_ = take_result(checkpoint, "tuning/best");
}

// --- checkpoints ---

void put_state(Checkpoint& checkpoint, const std::string& prefix,
               const std::map<std::string, at::Tensor>& state) {
  Json names = Json::array();
  for (const auto& [name, tensor] : state) {
    put(checkpoint, prefix + "/" + name, tensor);
    names.push_back(name);
  }
  checkpoint.values[prefix] = names;
}

std::map<std::string, at::Tensor> take_state(const Checkpoint& checkpoint,
                                             const std::string& prefix) {
  std::map<std::string, at::Tensor> state;
  for (const Json& name : checkpoint.value(prefix)) {
    const auto key = name.get<std::string>();
    state[key] = take_tensor(checkpoint, prefix + "/" + key);
  }
  return state;
}

void put_result(Checkpoint& checkpoint, const std::string& prefix, const TuningResult& result) {
  put_state(checkpoint, prefix + "/state", result.state);
  checkpoint.values[prefix] = {{"validation_accuracy", result.validation_accuracy},
                               {"epoch", result.epoch},
                               {"losses", result.losses},
                               {"validations", result.validations}};
}

TuningResult take_result(const Checkpoint& checkpoint, const std::string& prefix) {
  const Json& values = checkpoint.value(prefix);
  TuningResult result;
  result.validation_accuracy = values.at("validation_accuracy").get<double>();
  result.epoch = values.at("epoch").get<std::int64_t>();
  result.losses = values.at("losses").get<Rows>();
  result.validations = values.at("validations").get<Rows>();
  result.state = take_state(checkpoint, prefix + "/state");
  return result;
}

}  // namespace assay::curvature_tuning
