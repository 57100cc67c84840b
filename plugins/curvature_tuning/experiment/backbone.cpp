#include "plugins/curvature_tuning/experiment/backbone.h"

#include <fmt/core.h>
#include <torch/types.h>

#include "core/base/error.h"
#include "core/torch/io/weights.h"
#include "core/torch/math/generator.h"
#include "core/torch/nn/small_nets.h"

namespace assay::curvature_tuning {
namespace {

std::shared_ptr<nn::Classifier> fresh(const BackboneOptions& options) {
  const SeededInitialisation seeded(options.seed);
  if (!is_resnet(options)) {
    nn::SmallCnnOptions cnn;
    cnn.channels_in = options.channels;
    cnn.widths = {options.width, 2 * options.width, 4 * options.width};
    cnn.classes = options.classes;
    return std::make_shared<nn::SmallCnn>(cnn);
  }
  nn::ResNetOptions resnet;
  resnet.depth = options.kind == "resnet18" ? 18 : 50;
  resnet.classes = options.classes;
  resnet.separate_relus = true;  // a bottleneck's three activations have different widths
  return std::make_shared<nn::ResNet>(resnet);
}

}  // namespace

bool is_resnet(const BackboneOptions& options) {
  return options.kind != "small_cnn";
}

BackboneOptions backbone_options(const ParameterSet& parameters) {
  BackboneOptions options;
  options.kind = parameters.text("backbone");
  options.weights = parameters.text("weights");
  options.width = parameters.integer("width");
  if (is_resnet(options) && options.weights.empty()) {
    throw Error(ErrorKind::bad_input,
                fmt::format("weights: is empty; backbone = {} needs a file of weights (safetensors "
                            "or .pth, torchvision's names): only the small CNN is trained here",
                            options.kind));
  }
  return options;
}

int image_side(const ParameterSet& parameters, const BackboneOptions& options) {
  const auto side = static_cast<int>(parameters.integer("image_size"));
  if (side == 0) return is_resnet(options) ? 224 : 28;
  const int smallest = is_resnet(options) ? 32 : 8;
  if (side >= smallest) return side;
  throw Error(ErrorKind::bad_input,
              fmt::format("image_size: {} is too small for {}; allowed: 0 or at least {} px", side,
                          options.kind, smallest));
}

std::int64_t channels_for(const ParameterSet& parameters, const BackboneOptions& options,
                          int channels_of_images) {
  if (is_resnet(options)) return 3;
  const std::string& choice = parameters.text("channels");
  if (choice == "auto") return channels_of_images;
  return choice == "grey" ? 1 : 3;
}

std::shared_ptr<nn::Classifier> make_backbone(const BackboneOptions& options, bool keep_head) {
  const auto net = fresh(options);
  if (options.weights.empty()) return net;
  const TensorFile file = read_weights(options.weights);
  WeightRules rules;
  rules.rename = strip_common_prefix(file.tensors);
  if (!keep_head) rules.optional = {net->head_name() + ".weight", net->head_name() + ".bias"};
  load_weights(*net, file.tensors, options.weights, rules);
  return net;
}

at::Tensor input_batch(const Dataset& data, const at::Tensor& indices,
                       const Normalization& normalization) {
  return normalization.apply(unit_images(data.images.index_select(0, indices)));
}

void copy_state(const torch::nn::Module& from, torch::nn::Module& to) {
  const torch::NoGradGuard no_gradient;
  const auto copy = [](const auto& sources, const auto& targets) {
    for (const auto& item : targets) {
      at::Tensor target = item.value();
      target.copy_(sources[item.key()]);
    }
  };
  copy(from.named_parameters(), to.named_parameters());
  copy(from.named_buffers(), to.named_buffers());
}

}  // namespace assay::curvature_tuning
