// Checkpoint entries of modules, optimisers and generators.
#include "core/torch/train/state.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <torch/nn/module.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>
#include <torch/types.h>

#include <cstring>
#include <sstream>
#include <type_traits>

#include "core/base/error.h"

namespace assay {
namespace {

DType dtype_of(at::ScalarType type) {
  switch (type) {
    case at::kDouble:
      return DType::f64;
    case at::kFloat:
      return DType::f32;
    case at::kHalf:
      return DType::f16;
    case at::kBFloat16:
      return DType::bf16;
    case at::kLong:
      return DType::i64;
    case at::kInt:
      return DType::i32;
    case at::kShort:
      return DType::i16;
    case at::kChar:
      return DType::i8;
    case at::kByte:
      return DType::u8;
    case at::kBool:
      return DType::boolean;
    default:
      throw Error(ErrorKind::failed,
                  fmt::format("tensors of type {} can't be stored", at::toString(type)));
  }
}

at::ScalarType scalar_type_of(DType type) {
  switch (type) {
    case DType::f64:
      return at::kDouble;
    case DType::f32:
      return at::kFloat;
    case DType::f16:
      return at::kHalf;
    case DType::bf16:
      return at::kBFloat16;
    case DType::i64:
      return at::kLong;
    case DType::i32:
      return at::kInt;
    case DType::i16:
      return at::kShort;
    case DType::i8:
      return at::kChar;
    case DType::u8:
      return at::kByte;
    case DType::boolean:
      return at::kBool;
  }
  return at::kFloat;
}

std::string at_name(const std::string& prefix, const std::string& name) {
  return prefix + "/" + name;
}

// Copies the stored tensor over `target`, which fixes shape and type.
void copy_stored(const Checkpoint& checkpoint, const std::string& key, at::Tensor target) {
  const RawTensor& raw = checkpoint.tensor(key);
  if (at::IntArrayRef(raw.shape) != target.sizes() || raw.dtype != dtype_of(target.scalar_type())) {
    throw Error(
        ErrorKind::unreadable,
        fmt::format("checkpoint: {} is {} [{}], the model needs {} [{}]", key, to_string(raw.dtype),
                    fmt::join(raw.shape, ", "), to_string(dtype_of(target.scalar_type())),
                    fmt::join(target.sizes().vec(), ", ")));
  }
  const torch::NoGradGuard no_grad;
  target.copy_(to_tensor(raw));
}

template <class Visit>
void each_entry(const torch::nn::Module& module, Visit visit) {
  for (const auto& parameter : module.named_parameters()) visit(parameter.key(), parameter.value());
  for (const auto& buffer : module.named_buffers()) {
    if (buffer.value().defined()) visit(buffer.key(), buffer.value());
  }
}

using StateMap = std::remove_reference_t<decltype(std::declval<torch::optim::Optimizer>().state())>;
using StateKey = StateMap::key_type;

// How LibTorch finds a parameter's state: by the address of its implementation, written as text in
// LibTorch 1 and as a pointer in LibTorch 2.
template <class Key = StateKey>
Key state_key(const at::Tensor& parameter) {
  if constexpr (std::is_same_v<Key, std::string>) {
    std::ostringstream text;
    text << parameter.unsafeGetTensorImpl();
    return text.str();
  } else {
    return parameter.unsafeGetTensorImpl();
  }
}

const char* kind_of(const torch::optim::Optimizer& optimizer) {
  if (dynamic_cast<const torch::optim::AdamW*>(&optimizer) != nullptr) return "AdamW";
  if (dynamic_cast<const torch::optim::Adam*>(&optimizer) != nullptr) return "Adam";
  if (dynamic_cast<const torch::optim::SGD*>(&optimizer) != nullptr) return "SGD";
  throw Error(ErrorKind::failed, "only SGD, Adam and AdamW can be stored in a checkpoint");
}

template <class State>
void put_adam(Checkpoint& checkpoint, const std::string& key, const State& state) {
  put(checkpoint, at_name(key, "exp_avg"), state.exp_avg());
  put(checkpoint, at_name(key, "exp_avg_sq"), state.exp_avg_sq());
  if (state.max_exp_avg_sq().defined()) {
    put(checkpoint, at_name(key, "max_exp_avg_sq"), state.max_exp_avg_sq());
  }
  checkpoint.values[at_name(key, "step")] = state.step();
}

template <class State>
std::unique_ptr<torch::optim::OptimizerParamState> take_adam(const Checkpoint& checkpoint,
                                                             const std::string& key) {
  auto state = std::make_unique<State>();
  state->exp_avg(take_tensor(checkpoint, at_name(key, "exp_avg")));
  state->exp_avg_sq(take_tensor(checkpoint, at_name(key, "exp_avg_sq")));
  if (checkpoint.tensors.count(at_name(key, "max_exp_avg_sq")) > 0) {
    state->max_exp_avg_sq(take_tensor(checkpoint, at_name(key, "max_exp_avg_sq")));
  }
  state->step(checkpoint.value(at_name(key, "step")).get<std::int64_t>());
  return state;
}

void put_state(Checkpoint& checkpoint, const std::string& key,
               const torch::optim::OptimizerParamState& state) {
  if (const auto* adamw = dynamic_cast<const torch::optim::AdamWParamState*>(&state)) {
    put_adam(checkpoint, key, *adamw);
  } else if (const auto* adam = dynamic_cast<const torch::optim::AdamParamState*>(&state)) {
    put_adam(checkpoint, key, *adam);
  } else if (const auto* sgd = dynamic_cast<const torch::optim::SGDParamState*>(&state)) {
    if (sgd->momentum_buffer().defined()) {
      put(checkpoint, at_name(key, "momentum_buffer"), sgd->momentum_buffer());
    }
  }
}

std::unique_ptr<torch::optim::OptimizerParamState> take_state(const Checkpoint& checkpoint,
                                                              const std::string& key,
                                                              const std::string& kind) {
  if (kind == "AdamW") return take_adam<torch::optim::AdamWParamState>(checkpoint, key);
  if (kind == "Adam") return take_adam<torch::optim::AdamParamState>(checkpoint, key);
  auto state = std::make_unique<torch::optim::SGDParamState>();
  if (checkpoint.tensors.count(at_name(key, "momentum_buffer")) > 0) {
    state->momentum_buffer(take_tensor(checkpoint, at_name(key, "momentum_buffer")));
  }
  return state;
}

std::vector<at::Tensor> parameters_in_order(const torch::optim::Optimizer& optimizer) {
  std::vector<at::Tensor> all;
  for (const auto& group : optimizer.param_groups()) {
    all.insert(all.end(), group.params().begin(), group.params().end());
  }
  return all;
}

}  // namespace

RawTensor to_raw(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().to(at::kCPU).contiguous();
  RawTensor raw;
  raw.dtype = dtype_of(plain.scalar_type());
  raw.shape = plain.sizes().vec();
  raw.data.resize(plain.nbytes());
  if (!raw.data.empty()) std::memcpy(raw.data.data(), plain.data_ptr(), raw.data.size());
  return raw;
}

at::Tensor to_tensor(const RawTensor& raw) {
  at::Tensor tensor = at::empty(raw.shape, at::TensorOptions(scalar_type_of(raw.dtype)));
  if (tensor.nbytes() != raw.data.size()) {
    throw Error(ErrorKind::unreadable,
                fmt::format("a tensor of shape [{}] holds {} bytes instead of {}",
                            fmt::join(raw.shape, ", "), raw.data.size(), tensor.nbytes()));
  }
  if (!raw.data.empty()) std::memcpy(tensor.data_ptr(), raw.data.data(), raw.data.size());
  return tensor;
}

NamedTensors state_of(const torch::nn::Module& module) {
  NamedTensors tensors;
  each_entry(module, [&](const std::string& name, const at::Tensor& tensor) {
    tensors[name] = to_raw(tensor);
  });
  return tensors;
}

void put(Checkpoint& checkpoint, const std::string& prefix, const torch::nn::Module& module) {
  each_entry(module, [&](const std::string& name, const at::Tensor& tensor) {
    put(checkpoint, at_name(prefix, name), tensor);
  });
}

void put(Checkpoint& checkpoint, const std::string& key, const at::Tensor& tensor) {
  checkpoint.tensors[key] = to_raw(tensor);
}

void put(Checkpoint& checkpoint, const std::string& key, const at::Generator& generator) {
  at::Generator handle = generator;
  const std::lock_guard<std::mutex> lock(handle.mutex());
  checkpoint.tensors[key] = to_raw(handle.get_state());
}

void put(Checkpoint& checkpoint, const std::string& prefix,
         const torch::optim::Optimizer& optimizer) {
  checkpoint.values[at_name(prefix, "kind")] = kind_of(optimizer);
  Json rates = Json::array();
  for (const auto& group : optimizer.param_groups()) rates.push_back(group.options().get_lr());
  checkpoint.values[at_name(prefix, "rates")] = rates;
  Json stepped = Json::array();  // which parameters have a state yet
  std::size_t index = 0;
  for (const at::Tensor& parameter : parameters_in_order(optimizer)) {
    const auto found = optimizer.state().find(state_key(parameter));
    stepped.push_back(found != optimizer.state().end());
    if (found != optimizer.state().end()) {
      put_state(checkpoint, at_name(prefix, std::to_string(index)), *found->second);
    }
    ++index;
  }
  checkpoint.values[at_name(prefix, "stepped")] = stepped;
}

void take(const Checkpoint& checkpoint, const std::string& prefix, torch::nn::Module& module) {
  each_entry(module, [&](const std::string& name, const at::Tensor& tensor) {
    copy_stored(checkpoint, at_name(prefix, name), tensor);
  });
}

at::Tensor take_tensor(const Checkpoint& checkpoint, const std::string& key) {
  return to_tensor(checkpoint.tensor(key));
}

void take(const Checkpoint& checkpoint, const std::string& key, at::Generator& generator) {
  const at::Tensor state = take_tensor(checkpoint, key);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  const at::Tensor now = generator.get_state();
  if (state.sizes() != now.sizes() || state.scalar_type() != now.scalar_type()) {
    throw Error(ErrorKind::unreadable,
                fmt::format("checkpoint: {} is no state of this kind of generator", key));
  }
  generator.set_state(state);
}

void take(const Checkpoint& checkpoint, const std::string& prefix,
          torch::optim::Optimizer& optimizer) {
  const auto kind = checkpoint.value(at_name(prefix, "kind")).get<std::string>();
  const Json& rates = checkpoint.value(at_name(prefix, "rates"));
  const Json& stepped = checkpoint.value(at_name(prefix, "stepped"));
  const std::vector<at::Tensor> parameters = parameters_in_order(optimizer);
  if (kind != kind_of(optimizer) || rates.size() != optimizer.param_groups().size() ||
      stepped.size() != parameters.size()) {
    throw Error(ErrorKind::unreadable,
                fmt::format("checkpoint: {} is a {} of {} parameters, this run has a {} of {}",
                            prefix, kind, stepped.size(), kind_of(optimizer), parameters.size()));
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    optimizer.param_groups()[i].options().set_lr(rates[i].get<double>());
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    optimizer.state().erase(state_key(parameters[i]));
    if (!stepped[i].get<bool>()) continue;
    optimizer.state()[state_key(parameters[i])] =
        take_state(checkpoint, at_name(prefix, std::to_string(i)), kind);
  }
}

}  // namespace assay
