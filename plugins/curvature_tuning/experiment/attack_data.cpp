#include "plugins/curvature_tuning/experiment/attack_data.h"

#include <fmt/core.h>
#include <torch/types.h>

#include "core/base/error.h"
#include "plugins/curvature_tuning/experiment/image_data.h"

namespace assay::curvature_tuning {
namespace {

// Some images of a set, before they are resized: a whole set at 224 px would not fit into memory.
ImageSet select(const ImageSet& set, const at::Tensor& indices) {
  ImageSet part;
  part.count = indices.numel();
  part.channels = set.channels;
  part.height = set.height;
  part.width = set.width;
  part.classes = set.classes;
  const auto bytes = static_cast<std::int64_t>(set.channels) * set.height * set.width;
  part.pixels.reserve(static_cast<std::size_t>(part.count * bytes));
  for (std::int64_t i = 0; i < part.count; ++i) {
    const auto index = indices[i].item<std::int64_t>();
    const auto begin = set.pixels.begin() + index * bytes;
    part.pixels.insert(part.pixels.end(), begin, begin + bytes);
    part.labels.push_back(set.labels[static_cast<std::size_t>(index)]);
  }
  return part;
}

struct Cut {
  ImageSet rest, part;
};
// `wanted` images, the same share of each class, and the others.
Cut cut_off(const ImageSet& set, std::int64_t wanted, std::uint64_t seed, const char* key) {
  if (wanted >= set.count) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: {} images are wanted, the set has {} left",
                                                  key, wanted, set.count));
  }
  const at::Tensor labels = torch::tensor(at::ArrayRef<std::int64_t>(set.labels), torch::kLong);
  const double share = static_cast<double>(wanted) / static_cast<double>(set.count);
  const Split split = stratified_split(labels, share, seed);
  return {select(set, split.first), select(set, split.second)};
}

}  // namespace

AttackData read_attack_data(RunContext& context, const BackboneOptions& backbone) {
  const ParameterSet& parameters = context.parameters();
  SetRequest request;
  request.parameter = "source";
  request.set = parameters.text("source");
  request.path = parameters.text("source_path");
  request.labels = parameters.text("source_labels");
  request.test_path = parameters.text("source_test_path");
  request.side = image_side(parameters, backbone);
  RawSets sets = read_sets(context, request);

  AttackData data;
  data.channels = channels_for(parameters, backbone, sets.train.channels);
  DatasetOptions form;
  form.channels = data.channels;
  form.side = request.side;
  const std::int64_t images = parameters.integer("images");
  if (sets.test) {
    form.limit = images;
    data.test = to_dataset(*sets.test, form, context.seed_for("test images"));
    form.limit = 0;
  } else {
    Cut cut = cut_off(sets.train, images, context.seed_for("test images"), "images");
    data.test = to_dataset(cut.part, form);
    sets.train = std::move(cut.rest);
  }
  const Cut cut = cut_off(sets.train, parameters.integer("validation_images"),
                          context.seed_for("validation images"), "validation_images");
  data.validation = to_dataset(cut.part, form);
  if (!backbone.weights.empty()) return data;
  form.limit = parameters.integer("source_train");
  data.train = to_dataset(cut.rest, form, context.seed_for("source split"));
  return data;
}

}  // namespace assay::curvature_tuning
