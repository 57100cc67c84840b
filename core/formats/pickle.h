// A pickle machine that executes nothing: it builds plain values and descriptions of tensors, and
// refuses every class or function it does not know by name. Private to core/formats.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/formats/tensors.h"

namespace assay {

struct PickleValue;

struct PickleNone {};
struct PickleOpaque {};  // bytes, integers beyond 64 bits, device names: read over
struct PickleSequence {  // tuple, list or set
  std::vector<PickleValue*> items;
};
struct PickleDict {
  std::vector<std::pair<PickleValue*, PickleValue*>> items;
};
// A known class or function, "module.name".
struct PickleGlobal {
  std::string name;
};
// The bytes "data/<key>" of the archive.
struct PickleStorage {
  DType dtype = DType::f32;
  std::string key;
  std::int64_t elements = 0;
};
// Offset and strides in elements, as torch._utils._rebuild_tensor_v2 takes them.
struct PickleTensor {
  PickleStorage storage;
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
};

struct PickleValue {
  std::variant<PickleNone, PickleOpaque, bool, std::int64_t, double, std::string, PickleSequence,
               PickleDict, PickleGlobal, PickleStorage, PickleTensor>
      content;
  template <typename T>
  const T* as() const {
    return std::get_if<T>(&content);
  }
};

// The values live in `arena`: containers refer to each other freely, even in circles.
struct PickleResult {
  std::deque<PickleValue> arena;
  const PickleValue* root = nullptr;
};

// Protocols 2 to 5. Throws unreadable naming `file` and what was found.
PickleResult interpret_pickle(std::span<const std::uint8_t> bytes, const std::string& file);

}  // namespace assay
