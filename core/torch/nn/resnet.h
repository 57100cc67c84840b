// Residual nets (He et al. 2016) with torchvision's names, and the variant usual for CIFAR.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/torch/nn/layer.h"

namespace assay::nn {

struct ResNetOptions {
  int depth = 18;  // 18, 34, 50, 101, 152
  std::int64_t classes = 1000;
  // Bottlenecks call one shared `relu` three times (torchvision); separate: relu1, relu2, relu3, so
  // that each can become an activation of its own width.
  bool separate_relus = false;
};

// A net of two parts, so that a new head can be trained on frozen features.
class Classifier : public Host, public Layer {
 public:
  virtual at::Tensor features(const at::Tensor& images) = 0;  // N x feature_count()
  virtual std::int64_t feature_count() const = 0;
  virtual std::string head_name() const = 0;  // the place of the last linear layer: "fc"
  at::Tensor forward(const at::Tensor& images) override;  // head(features(images))
  // A fresh linear head, initialised from the default generator (see math/generator.h).
  void reset_head(std::int64_t classes);
};

// conv1, bn1, relu, maxpool, layer1..layer4, avgpool, fc. Throws bad_input for another depth.
class ResNet : public Classifier {
 public:
  explicit ResNet(const ResNetOptions& options);
  at::Tensor features(const at::Tensor& images) override;
  std::int64_t feature_count() const override { return feature_count_; }
  std::string head_name() const override { return "fc"; }

 private:
  std::int64_t feature_count_ = 0;
  LayerPointer conv1_, bn1_, relu_, maxpool_, layer1_, layer2_, layer3_, layer4_, avgpool_, fc_;
};

// ResNet-18 for 32x32 images: 3x3 stem, no max pooling; names conv1.0,
// conv2_x.0.residual_function.0,
// ..., fc. The addition is followed by a plain ReLU that is no module: 9 of the 17 calls can be
// replaced.
class CifarResNet18 : public Classifier {
 public:
  explicit CifarResNet18(std::int64_t classes = 10);
  at::Tensor features(const at::Tensor& images) override;
  std::int64_t feature_count() const override { return 512; }
  std::string head_name() const override { return "fc"; }

 private:
  LayerPointer conv1_, conv2_, conv3_, conv4_, conv5_, avgpool_, fc_;
};

}  // namespace assay::nn
