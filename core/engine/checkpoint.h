// What a run needs to go on: tensors and small values by name, without LibTorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/json.h"
#include "core/formats/tensors.h"

namespace assay {

// Filled by Experiment::save, read by Experiment::load. core/torch/train/state.h puts modules,
// optimisers and generators in and out. Keys: "model/layer1.weight", "optimizer/...", ...
struct Checkpoint {
  NamedTensors tensors;
  Json values = Json::object();  // position, best values, seeds; numbers keep all their bits

  const RawTensor& tensor(const std::string& key) const;  // throws Error(unreadable): missing
  const Json& value(const std::string& key) const;        // throws Error(unreadable): missing
  std::string sha256() const;  // over names, shapes, dtypes, bytes and values
};

// One file, safetensors with the values in its metadata; atomic.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace assay
