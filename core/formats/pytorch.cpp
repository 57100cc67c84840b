// PyTorch zip checkpoints: "<name>/data.pkl" describes the tensors, "<name>/data/<key>" hold the
// bytes of their storages.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/formats/byte_reader.h"
#include "core/formats/pickle.h"
#include "core/formats/table.h"
#include "core/formats/tensor_checks.h"
#include "core/formats/tensors.h"
#include "core/formats/zip_archive.h"

namespace assay {
namespace {

constexpr std::uint64_t pickle_limit = 16U << 20;
constexpr int deepest = 32;
constexpr std::size_t most_items = 1'000'000, most_facts = 10'000, most_name_bytes = 64U << 20;

[[noreturn]] void refuse(const std::string& file, const std::string& message) {
  throw Error(ErrorKind::unreadable, file + ": " + message);
}

// Lists what a checkpoint holds under joined names.
class Flattener {
 public:
  explicit Flattener(const std::string& file) : file_(file) {}

  std::vector<std::pair<std::string, const PickleTensor*>> tensors;
  std::map<std::string, std::string> facts;  // numbers and texts, e.g. "epoch"

  void visit(const PickleValue& value, const std::string& name, int depth) {
    if (depth > deepest) refuse(file_, "dictionaries nested more than 32 deep");
    if (++visited_ > most_items) refuse(file_, "more than a million items");
    if (const auto* tensor = value.as<PickleTensor>())
      keep_tensor(*tensor, name.empty() ? "tensor" : name);
    else if (const auto* dict = value.as<PickleDict>())
      visit_dict(*dict, name, depth);
    else if (const auto* list = value.as<PickleSequence>())
      for (std::size_t i = 0; i < list->items.size(); ++i)
        visit(*list->items[i], joined(name, std::to_string(i)), depth + 1);
    else if (!name.empty() && name.size() < 200 && facts.size() < most_facts)
      keep_fact(value, name);
  }

  static std::string key_of(const PickleValue& key) {
    if (const auto* text = key.as<std::string>()) return *text;
    if (const auto* number = key.as<std::int64_t>()) return std::to_string(*number);
    return {};
  }

 private:
  static std::string joined(const std::string& name, const std::string& key) {
    return name.empty() ? key : name + "." + key;
  }

  void visit_dict(const PickleDict& dict, const std::string& name, int depth) {
    for (const auto& [key, value] : dict.items) {
      const std::string text = key_of(*key);
      if (text.empty()) refuse(file_, "a dictionary key that is neither text nor number");
      if (name.size() + text.size() > 4096) refuse(file_, "a name of more than 4096 characters");
      visit(*value, joined(name, text), depth + 1);
    }
  }

  void keep_tensor(const PickleTensor& tensor, const std::string& name) {
    name_bytes_ += name.size();
    if (name_bytes_ > most_name_bytes) refuse(file_, "64 MiB of names");
    tensors.emplace_back(name, &tensor);
  }

  void keep_fact(const PickleValue& value, const std::string& name) {
    if (const auto* text = value.as<std::string>()) facts[name] = text->substr(0, 1000);
    if (const auto* number = value.as<std::int64_t>()) facts[name] = std::to_string(*number);
    if (const auto* real = value.as<double>()) facts[name] = shortest(*real);
    if (const auto* truth = value.as<bool>()) facts[name] = *truth ? "true" : "false";
  }

