#include "core/engine/explore_protocol.h"

#include <fmt/core.h>

#include <array>

#include "core/base/error.h"
#include "core/engine/cbor_check.h"

namespace assay {
namespace {

constexpr std::size_t length_bytes = 4;

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorKind::unreadable, "explore: " + reason);
}

std::vector<std::uint8_t> framed(const Json& map) {
  std::vector<std::uint8_t> body = Json::to_cbor(map);
  if (body.size() > explore_frame_limit) {
    refuse(fmt::format("an answer of {} bytes is over the limit of {}", body.size(),
                       explore_frame_limit));
  }
  std::vector<std::uint8_t> frame(length_bytes + body.size());
  for (std::size_t i = 0; i < length_bytes; ++i) {
    frame[i] = static_cast<std::uint8_t>(body.size() >> (8 * i));
  }
  std::copy(body.begin(), body.end(), frame.begin() + length_bytes);
  return frame;
}

// The first whole frame's map, taken off the buffer even when its CBOR is damaged, so that a server
// may answer with a fault and go on with the next one.
std::optional<Json> take_map(std::vector<std::uint8_t>& buffer) {
  if (buffer.size() < length_bytes) return std::nullopt;
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= std::uint32_t{buffer[i]} << (8 * i);
  if (length > explore_frame_limit) {
    refuse(fmt::format("a frame of {} bytes is over the limit of {}", length, explore_frame_limit));
  }
  if (buffer.size() - length_bytes < length) return std::nullopt;
  const auto first = buffer.begin() + length_bytes;
  const std::vector<std::uint8_t> body(first, first + length);
  buffer.erase(buffer.begin(), first + length);

  if (const auto fault = cbor_fault(body)) refuse("damaged frame: " + *fault);
  Json map = Json::from_cbor(body, true, false);
  if (map.is_discarded() || !map.is_object()) refuse("damaged frame: no CBOR map");
  return map;
}

std::int64_t id_of(const Json& map) {
  const auto id = map.find("id");
  if (id == map.end() || !id->is_number_integer()) refuse("a frame has no whole number 'id'");
  return id->get<std::int64_t>();
}

std::optional<DType> dtype_from(const std::string& name) {
  constexpr std::array all = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i64,
                              DType::i32, DType::i16, DType::i8,  DType::u8,   DType::boolean};
  for (const DType type : all) {
    if (to_string(type) == name) return type;
  }
  return std::nullopt;
}

RawTensor tensor_from(const std::string& name, const Json& map) {
  const auto member = [&](const char* key) -> const Json& {
    if (!map.is_object() || !map.contains(key)) {
      refuse(fmt::format("tensor '{}' has no '{}'", name, key));
    }
    return map.at(key);
  };
  const Json& dtype = member("dtype");
  const auto type = dtype.is_string() ? dtype_from(dtype.get<std::string>()) : std::nullopt;
  if (!type) refuse(fmt::format("tensor '{}' has an unknown dtype", name));
  RawTensor tensor;
  tensor.dtype = *type;
  const Json& shape = member("shape");
  const Json& data = member("data");
  if (!shape.is_array() || !data.is_binary()) {
    refuse(fmt::format("tensor '{}' has a damaged shape or data", name));
  }
  tensor.data = data.get_binary();
  std::uint64_t bytes = bytes_of(*type);
  for (const Json& extent : shape) {
    if (!extent.is_number_integer() || extent.get<std::int64_t>() < 0) {
      refuse(fmt::format("tensor '{}' has a damaged shape", name));
    }
    tensor.shape.push_back(extent.get<std::int64_t>());
    // The product can't overflow: it is compared with the frame's limit after each factor.
    const auto factor = static_cast<std::uint64_t>(tensor.shape.back());
    if (factor != 0 && bytes > explore_frame_limit / factor) {
      refuse(fmt::format("tensor '{}' has a shape beyond the frame", name));
    }
    bytes *= factor;
  }
  if (bytes != tensor.data.size()) {
    refuse(fmt::format("tensor '{}' has {} bytes where its shape needs {}", name,
                       tensor.data.size(), bytes));
  }
  return tensor;
}

}  // namespace

std::vector<std::uint8_t> encode(const ExploreRequest& request) {
  return framed(Json{
      {"id", request.id}, {"explorable", request.explorable}, {"arguments", request.arguments}});
}

std::vector<std::uint8_t> encode(const ExploreAnswer& answer) {
  if (!answer.error.empty()) return framed(Json{{"id", answer.id}, {"error", answer.error}});
  Json tensors = Json::object();
  for (const auto& [name, tensor] : answer.answer.tensors) {
    tensors[name] = Json{{"dtype", to_string(tensor.dtype)},
                         {"shape", tensor.shape},
                         {"data", Json::binary(tensor.data)}};
  }
  return framed(Json{{"id", answer.id},
                     {"seconds", answer.seconds},
                     {"values", answer.answer.values},
                     {"tensors", std::move(tensors)}});
}

std::optional<ExploreRequest> take_request(std::vector<std::uint8_t>& buffer) {
  const auto map = take_map(buffer);
  if (!map) return std::nullopt;
  ExploreRequest request;
  request.id = id_of(*map);
  const auto explorable = map->find("explorable");
  if (explorable == map->end() || !explorable->is_string()) {
    refuse("a request names no 'explorable'");
  }
  request.explorable = explorable->get<std::string>();
  if (const auto arguments = map->find("arguments"); arguments != map->end()) {
    if (!arguments->is_object()) refuse("a request's 'arguments' are no map");
    request.arguments = *arguments;
  }
  return request;
}

std::optional<ExploreAnswer> take_answer(std::vector<std::uint8_t>& buffer) {
  const auto map = take_map(buffer);
  if (!map) return std::nullopt;
  ExploreAnswer answer;
  answer.id = id_of(*map);
  if (const auto error = map->find("error"); error != map->end()) {
    answer.error = error->is_string() ? error->get<std::string>() : "unknown fault";
    if (answer.error.empty()) answer.error = "unknown fault";
    return answer;
  }
  if (const auto seconds = map->find("seconds"); seconds != map->end() && seconds->is_number()) {
    answer.seconds = seconds->get<double>();
  }
  if (const auto values = map->find("values"); values != map->end()) {
    answer.answer.values = *values;
  }
  const auto tensors = map->find("tensors");
  if (tensors == map->end()) return answer;
  if (!tensors->is_object()) refuse("an answer's 'tensors' are no map");
  for (const auto& [name, tensor] : tensors->items()) {
    answer.answer.tensors[name] = tensor_from(name, tensor);
  }
  return answer;
}

}  // namespace assay
