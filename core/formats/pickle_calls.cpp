// OrderedDict, torch's rebuild functions and storage classes; everything else is refused.
#include "core/formats/pickle_calls.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

namespace assay {
namespace {

constexpr std::array<std::pair<std::string_view, DType>, 10> storages{{
    {"torch.DoubleStorage", DType::f64},
    {"torch.FloatStorage", DType::f32},
    {"torch.HalfStorage", DType::f16},
    {"torch.BFloat16Storage", DType::bf16},
    {"torch.LongStorage", DType::i64},
    {"torch.IntStorage", DType::i32},
    {"torch.ShortStorage", DType::i16},
    {"torch.CharStorage", DType::i8},
    {"torch.ByteStorage", DType::u8},
    {"torch.BoolStorage", DType::boolean},
}};

constexpr std::array<std::string_view, 6> functions{
    "collections.OrderedDict",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
    "torch.Size",
    "torch.device",
};

std::optional<DType> storage_type(std::string_view name) {
  for (const auto& [storage, dtype] : storages)
    if (storage == name) return dtype;
  return std::nullopt;
}

bool is_known(std::string_view name) {
  for (const std::string_view function : functions)
    if (function == name) return true;
  return storage_type(name).has_value();
}

const std::vector<PickleValue*>& items_of(const PickleValue& value, std::size_t least,
                                          const char* what, const ByteReader& reader) {
  const auto* sequence = value.as<PickleSequence>();
  if (sequence == nullptr || sequence->items.size() < least)
    reader.refuse(fmt::format("{} has the wrong form", what));
  return sequence->items;
}

std::vector<std::int64_t> integers_of(const PickleValue& value, const char* what,
                                      const ByteReader& reader) {
  std::vector<std::int64_t> out;
  for (const PickleValue* item : items_of(value, 0, what, reader)) {
    const auto* number = item->as<std::int64_t>();
    if (number == nullptr || *number < 0 || out.size() == 64)
      reader.refuse(fmt::format("{} has the wrong form", what));
    out.push_back(*number);
  }
  return out;
}

// _rebuild_tensor_v2(storage, offset, shape, strides, requires_grad, hooks)
PickleTensor rebuilt_tensor(const PickleValue& arguments, const ByteReader& reader) {
  constexpr const char* what = "a tensor's description";
  const auto& items = items_of(arguments, 4, what, reader);
  const auto* storage = items[0]->as<PickleStorage>();
  const auto* offset = items[1]->as<std::int64_t>();
  if (storage == nullptr || offset == nullptr || *offset < 0)
    reader.refuse(fmt::format("{} has the wrong form", what));
  PickleTensor tensor{.storage = *storage,
                      .offset = *offset,
                      .shape = integers_of(*items[2], "a tensor's shape", reader),
                      .strides = integers_of(*items[3], "a tensor's strides", reader)};
  if (tensor.shape.size() != tensor.strides.size())
    reader.refuse("a tensor's shape and strides differ in length");
  return tensor;
}

}  // namespace

PickleGlobal known_global(const std::string& module, const std::string& name,
                          const ByteReader& reader) {
  const std::string full = module + "." + name;
  if (!is_known(full))
    reader.refuse(
        fmt::format("asks for \"{}\"; only tensors, dictionaries, lists and numbers are read and "
                    "nothing is executed. In Python, save the weights alone: "
                    "torch.save(model.state_dict(), path)",
                    full));
  return {full};
}

PickleStorage storage_from(const PickleValue& id, const ByteReader& reader) {
  constexpr const char* what = "a storage";
  const auto& items = items_of(id, 5, what, reader);
  const auto* kind = items[0]->as<std::string>();
  const auto* type = items[1]->as<PickleGlobal>();
  const auto* key = items[2]->as<std::string>();
  const auto* elements = items[4]->as<std::int64_t>();
  if (kind == nullptr || *kind != "storage" || type == nullptr || key == nullptr ||
      elements == nullptr || *elements < 0)
    reader.refuse(fmt::format("{} has the wrong form", what));
  const auto dtype = storage_type(type->name);
  if (!dtype) reader.refuse(fmt::format("\"{}\" is no type of storage", type->name));
  return {.dtype = *dtype, .key = *key, .elements = *elements};
}

PickleValue result_of_call(const PickleValue& global, const PickleValue& arguments,
                           const ByteReader& reader) {
  const auto* function = global.as<PickleGlobal>();
  if (function == nullptr) reader.refuse("calls what is no function");
  const std::string& name = function->name;
  if (name == "torch._utils._rebuild_tensor_v2") return {rebuilt_tensor(arguments, reader)};
  if (name.starts_with("torch._utils._rebuild_parameter")) {
    const auto* tensor = items_of(arguments, 1, "a parameter", reader)[0]->as<PickleTensor>();
    if (tensor == nullptr) reader.refuse("a parameter holds no tensor");
    return {*tensor};
  }
  if (name == "torch.device") return {PickleOpaque{}};
  if (name == "torch.Size") {
    const PickleValue& extents = *items_of(arguments, 1, "a size", reader)[0];
    return {PickleSequence{items_of(extents, 0, "a size", reader)}};
  }
  if (name != "collections.OrderedDict") reader.refuse(fmt::format("calls \"{}\"", name));
  PickleDict dict;
  const auto& items = items_of(arguments, 0, "a dictionary", reader);
  if (items.empty()) return {dict};
  // Python 2 wrote OrderedDict([[key, value], ...]).
  for (const PickleValue* pair : items_of(*items[0], 0, "a dictionary", reader)) {
    const auto& parts = items_of(*pair, 2, "a dictionary's item", reader);
    dict.items.emplace_back(parts[0], parts[1]);
  }
  return {dict};
}

}  // namespace assay
