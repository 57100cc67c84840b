// The JSON header of a safetensors file, parsed strictly. Private to core/formats.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/formats/tensors.h"

namespace assay {

struct SafetensorsEntry {
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  // bytes from the start of the data
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;
};

// Throws unreadable naming `file` and the tensor for anything that is not exactly a header:
// unknown fields, a name twice, a type we do not know, numbers out of range.
SafetensorsHeader parse_safetensors_header(std::span<const std::uint8_t> json,
                                           const std::string& file);

}  // namespace assay
