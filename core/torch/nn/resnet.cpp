// Residual nets.
#include "core/torch/nn/resnet.h"

#include <fmt/core.h>
#include <torch/nn/init.h>
#include <torch/types.h>

#include <array>
#include <utility>

#include "core/base/error.h"
#include "core/torch/nn/layers.h"

namespace assay::nn {

std::shared_ptr<Conv2d> conv2d(std::int64_t in, std::int64_t out, std::int64_t kernel,
                               std::int64_t stride, std::int64_t padding, bool bias) {
  return std::make_shared<Conv2d>(
      torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(padding).bias(bias));
}

std::shared_ptr<Linear> linear(std::int64_t in, std::int64_t out, bool bias) {
  return std::make_shared<Linear>(torch::nn::LinearOptions(in, out).bias(bias));
}

std::shared_ptr<BatchNorm2d> batch_norm(std::int64_t channels) {
  return std::make_shared<BatchNorm2d>(channels);
}

at::Tensor Classifier::forward(const at::Tensor& images) {
  return at_place(head_name())->forward(features(images));
}

void Classifier::reset_head(std::int64_t classes) {
  put_in_place(head_name(), linear(feature_count(), classes));
}

namespace {

// Identity where the shapes agree, else a strided 1x1 convolution and its norm.
LayerPointer projection(std::int64_t in, std::int64_t out, std::int64_t stride) {
  return std::make_shared<Sequence>(
      std::vector<LayerPointer>{conv2d(in, out, 1, stride), batch_norm(out)});
}

class BasicBlock : public Host, public Layer {
 public:
  static constexpr std::int64_t expansion = 1;
  BasicBlock(std::int64_t in, std::int64_t width, std::int64_t stride, bool /*separate*/) {
    place("conv1", conv1_, conv2d(in, width, 3, stride, 1));
    place("bn1", bn1_, batch_norm(width));
    place("relu", relu_, std::make_shared<Relu>(width));
    place("conv2", conv2_, conv2d(width, width, 3, 1, 1));
    place("bn2", bn2_, batch_norm(width));
    if (stride != 1 || in != width) place("downsample", downsample_, projection(in, width, stride));
  }
  at::Tensor forward(const at::Tensor& x) override {
    const at::Tensor inner = relu_->forward(bn1_->forward(conv1_->forward(x)));
    const at::Tensor sum = bn2_->forward(conv2_->forward(inner)) + shortcut(x);
    return relu_->forward(sum);
  }

 private:
  at::Tensor shortcut(const at::Tensor& x) { return downsample_ ? downsample_->forward(x) : x; }
  LayerPointer conv1_, bn1_, relu_, conv2_, bn2_, downsample_;
};

class Bottleneck : public Host, public Layer {
 public:
  static constexpr std::int64_t expansion = 4;
  Bottleneck(std::int64_t in, std::int64_t width, std::int64_t stride, bool separate) {
    const std::int64_t out = width * expansion;
    place("conv1", conv1_, conv2d(in, width, 1));
    place("bn1", bn1_, batch_norm(width));
    place("conv2", conv2_, conv2d(width, width, 3, stride, 1));
    place("bn2", bn2_, batch_norm(width));
    place("conv3", conv3_, conv2d(width, out, 1));
    place("bn3", bn3_, batch_norm(out));
    if (separate) {
      place("relu1", relu1_, std::make_shared<Relu>(width));
      place("relu2", relu2_, std::make_shared<Relu>(width));
      place("relu3", relu3_, std::make_shared<Relu>(out));
    } else {
      place("relu", relu_, std::make_shared<Relu>(width));
    }
    if (stride != 1 || in != out) place("downsample", downsample_, projection(in, out, stride));
  }
  at::Tensor forward(const at::Tensor& x) override {
    at::Tensor y = activate(relu1_, bn1_->forward(conv1_->forward(x)));
    y = activate(relu2_, bn2_->forward(conv2_->forward(y)));
    y = bn3_->forward(conv3_->forward(y)) + (downsample_ ? downsample_->forward(x) : x);
    return activate(relu3_, y);
  }

