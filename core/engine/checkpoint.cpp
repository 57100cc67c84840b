#include "core/engine/checkpoint.h"

#include <fmt/core.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/base/sha256.h"

namespace assay {
namespace {

// Where the values live in the safetensors metadata.
constexpr const char* values_key = "assay_checkpoint";

// JSON has no NaN and no infinities: they become {"f64": "<16 hex digits>"}, which keeps the bits
// of a NaN too. An object that looks like that by accident would be misread, so the key is long.
constexpr const char* bits_key = "$assay.f64.bits";

Json escaped(const Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    const auto bits = std::bit_cast<std::uint64_t>(value.get<double>());
    return Json{{bits_key, fmt::format("{:016x}", bits)}};
  }
  if (!value.is_structured()) return value;
  Json copy = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, item] : value.items()) {
    if (value.is_array()) {
      copy.push_back(escaped(item));
    } else {
      copy[key] = escaped(item);
    }
  }
  return copy;
}

Json restored(const Json& value) {
  if (!value.is_structured()) return value;
  if (value.is_object() && value.size() == 1 && value.begin().key() == bits_key &&
      value.begin()->is_string()) {
    const auto& digits = value.begin()->get_ref<const std::string&>();
    std::uint64_t bits = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    return std::bit_cast<double>(bits);
  }
  Json copy = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, item] : value.items()) {
    if (value.is_array()) {
      copy.push_back(restored(item));
    } else {
      copy[key] = restored(item);
    }
  }
  return copy;
}

// Length in front, so that no two different checkpoints feed the digest the same bytes.
void update_framed(Sha256& digest, std::string_view bytes) {
  digest.update(fmt::format("{}:", bytes.size()));
  digest.update(bytes);
}

}  // namespace

const RawTensor& Checkpoint::tensor(const std::string& key) const {
  const auto found = tensors.find(key);
  if (found != tensors.end()) return found->second;
  throw Error(ErrorKind::unreadable, fmt::format("the checkpoint holds no tensor '{}'", key));
}

const Json& Checkpoint::value(const std::string& key) const {
  const auto found = values.find(key);
  if (found != values.end()) return *found;
  throw Error(ErrorKind::unreadable, fmt::format("the checkpoint holds no value '{}'", key));
}

std::string Checkpoint::sha256() const {
  Sha256 digest;
  for (const auto& [name, tensor] : tensors) {
    update_framed(digest, name);
    update_framed(digest, to_string(tensor.dtype));
    std::string shape;
    for (const std::int64_t extent : tensor.shape) shape += fmt::format("{},", extent);
    update_framed(digest, shape);
    update_framed(digest, {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()});
  }
  update_framed(digest, escaped(values).dump());
  return digest.hex();
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  write_safetensors(path, checkpoint.tensors, {{values_key, escaped(checkpoint.values).dump()}});
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  TensorFile file = read_safetensors(path);
  const auto values = file.metadata.find(values_key);
  if (values == file.metadata.end()) {
    throw Error(
        ErrorKind::unreadable,
        fmt::format("{}: a safetensors file, but not a checkpoint of Assay", path.string()));
  }
  Checkpoint checkpoint;
  checkpoint.tensors = std::move(file.tensors);
  try {
    checkpoint.values = restored(Json::parse(values->second));
  } catch (const Json::exception& fault) {
    throw Error(ErrorKind::unreadable, fmt::format("{}: the checkpoint's values are damaged: {}",
                                                   path.string(), fault.what()));
  }
  return checkpoint;
}

}  // namespace assay
