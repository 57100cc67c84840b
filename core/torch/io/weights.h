// Weights from files into nets: names are mapped, and everything that doesn't fit is told by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/formats/tensors.h"

namespace torch::nn {
class Module;
}

namespace assay {

struct WeightRules {
  // The file's name -> the net's name; an empty answer leaves that tensor out. Null: as it is.
  std::function<std::string(const std::string&)> rename;
  // Names of the net that may be missing in the file or have another shape there (a fresh head).
  std::vector<std::string> optional;
};

struct WeightReport {
  std::vector<std::string> loaded, left_fresh;  // names of the net
};

// Copies into parameters and buffers. Throws bad_input with `source` and up to eight names each of
// what is missing, unexpected or of another shape; nothing is changed then. `num_batches_tracked`
// may always be missing.
WeightReport load_weights(torch::nn::Module& module, const NamedTensors& tensors,
                          const std::string& source, const WeightRules& rules = {});

// Strips "module." (data parallel), "model." or "backbone." when every name begins with it.
std::function<std::string(const std::string&)> strip_common_prefix(const NamedTensors& tensors);

}  // namespace assay
