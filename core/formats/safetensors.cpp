// safetensors: an 8-byte little-endian header length, a JSON header, the tensors one behind
// another. As in the reference implementation the data must be covered exactly: no hole, no
// overlap, no rest.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/formats/byte_reader.h"
#include "core/formats/safetensors_header.h"
#include "core/formats/tensor_checks.h"
#include "core/formats/tensors.h"

namespace assay {
namespace {

constexpr std::uint64_t header_limit = 100'000'000;  // as the reference implementation

void check_entry(const SafetensorsEntry& entry, std::uint64_t expected_begin,
                 std::uint64_t data_bytes, const ByteReader& reader) {
  const auto refuse = [&](const std::string& why) {
    reader.refuse(fmt::format("tensor \"{}\": {}", entry.name, why));
  };
  if (entry.end < entry.begin || entry.end > data_bytes)
    refuse(fmt::format("bytes {} to {} do not lie in the {} bytes of data (truncated?)",
                       entry.begin, entry.end, data_bytes));
  const auto bytes = checked_bytes(entry.dtype, entry.shape);
  if (!bytes) refuse(fmt::format("shape [{}] is too large", fmt::join(entry.shape, ", ")));
  if (*bytes != entry.end - entry.begin)
    refuse(fmt::format("shape [{}] of {} needs {} bytes, {} are given",
                       fmt::join(entry.shape, ", "), to_string(entry.dtype), *bytes,
                       entry.end - entry.begin));
  if (entry.begin < expected_begin) refuse("overlaps the tensor before it");
  if (entry.begin > expected_begin) refuse("unused bytes before it");
}

std::string encoded_header(const std::vector<std::pair<std::string, const RawTensor*>>& order,
                           const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : order) {
    const std::uint64_t end = offset + tensor->data.size();
    header.push_back({name, Json{{"dtype", to_string(tensor->dtype)},
                                 {"shape", tensor->shape},
                                 {"data_offsets", {offset, end}}}});
    offset = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const Json::type_error&) {
    throw Error(ErrorKind::bad_input, "a tensor's name or its metadata is no valid UTF-8");
  }
  text.append((8 - text.size() % 8) % 8, ' ');  // keeps the data aligned
  return text;
}

void check_tensor(const std::string& name, const RawTensor& tensor) {
  if (name == "__metadata__")
    throw Error(ErrorKind::bad_input, "\"__metadata__\" cannot be the name of a tensor");
  const auto bytes = checked_bytes(tensor.dtype, tensor.shape);
  if (!bytes || *bytes != tensor.data.size())
    throw Error(ErrorKind::bad_input,
                fmt::format("tensor \"{}\" of shape [{}] has {} bytes of data", name,
                            fmt::join(tensor.shape, ", "), tensor.data.size()));
}

}  // namespace

TensorFile parse_safetensors(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  ByteReader reader(bytes, name);
  const auto header_bytes = reader.little<std::uint64_t>("the header's length");
  if (header_bytes > header_limit)
    reader.refuse(fmt::format("a header of {} bytes; this is no safetensors file", header_bytes));
  SafetensorsHeader header =
      parse_safetensors_header(reader.take(header_bytes, "the header"), name);
  // Ties (empty tensors) by end, so that the empty one comes first.
  std::sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  const std::uint64_t data_bytes = reader.left();
  std::uint64_t covered = 0;
  for (const SafetensorsEntry& entry : header.entries) {
    check_entry(entry, covered, data_bytes, reader);
    covered = entry.end;
  }
  if (covered != data_bytes)
    reader.refuse(fmt::format("{} bytes behind the last tensor", data_bytes - covered));

  TensorFile file;
  file.metadata = std::move(header.metadata);
  for (SafetensorsEntry& entry : header.entries) {
    const auto data = reader.take(entry.end - entry.begin, entry.name);
    file.tensors.emplace(std::move(entry.name), RawTensor{.dtype = entry.dtype,
                                                          .shape = std::move(entry.shape),
                                                          .data = {data.begin(), data.end()}});
  }
  return file;
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  return parse_safetensors(read_file(path), path.string());
}

std::vector<std::uint8_t> encode_safetensors(const NamedTensors& tensors,
                                             const std::map<std::string, std::string>& metadata) {
  std::vector<std::pair<std::string, const RawTensor*>> order;
  std::size_t data_bytes = 0;
  for (const auto& [name, tensor] : tensors) {
    check_tensor(name, tensor);
    order.emplace_back(name, &tensor);
    data_bytes += tensor.data.size();
  }
  // The widest elements first, so that each tensor is aligned to its element.
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return bytes_of(a.second->dtype) > bytes_of(b.second->dtype);
  });
  const std::string header = encoded_header(order, metadata);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(8 + header.size() + data_bytes);
  for (unsigned shift = 0; shift < 64; shift += 8)
    bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(header.size()) >> shift));
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (const auto& [name, tensor] : order)
    bytes.insert(bytes.end(), tensor->data.begin(), tensor->data.end());
  return bytes;
}

void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata) {
  write_atomically(path, encode_safetensors(tensors, metadata));
}

}  // namespace assay
