// Which reader a file of weights needs, by its first bytes.
#include <cstring>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/formats/tensors.h"

namespace assay {

TensorFile read_weights(const std::filesystem::path& path) {
  const auto bytes = read_file(path);
  const auto starts_with = [&](std::string_view magic) {
    return bytes.size() >= magic.size() &&
           std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  // A zip, or a bare pickle of the time before PyTorch 1.6 (its reader says what to do with it).
  if (starts_with("PK\x03\x04") || starts_with("\x80\x02"))
    return parse_pytorch(bytes, path.string());
  // A safetensors header is JSON behind an 8-byte length.
  if (bytes.size() > 8 && bytes[8] == '{') return parse_safetensors(bytes, path.string());
  throw Error(ErrorKind::unreadable,
              path.string() + ": neither safetensors nor a PyTorch checkpoint (torch.save)");
}

}  // namespace assay
