// The small nets: a ReLU CNN that trains in seconds, and a multi-layer perceptron.
#pragma once

#include <cstdint>
#include <vector>

#include "core/torch/nn/layer.h"
#include "core/torch/nn/resnet.h"

namespace assay::nn {

struct SmallCnnOptions {
  std::int64_t channels_in = 1;
  std::vector<std::int64_t> widths = {16, 32,
                                      64};  // one block each; every block but the first halves
  std::int64_t classes = 10;
};

// block<i>.conv (3x3, stride 1 then 2), block<i>.bn, block<i>.relu, global average, fc.
class SmallCnn : public Classifier {
 public:
  explicit SmallCnn(const SmallCnnOptions& options = {});
  at::Tensor features(const at::Tensor& images) override;
  std::int64_t feature_count() const override { return options_.widths.back(); }
  std::string head_name() const override { return "fc"; }

 private:
  SmallCnnOptions options_;
  std::vector<std::unique_ptr<LayerPointer>> blocks_;
  LayerPointer fc_;
};

struct MlpOptions {
  std::int64_t in = 2;
  std::int64_t width = 20;
  int depth = 2;  // hidden layers
  std::int64_t out = 1;
};

// layer0, layer1, ..., output_layer; one `nonlinearity` shared by all hidden layers.
class Mlp : public Host, public Layer {
 public:
  explicit Mlp(const MlpOptions& options = {});
  at::Tensor forward(const at::Tensor& x) override;

 private:
  std::vector<std::unique_ptr<LayerPointer>> layers_;
  LayerPointer nonlinearity_, output_layer_;
};

}  // namespace assay::nn
