// Weights, optimisers and generators in and out of a Checkpoint, to the last bit.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <string>

#include "core/engine/checkpoint.h"

namespace torch::nn {
class Module;
}
namespace torch::optim {
class Optimizer;
}

namespace assay {

RawTensor to_raw(const at::Tensor& tensor);              // copies to the CPU, C order
at::Tensor to_tensor(const RawTensor& raw);              // a copy
NamedTensors state_of(const torch::nn::Module& module);  // parameters and buffers by full name

// `prefix` is put before "/" and the name: put(c, "model", net) makes
// "model/layer1.0.conv1.weight".
void put(Checkpoint& checkpoint, const std::string& prefix, const torch::nn::Module& module);
void put(Checkpoint& checkpoint, const std::string& key, const at::Tensor& tensor);
void put(Checkpoint& checkpoint, const std::string& key, const at::Generator& generator);
// SGD, Adam and AdamW: learning rates of the groups, step counts and moments, by parameter order.
void put(Checkpoint& checkpoint, const std::string& prefix,
         const torch::optim::Optimizer& optimizer);

// Back into objects made alike before. Throw unreadable, naming what is missing or of another
// shape.
void take(const Checkpoint& checkpoint, const std::string& prefix, torch::nn::Module& module);
at::Tensor take_tensor(const Checkpoint& checkpoint, const std::string& key);
void take(const Checkpoint& checkpoint, const std::string& key, at::Generator& generator);
void take(const Checkpoint& checkpoint, const std::string& prefix,
          torch::optim::Optimizer& optimizer);

}  // namespace assay
