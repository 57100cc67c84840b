// Named tensors into a module.
#include "core/torch/io/weights.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <torch/nn/module.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/torch/train/state.h"

namespace assay {
namespace {

constexpr std::size_t most_names = 8;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

struct Misfits {
  std::vector<std::string> missing, unexpected, shapes;
  bool empty() const { return missing.empty() && unexpected.empty() && shapes.empty(); }
};

void describe(std::string& message, const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), most_names));
  message += fmt::format("; {}: {}", what, fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > most_names) message += fmt::format(" and {} more", names.size() - most_names);
}

std::string misfit_message(const std::string& source, const Misfits& misfits) {
  std::string message = fmt::format("{}: the weights don't fit this net", source);
  describe(message, "missing", misfits.missing);
  describe(message, "not in the net", misfits.unexpected);
  describe(message, "of another shape", misfits.shapes);
  return message;
}

std::map<std::string, const RawTensor*> renamed(const NamedTensors& tensors,
                                                const WeightRules& rules) {
  std::map<std::string, const RawTensor*> by_name;
  for (const auto& [name, raw] : tensors) {
    const std::string ours = rules.rename ? rules.rename(name) : name;
    if (!ours.empty()) by_name[ours] = &raw;
  }
  return by_name;
}

}  // namespace

WeightReport load_weights(torch::nn::Module& module, const NamedTensors& tensors,
                          const std::string& source, const WeightRules& rules) {
  auto given = renamed(tensors, rules);
  std::vector<std::pair<std::string, at::Tensor>> entries;
  for (const auto& parameter : module.named_parameters()) {
    entries.emplace_back(parameter.key(), parameter.value());
  }
  for (const auto& buffer : module.named_buffers()) {
    if (buffer.value().defined()) entries.emplace_back(buffer.key(), buffer.value());
  }
  Misfits misfits;
  WeightReport report;
  std::vector<std::pair<at::Tensor, const RawTensor*>> copies;
  for (const auto& [name, tensor] : entries) {
    const bool optional =
        ends_with(name, "num_batches_tracked") ||
        std::find(rules.optional.begin(), rules.optional.end(), name) != rules.optional.end();
    const auto found = given.find(name);
    const bool fits =
        found != given.end() && at::IntArrayRef(found->second->shape) == tensor.sizes();
    if (fits) {
      copies.emplace_back(tensor, found->second);
      report.loaded.push_back(name);
    } else if (optional) {
      report.left_fresh.push_back(name);
    } else if (found == given.end()) {
      misfits.missing.push_back(name);
    } else {
      misfits.shapes.push_back(fmt::format("{} [{}] instead of [{}]", name,
                                           fmt::join(found->second->shape, ", "),
                                           fmt::join(tensor.sizes().vec(), ", ")));
    }
    if (found != given.end()) given.erase(found);
  }
  for (const auto& [name, raw] : given) misfits.unexpected.push_back(name);
  if (!misfits.empty()) throw Error(ErrorKind::bad_input, misfit_message(source, misfits));
  const torch::NoGradGuard no_grad;
  for (auto& [target, raw] : copies) target.copy_(to_tensor(*raw));
  return report;
}

std::function<std::string(const std::string&)> strip_common_prefix(const NamedTensors& tensors) {
  static constexpr std::array<std::string_view, 3> prefixes{"module.", "model.", "backbone."};
  for (const std::string_view prefix : prefixes) {
    const bool all =
        !tensors.empty() && std::all_of(tensors.begin(), tensors.end(), [&](const auto& entry) {
          return entry.first.compare(0, prefix.size(), prefix) == 0;
        });
    if (all) return [size = prefix.size()](const std::string& name) { return name.substr(size); };
  }
  return [](const std::string& name) { return name; };
}

}  // namespace assay
