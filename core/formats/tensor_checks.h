// Checks on tensor sizes and names shared by the readers of weights. Private to core/formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/formats/byte_reader.h"
#include "core/formats/tensors.h"

namespace assay {

// "F32" -> f32; nothing for a name we do not know.
std::optional<DType> dtype_named(std::string_view name);

// Bytes a tensor of this shape takes; nothing when an extent is negative or the size overflows.
std::optional<std::uint64_t> checked_bytes(DType dtype, const std::vector<std::int64_t>& shape);

}  // namespace assay