 private:
  at::Tensor activate(const LayerPointer& own, const at::Tensor& x) const {
    return (own ? own : relu_)->forward(x);
  }
  LayerPointer conv1_, bn1_, conv2_, bn2_, conv3_, bn3_;
  LayerPointer relu_, relu1_, relu2_, relu3_, downsample_;
};

constexpr std::array<std::int64_t, 4> stage_widths{64, 128, 256, 512};

template <class Block>
std::shared_ptr<Sequence> stage(std::int64_t& in, std::int64_t width, int blocks,
                                std::int64_t stride, bool separate) {
  auto sequence = std::make_shared<Sequence>();
  for (int i = 0; i < blocks; ++i) {
    sequence->add(std::make_shared<Block>(in, width, i == 0 ? stride : 1, separate));
    in = width * Block::expansion;
  }
  return sequence;
}

struct Plan {
  bool bottleneck;
  std::array<int, 4> blocks;
};

Plan plan_of(int depth) {
  switch (depth) {
    case 18:
      return {false, {2, 2, 2, 2}};
    case 34:
      return {false, {3, 4, 6, 3}};
    case 50:
      return {true, {3, 4, 6, 3}};
    case 101:
      return {true, {3, 4, 23, 3}};
    case 152:
      return {true, {3, 8, 36, 3}};
    default:
      throw Error(ErrorKind::bad_input,
                  fmt::format("no ResNet of depth {}: use 18, 34, 50, 101 or 152", depth));
  }
}

// Kaiming normal by fan-out, as torchvision starts its nets.
void initialise_convolutions(torch::nn::Module& net) {
  for (const auto& module : net.modules(/*include_self=*/false)) {
    if (const auto conv = std::dynamic_pointer_cast<Conv2d>(module)) {
      torch::nn::init::kaiming_normal_(conv->weight, 0.0, torch::kFanOut, torch::kReLU);
    }
  }
}

// The addition is followed by a ReLU that is no module, as in the nets these names come from.
class ResidualFunctionBlock : public Host, public Layer {
 public:
  static constexpr std::int64_t expansion = 1;
  ResidualFunctionBlock(std::int64_t in, std::int64_t width, std::int64_t stride, bool) {
    place("residual_function", residual_,
          std::make_shared<Sequence>(std::vector<LayerPointer>{
              conv2d(in, width, 3, stride, 1), batch_norm(width), std::make_shared<Relu>(width),
              conv2d(width, width, 3, 1, 1), batch_norm(width)}));
    if (stride != 1 || in != width) place("shortcut", shortcut_, projection(in, width, stride));
  }
  at::Tensor forward(const at::Tensor& x) override {
    return at::relu(residual_->forward(x) + (shortcut_ ? shortcut_->forward(x) : x));
  }

 private:
  LayerPointer residual_, shortcut_;
};

}  // namespace

ResNet::ResNet(const ResNetOptions& options) {
  const Plan plan = plan_of(options.depth);
  place("conv1", conv1_, conv2d(3, 64, 7, 2, 3));
  place("bn1", bn1_, batch_norm(64));
  place("relu", relu_, std::make_shared<Relu>(64));
  place("maxpool", maxpool_,
        std::make_shared<MaxPool2d>(torch::nn::MaxPool2dOptions(3).stride(2).padding(1)));
  const std::array<LayerPointer*, 4> members{&layer1_, &layer2_, &layer3_, &layer4_};
  std::int64_t in = 64;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::int64_t stride = i == 0 ? 1 : 2;
    place(fmt::format("layer{}", i + 1), *members[i],
          plan.bottleneck ? stage<Bottleneck>(in, stage_widths[i], plan.blocks[i], stride,
                                              options.separate_relus)
                          : stage<BasicBlock>(in, stage_widths[i], plan.blocks[i], stride, false));
  }
  place("avgpool", avgpool_,
        std::make_shared<AdaptiveAvgPool2d>(torch::nn::AdaptiveAvgPool2dOptions(1)));
  feature_count_ = in;
  place("fc", fc_, linear(in, options.classes));
  initialise_convolutions(*this);
}

at::Tensor ResNet::features(const at::Tensor& images) {
  at::Tensor y = maxpool_->forward(relu_->forward(bn1_->forward(conv1_->forward(images))));
  for (const LayerPointer& layer : {layer1_, layer2_, layer3_, layer4_}) y = layer->forward(y);
  return avgpool_->forward(y).flatten(1);
}

CifarResNet18::CifarResNet18(std::int64_t classes) {
  place("conv1", conv1_,
        std::make_shared<Sequence>(std::vector<LayerPointer>{conv2d(3, 64, 3, 1, 1), batch_norm(64),
                                                             std::make_shared<Relu>(64)}));
  const std::array<LayerPointer*, 4> members{&conv2_, &conv3_, &conv4_, &conv5_};
  std::int64_t in = 64;
  for (std::size_t i = 0; i < members.size(); ++i) {
    place(fmt::format("conv{}_x", i + 2), *members[i],
          stage<ResidualFunctionBlock>(in, stage_widths[i], 2, i == 0 ? 1 : 2, false));
  }
  place("avg_pool", avgpool_,
        std::make_shared<AdaptiveAvgPool2d>(torch::nn::AdaptiveAvgPool2dOptions(1)));
  place("fc", fc_, linear(512, classes));
}

at::Tensor CifarResNet18::features(const at::Tensor& images) {
  at::Tensor y = conv1_->forward(images);
  for (const LayerPointer& layer : {conv2_, conv3_, conv4_, conv5_}) y = layer->forward(y);
  return avgpool_->forward(y).flatten(1);
}

}  // namespace assay::nn
