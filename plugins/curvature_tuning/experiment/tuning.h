// One training on the target set: a head on frozen features, or units, low-rank factors and a head
// inside the network. Adam, a warm-up epoch, one decay; the best validation epoch is kept (released
// code: train.py, generalization_*.py).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/torch/data/dataset.h"
#include "core/torch/nn/layers.h"
#include "core/torch/nn/resnet.h"
#include "plugins/curvature_tuning/experiment/time_box.h"

namespace torch::optim {
class Adam;
}

namespace assay::curvature_tuning {

struct TargetData {
  Dataset train, validation, test;
  Normalization normalization;  // the target's own
  std::int64_t class_count() const { return train.class_count(); }
};

// What is trained: `net` with its fresh head, all of it or the head alone.
class TuningModel {
 public:
  struct Group {
    std::vector<at::Tensor> parameters;
    double rate = 0.0;
  };
  // Head alone: the rest is frozen in eval mode and its features are computed once.
  // Whole: the net is in train mode while it trains, its batch normalisation too unless frozen.
  enum class Kind { head, whole, whole_with_frozen_statistics };

  TuningModel(std::shared_ptr<nn::Classifier> net, Kind kind, std::vector<Group> groups);

  // Computes features that are still missing; false once all are there.
  bool extract_some(const TargetData& data, const TimeBox& box);
  enum class Part { train, validation };
  at::Tensor logits(const TargetData& data, Part part, const at::Tensor& indices);
  at::Tensor test_logits(const TargetData& data, const at::Tensor& indices);
  void train(bool on);

  const std::vector<Group>& groups() const { return groups_; }
  nn::Classifier& net() { return *net_; }
  nn::Linear& head();
  // Trained parameters and, for a whole net, its buffers: all that a training changes, by name.
  std::map<std::string, at::Tensor> state() const;
  void set_state(const std::map<std::string, at::Tensor>& state);
  // Elements that are trained: in the head, and elsewhere.
  std::int64_t head_parameters();
  std::int64_t inner_parameters();

 private:
  std::shared_ptr<nn::Classifier> net_;
  Kind kind_;
  std::vector<Group> groups_;
  std::vector<at::Tensor> pieces_[2];  // features of train and validation so far
  at::Tensor features_[2];
};

struct TuningOptions {
  std::int64_t epochs = 20, batch = 32, warmup_epochs = 1, decay_epoch = 10;
  std::uint64_t order_seed = 0;
};

// (step, value), in order.
using Rows = std::vector<std::pair<std::int64_t, double>>;

struct TuningResult {
  double validation_accuracy = -1.0;
  std::int64_t epoch = 0;  // from 1
  std::map<std::string, at::Tensor> state;
  Rows losses, validations;
};

class Tuning {
 public:
  Tuning(std::unique_ptr<TuningModel> model, const TargetData& data, const TuningOptions& options);
  ~Tuning();

  // A short time of work; false once all epochs are done.
  bool advance(const TimeBox& box);
  bool done() const { return epoch_ == options_.epochs; }
  std::int64_t updates() const { return updates_; }
  std::int64_t total() const { return options_.epochs * batches_.per_epoch(); }
  TuningModel& model() { return *model_; }
  const TuningResult& result() const { return result_; }
  double last_loss() const { return last_loss_; }

  void save(Checkpoint& checkpoint) const;  // under "tuning/"
  void load(const Checkpoint& checkpoint);

 private:
  void update();
  void validate();
  void end_epoch();

  std::unique_ptr<TuningModel> model_;
  const TargetData& data_;
  TuningOptions options_;
  Batches batches_;
  std::unique_ptr<torch::optim::Adam> optimizer_;
  std::int64_t epoch_ = 0, batch_ = 0, updates_ = 0;
  // Validation of one epoch; begun anew after a resume.
  std::int64_t validated_ = 0, right_ = 0;
  double loss_sum_ = 0.0, last_loss_ = 0.0;
  std::int64_t loss_count_ = 0;
  TuningResult result_;
};

// Named tensors, rows and results in and out of a checkpoint.
void put_state(Checkpoint& checkpoint, const std::string& prefix,
               const std::map<std::string, at::Tensor>& state);
std::map<std::string, at::Tensor> take_state(const Checkpoint& checkpoint,
                                             const std::string& prefix);
void put_result(Checkpoint& checkpoint, const std::string& prefix, const TuningResult& result);
TuningResult take_result(const Checkpoint& checkpoint, const std::string& prefix);

}  // namespace assay::curvature_tuning