  const std::string& file_;
  std::size_t visited_ = 0, name_bytes_ = 0;
};

// Under which key people save the state dict beside other things.
const PickleValue* nested_state_dict(const PickleValue& root) {
  const auto* dict = root.as<PickleDict>();
  if (dict == nullptr) return nullptr;
  for (const char* wanted : {"state_dict", "model_state_dict", "model"})
    for (const auto& [key, value] : dict->items)
      if (Flattener::key_of(*key) == wanted && value->as<PickleDict>() != nullptr) return value;
  return nullptr;
}

// Elements the storage must have for every index of the tensor to lie inside; false on overflow.
bool elements_needed(const PickleTensor& tensor, std::uint64_t& needed) {
  needed = static_cast<std::uint64_t>(tensor.offset);
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    std::uint64_t reach = 0;
    if (!multiply_checked(static_cast<std::uint64_t>(tensor.shape[i] - 1),
                          static_cast<std::uint64_t>(tensor.strides[i]), reach) ||
        needed > UINT64_MAX - reach)
      return false;
    needed += reach;
  }
  return needed++ != UINT64_MAX;
}

bool is_contiguous(const PickleTensor& tensor) {
  std::int64_t expected = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

// Copies the elements of a strided tensor in C order; all indices were checked.
void gather(const PickleTensor& tensor, const std::vector<std::uint8_t>& storage,
            std::vector<std::uint8_t>& out) {
  const std::size_t width = bytes_of(tensor.storage.dtype);
  if (is_contiguous(tensor)) {
    std::memcpy(out.data(), storage.data() + static_cast<std::size_t>(tensor.offset) * width,
                out.size());
    return;
  }
  std::vector<std::int64_t> index(tensor.shape.size(), 0);
  std::int64_t from = tensor.offset;
  for (std::size_t at = 0; at < out.size(); at += width) {
    std::memcpy(out.data() + at, storage.data() + static_cast<std::size_t>(from) * width, width);
    for (std::size_t d = index.size(); d-- > 0;) {
      from += tensor.strides[d];
      if (++index[d] < tensor.shape[d]) break;
      from -= tensor.strides[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
}

// Turns descriptions into tensors; unpacks each storage once.
class Materializer {
 public:
  Materializer(const ZipArchive& archive, std::string prefix, const std::string& file,
               std::uint64_t limit)
      : archive_(archive), prefix_(std::move(prefix)), file_(file), limit_(limit) {}

  RawTensor tensor(const std::string& name, const PickleTensor& described) {
    const auto bytes = checked_bytes(described.storage.dtype, described.shape);
    if (!bytes)
      refuse(file_, fmt::format("tensor \"{}\": shape [{}] is too large", name,
                                fmt::join(described.shape, ", ")));
    RawTensor out{.dtype = described.storage.dtype, .shape = described.shape, .data = {}};
    if (*bytes == 0) return out;
    check_inside(name, described);
    spend(name, *bytes);
    out.data.resize(static_cast<std::size_t>(*bytes));
    gather(described, storage(name, described.storage), out.data);
    return out;
  }

 private:
  // Many views of one storage, or a storage of packed zeros, must not unfold into far more memory
  // than the file warrants.
  void spend(const std::string& name, std::uint64_t bytes) {
    if (bytes > limit_ - produced_)
      refuse(file_, fmt::format("tensor \"{}\": the tensors would take far more memory than the "
                                "file's size warrants",
                                name));
    produced_ += bytes;
  }

  void check_inside(const std::string& name, const PickleTensor& described) const {
    std::uint64_t needed = 0;
    if (!elements_needed(described, needed) ||
        needed > static_cast<std::uint64_t>(described.storage.elements))
      refuse(file_, fmt::format("tensor \"{}\": shape [{}] with strides [{}] leaves its storage "
                                "of {} elements",
                                name, fmt::join(described.shape, ", "),
                                fmt::join(described.strides, ", "), described.storage.elements));
  }

  const std::vector<std::uint8_t>& storage(const std::string& name, const PickleStorage& wanted) {
    auto found = storages_.find(wanted.key);
    if (found == storages_.end()) {
      const std::string entry = prefix_ + "data/" + wanted.key;
      if (archive_.contains(entry)) spend(name, archive_.entries().at(entry).unpacked);
      found = storages_.emplace(wanted.key, archive_.read(entry)).first;
    }
    if (found->second.size() / bytes_of(wanted.dtype) < static_cast<std::uint64_t>(wanted.elements))
      refuse(file_, fmt::format("tensor \"{}\": its storage \"{}\" should hold {} elements of {} "
                                "but has {} bytes",
                                name, wanted.key, wanted.elements, to_string(wanted.dtype),
                                found->second.size()));
    return found->second;
  }

  const ZipArchive& archive_;
  std::string prefix_;
  const std::string& file_;
  std::uint64_t limit_, produced_ = 0;
  std::map<std::string, std::vector<std::uint8_t>> storages_;
};

// Before 1.6 torch.save wrote bare pickles that begin with this long integer.
bool is_legacy(const std::vector<std::uint8_t>& bytes) {
  constexpr std::uint8_t magic[] = {0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c,
                                    0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19};
  return bytes.size() >= sizeof magic && std::memcmp(bytes.data(), magic, sizeof magic) == 0;
}

void refuse_other_formats(const std::vector<std::uint8_t>& bytes, const std::string& file) {
  if (is_legacy(bytes))
    refuse(file,
           "saved in the format PyTorch used before 1.6; load it once in Python and save it again: "
           "torch.save(torch.load(path, map_location=\"cpu\"), path)");
  if (bytes.size() > 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5)
    refuse(file, "a bare pickle, not a checkpoint; save it with torch.save(state_dict, path)");
  if (bytes.size() < 4 || std::memcmp(bytes.data(), "PK\x03\x04", 4) != 0)
    refuse(file, "no PyTorch checkpoint (torch.save writes a zip archive)");
}

// "archive/data.pkl" -> "archive/".
std::string archive_prefix(const ZipArchive& archive, const std::string& file) {
  for (const auto& [name, entry] : archive.entries()) {
    if (name == "data.pkl") return "";
    if (name.ends_with("/data.pkl") && name.find('/') == name.size() - 9)
      return name.substr(0, name.size() - 8);
  }
  refuse(file, "a zip archive without data.pkl; no PyTorch checkpoint");
}

void check_byte_order(const ZipArchive& archive, const std::string& prefix,
                      const std::string& file) {
  if (!archive.contains(prefix + "byteorder")) return;
  const auto order = archive.read(prefix + "byteorder");
  if (std::string(order.begin(), order.end()).starts_with("big"))
    refuse(file, "saved on a big-endian machine; save it again on a little-endian one");
}

}  // namespace

TensorFile parse_pytorch(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  refuse_other_formats(bytes, name);
  const ZipArchive archive(bytes, name);
  const std::string prefix = archive_prefix(archive, name);
  check_byte_order(archive, prefix, name);
  if (archive.entries().at(prefix + "data.pkl").unpacked > pickle_limit)
    refuse(name, "its data.pkl is larger than 16 MiB; no plain state dict");
  const auto pickled = archive.read(prefix + "data.pkl");
  const PickleResult pickle = interpret_pickle(pickled, name);

  Flattener flat(name);
  Materializer materializer(archive, prefix, name, 16 * bytes.size() + (std::uint64_t{64} << 20));
  if (const PickleValue* nested = nested_state_dict(*pickle.root)) {
    for (const auto& [key, value] : pickle.root->as<PickleDict>()->items)
      if (value != nested && value->as<PickleDict>() == nullptr &&
          value->as<PickleSequence>() == nullptr && value->as<PickleTensor>() == nullptr)
        flat.visit(*value, Flattener::key_of(*key), 1);
    flat.visit(*nested, "", 1);
  } else {
    flat.visit(*pickle.root, "", 0);
  }
  if (flat.tensors.empty()) refuse(name, "holds no tensor");

  TensorFile file;
  file.metadata = std::move(flat.facts);
  for (const auto& [tensor_name, tensor] : flat.tensors)
    if (!file.tensors.emplace(tensor_name, materializer.tensor(tensor_name, *tensor)).second)
      refuse(name, fmt::format("two tensors are named \"{}\"", tensor_name));
  return file;
}

TensorFile read_pytorch(const std::filesystem::path& path) {
  return parse_pytorch(read_file(path), path.string());
}

}  // namespace assay
