// Named tensors without LibTorch, and the safetensors format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace assay {

enum class DType { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };
std::size_t bytes_of(DType type);
std::string to_string(DType type);  // "F32", as safetensors writes it

// Little-endian, C order.
struct RawTensor {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> data;
  std::int64_t elements() const;

  static RawTensor from(const std::vector<float>& values, std::vector<std::int64_t> shape);
  static RawTensor from(const std::vector<double>& values, std::vector<std::int64_t> shape);
  static RawTensor from(const std::vector<std::int64_t>& values, std::vector<std::int64_t> shape);
  // Any numeric dtype, converted. Throws bad_input for none.
  std::vector<double> as_doubles() const;
};
using NamedTensors = std::map<std::string, RawTensor>;

struct TensorFile {
  NamedTensors tensors;
  std::map<std::string, std::string> metadata;  // safetensors "__metadata__"
};

// Survives hostile files: header length, offsets, overlaps, shape overflow and dtype are checked
// before anything is allocated; throws Error(unreadable) naming the file and the tensor.
TensorFile read_safetensors(const std::filesystem::path& path);
TensorFile parse_safetensors(const std::vector<std::uint8_t>& bytes, const std::string& name);
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata = {});  // atomic
std::vector<std::uint8_t> encode_safetensors(
    const NamedTensors& tensors, const std::map<std::string, std::string>& metadata = {});

// PyTorch's zip checkpoints (torch.save of a state dict, also nested under "state_dict" or
// "model"): the pickle is interpreted by a small machine that knows tensors, dicts, lists and
// numbers and executes nothing; any other global is refused by name. Keys of nested dicts are
// joined by ".".
TensorFile read_pytorch(const std::filesystem::path& path);
TensorFile parse_pytorch(const std::vector<std::uint8_t>& bytes, const std::string& name);

// By content: safetensors or PyTorch zip.
TensorFile read_weights(const std::filesystem::path& path);

}  // namespace assay
