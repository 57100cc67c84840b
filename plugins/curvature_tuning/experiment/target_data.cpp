#include "plugins/curvature_tuning/experiment/target_data.h"

#include <fmt/core.h>
#include <torch/types.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/torch/math/generator.h"
#include "plugins/curvature_tuning/experiment/image_data.h"

namespace assay::curvature_tuning {
namespace {

SetRequest request_for(const ParameterSet& parameters, const std::string& name, int side) {
  SetRequest request;
  request.parameter = name;
  request.set = parameters.text(name);
  request.path = parameters.text(name + "_path");
  request.labels = parameters.text(name + "_labels");
  request.side = side;
  return request;
}

void check_enough(const Dataset& data, const char* what) {
  if (data.count() > 0) return;
  throw Error(
      ErrorKind::bad_input,
      fmt::format("the target set leaves no images for {}: give more images or other shares "
                  "(target_train, test_fraction, validation_fraction)",
                  what));
}

TargetData target_of(RunContext& context, const RawSets& sets, CutOptions options) {
  const ParameterSet& parameters = context.parameters();
  options.train_limit = parameters.integer("target_train");
  options.test_limit = parameters.integer("target_test");
  options.test_fraction = parameters.real("test_fraction");
  options.seed = context.seed_for("target split");
  TrainTest parts = cut(sets, options);
  const Split split = stratified_split(parts.train.labels, parameters.real("validation_fraction"),
                                       context.seed_for("validation split"));
  TargetData target;
  target.train = subset(parts.train, split.first);
  target.validation = subset(parts.train, split.second);
  target.test = std::move(parts.test);
  check_enough(target.train, "training");
  check_enough(target.validation, "validation");
  check_enough(target.test, "testing");
  target.normalization = normalization_of(target.train);
  return target;
}

}  // namespace

TrainTest cut(const RawSets& sets, const CutOptions& options) {
  DatasetOptions form;
  form.channels = options.channels;
  form.side = options.side;
  TrainTest parts;
  if (sets.test) {
    form.limit = options.train_limit;
    parts.train = to_dataset(sets.train, form, mix_seed(options.seed, 1));
    form.limit = options.test_limit;
    parts.test = to_dataset(*sets.test, form, mix_seed(options.seed, 2));
    return parts;
  }
  const Dataset all = to_dataset(sets.train, form);
  const Split split = stratified_split(all.labels, options.test_fraction, options.seed);
  const auto limited = [&](const at::Tensor& indices, std::int64_t limit, std::uint64_t number) {
    const Dataset part = subset(all, indices);
    if (limit == 0 || limit >= part.count()) return part;
    // The same share of each class: the second part of another stratified split.
    const double share = static_cast<double>(limit) / static_cast<double>(part.count());
    return subset(part,
                  stratified_split(part.labels, share, mix_seed(options.seed, number)).second);
  };
  parts.train = limited(split.first, options.train_limit, 1);
  parts.test = limited(split.second, options.test_limit, 2);
  return parts;
}

TransferData read_transfer_data(RunContext& context, const BackboneOptions& backbone) {
  const ParameterSet& parameters = context.parameters();
  const int side = image_side(parameters, backbone);
  SetRequest target = request_for(parameters, "target", side);
  target.test_path = parameters.text("target_test_path");
  const RawSets target_sets = read_sets(context, target);
  std::optional<RawSets> source_sets;
  if (backbone.weights.empty()) {
    source_sets = read_sets(context, request_for(parameters, "source", side));
  }

  TransferData data;
  const int image_channels =
      std::max(target_sets.train.channels, source_sets ? source_sets->train.channels : 1);
  data.channels = channels_for(parameters, backbone, image_channels);
  CutOptions options;
  options.channels = data.channels;
  options.side = side;
  data.target = target_of(context, target_sets, options);
  if (source_sets) {
    options.train_limit = parameters.integer("source_train");
    options.test_limit = source_test_limit;
    options.test_fraction = 0.1;
    options.seed = context.seed_for("source split");
    TrainTest parts = cut(*source_sets, options);
    data.source_classes = parts.train.class_count();
    data.source_train = std::move(parts.train);
    data.source_test = std::move(parts.test);
  }
  return data;
}

}  // namespace assay::curvature_tuning
