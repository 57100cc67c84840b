// Older configurations: renamed, removed and re-spelled parameters.
#include "core/study/repair.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

using Repair = ExperimentSpec::Repair;
using Values = std::map<std::string, Value>;

const Repair* repair_of(const ExperimentSpec& experiment, int from) {
  for (const Repair& repair : experiment.repairs) {
    if (repair.from == from) return &repair;
  }
  return nullptr;
}

bool is_removed(const Repair& repair, const std::string& key) {
  return std::find(repair.removed.begin(), repair.removed.end(), key) != repair.removed.end();
}

// The choice's new spelling, or the value as it is.
Value renamed_choice(const Repair& repair, const std::string& key, const Value& value,
                     const std::string& versions, std::vector<std::string>& notes) {
  const auto choices = repair.renamed_choices.find(key);
  const auto* text = std::get_if<std::string>(&value);
  if (choices == repair.renamed_choices.end() || text == nullptr) return value;
  const auto choice = choices->second.find(*text);
  if (choice == choices->second.end()) return value;
  notes.push_back(
      fmt::format("'{}': changed '{}' to '{}' ({})", key, *text, choice->second, versions));
  return choice->second;
}

Values one_version_on(const Repair& repair, const Values& values, std::vector<std::string>& notes) {
  const std::string versions = fmt::format("version {} to {}", repair.from, repair.from + 1);
  Values next;
  // Keys that keep their name first: one that is there under its new name already stays.
  for (const auto& [key, value] : values) {
    if (is_removed(repair, key)) {
      notes.push_back(fmt::format("removed '{}' ({})", key, versions));
    } else if (!repair.renamed.contains(key)) {
      next[key] = renamed_choice(repair, key, value, versions, notes);
    }
  }
  for (const auto& [key, value] : values) {
    const auto renamed = repair.renamed.find(key);
    if (renamed == repair.renamed.end() || is_removed(repair, key)) continue;
    const std::string& name = renamed->second;
    if (next.contains(name)) {
      notes.push_back(fmt::format("dropped '{}': '{}' is given as well ({})", key, name, versions));
      continue;
    }
    notes.push_back(fmt::format("renamed '{}' to '{}' ({})", key, name, versions));
    next[name] = renamed_choice(repair, name, value, versions, notes);
  }
  return next;
}

}  // namespace

Values repair(const ExperimentSpec& experiment, int from, Values values,
              std::vector<std::string>& notes) {
  for (int version = from; version < experiment.version; ++version) {
    const Repair* step = repair_of(experiment, version);
    if (step != nullptr) values = one_version_on(*step, values, notes);
  }
  return values;
}

std::string fate_of_key(const ExperimentSpec& experiment, const std::string& key) {
  // The newest change counts: a name may have been used twice.
  for (int version = experiment.version - 1; version >= 1; --version) {
    const Repair* step = repair_of(experiment, version);
    if (step == nullptr) continue;
    if (const auto renamed = step->renamed.find(key); renamed != step->renamed.end()) {
      return fmt::format("was renamed to '{}' in version {}", renamed->second, version + 1);
    }
    if (is_removed(*step, key)) return fmt::format("was removed in version {}", version + 1);
  }
  return {};
}

}  // namespace assay
