// Reading reference values, and weights by rule.
#include "support/golden.h"

#include <torch/nn/module.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/torch/train/state.h"

namespace assay::golden {
namespace {

std::string folder_path(const std::string& folder) {
  return std::string(ASSAY_TEST_SOURCE_DIR) + "/golden/" + folder + "/";
}

std::vector<std::uint8_t> bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("no reference file " + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

DType dtype_named(const std::string& name) {
  if (name == "f32") return DType::f32;
  if (name == "f64") return DType::f64;
  if (name == "i32") return DType::i32;
  if (name == "u8") return DType::u8;
  throw std::runtime_error("unknown type " + name);
}

std::uint64_t hash_of(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3ULL;
  }
  return hash;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// Offset and scale of a weight by its name and shape.
std::pair<float, float> affine_of(const std::string& name, at::IntArrayRef shape) {
  if (ends_with(name, "running_mean")) return {0.0F, 0.1F};
  if (ends_with(name, "running_var")) return {1.0F, 0.5F};
  const bool plain = !contains(name, "embedding") && !contains(name, "projection") &&
                     (!ends_with(name, "proj") || contains(name, "weight"));
  if (shape.size() >= 2 && plain) {
    double fan = 1.0;
    for (std::size_t d = 1; d < shape.size(); ++d) fan *= static_cast<double>(shape[d]);
    return {0.0F, static_cast<float>(std::sqrt((shape.size() == 4 ? 6.0 : 3.0) / fan))};
  }
  if (shape.size() == 1 && ends_with(name, "weight")) return {1.0F, 0.1F};
  return {0.0F, 0.1F};
}

}  // namespace

at::Tensor File::tensor(const std::string& name) const {
  return to_tensor(tensors.at(name));
}

Json read_json(const std::string& folder, const std::string& name) {
  const auto bytes = bytes_of_file(folder_path(folder) + name + ".json");
  return Json::parse(bytes.begin(), bytes.end());
}

File read(const std::string& folder, const std::string& name) {
  const Json description = read_json(folder, name);
  const auto bytes = bytes_of_file(folder_path(folder) + name + ".bin");
  File file;
  file.meta = description.at("meta");
  for (const Json& entry : description.at("tensors")) {
    RawTensor raw;
    raw.dtype = dtype_named(entry.at("dtype").get<std::string>());
    raw.shape = entry.at("shape").get<std::vector<std::int64_t>>();
    const auto offset = entry.at("offset").get<std::size_t>();
    const auto size = entry.at("bytes").get<std::size_t>();
    if (offset + size > bytes.size()) throw std::runtime_error(name + ".bin is too short");
    raw.data.resize(size);
    std::memcpy(raw.data.data(), bytes.data() + offset, size);
    file.tensors[entry.at("name").get<std::string>()] = std::move(raw);
  }
  return file;
}

at::Tensor uniform(const std::string& name, const std::vector<std::int64_t>& shape) {
  at::Tensor tensor = torch::empty(shape);
  auto* values = tensor.data_ptr<float>();
  const std::uint64_t seed = hash_of(name);
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    std::uint64_t z = seed + (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    const auto centred = static_cast<std::int64_t>(z >> 40) - (std::int64_t{1} << 23);
    values[i] = static_cast<float>(centred) / 8388608.0F;
  }
  return tensor;
}

void set_by_rule(torch::nn::Module& module, const std::string& prefix) {
  const torch::NoGradGuard no_grad;
  const auto set = [&](const std::string& key, at::Tensor target) {
    if (!target.defined() || ends_with(key, "num_batches_tracked")) return;
    const std::string name = prefix + key;
    const auto [offset, scale] = affine_of(name, target.sizes());
    target.copy_(uniform(name, target.sizes().vec()) * scale + offset);
  };
  for (auto& parameter : module.named_parameters()) set(parameter.key(), parameter.value());
  for (auto& buffer : module.named_buffers()) set(buffer.key(), buffer.value());
}

double largest_gap(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  if (a.numel() == 0) return 0.0;
  return (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>();
}

}  // namespace assay::golden
