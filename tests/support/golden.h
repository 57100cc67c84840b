// Reference values for tests: files of named tensors, and weights that follow a rule, so that a
// large net needs no weight file.
#pragma once

#include <string>

#include "core/base/json.h"
#include "core/formats/tensors.h"

namespace torch::nn {
class Module;
}
namespace at {
class Tensor;
}

namespace assay::golden {

struct File {
  NamedTensors tensors;
  Json meta;
  at::Tensor tensor(const std::string& name) const;  // throws when there is none
};

// tests/golden/<folder>/<name>.json and .bin; throws when damaged or missing.
File read(const std::string& folder, const std::string& name);
Json read_json(const std::string& folder, const std::string& name);

// The rule (SplitMix64 from the FNV-1a hash of prefix + name; see golden.cpp): in [-1, 1).
at::Tensor uniform(const std::string& name, const std::vector<std::int64_t>& shape);
void set_by_rule(torch::nn::Module& module, const std::string& prefix);

double largest_gap(const at::Tensor& a, const at::Tensor& b);

}  // namespace assay::golden
