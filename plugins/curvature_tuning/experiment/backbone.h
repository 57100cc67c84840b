// The networks that are transferred or attacked, with or without weights from a file.
#pragma once

#include <memory>
#include <string>

#include "core/engine/experiment.h"
#include "core/torch/data/dataset.h"
#include "core/torch/nn/resnet.h"

namespace assay::curvature_tuning {

struct BackboneOptions {
  std::string kind = "small_cnn";  // or resnet18, resnet50
  std::string weights;             // a file; always given for ResNets
  std::int64_t channels = 1, width = 16, classes = 10;
  std::uint64_t seed = 0;  // of fresh weights
};

// From the manifest's parameters backbone, weights, width. Throws bad_input for a ResNet without
// weights.
BackboneOptions backbone_options(const ParameterSet& parameters);
bool is_resnet(const BackboneOptions& options);
int image_side(const ParameterSet& parameters, const BackboneOptions& options);
// 1 or 3, by the parameter "channels", the network and what the images have.
std::int64_t channels_for(const ParameterSet& parameters, const BackboneOptions& options,
                          int channels_of_images);

// Fresh, or with the file's weights. `keep_head`: the file's head is wanted and must fit the
// classes.
std::shared_ptr<nn::Classifier> make_backbone(const BackboneOptions& options, bool keep_head);

// Bytes to the network's input.
at::Tensor input_batch(const Dataset& data, const at::Tensor& indices,
                       const Normalization& normalization);

// Copies every parameter and buffer of one net to another of the same shape.
void copy_state(const torch::nn::Module& from, torch::nn::Module& to);

}  // namespace assay::curvature_tuning
