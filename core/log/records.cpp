// Names of the states of a run, as stored and as shown.
#include "core/log/records.h"

#include <array>
#include <utility>

namespace assay {
namespace {

constexpr std::array<std::pair<RunState, const char*>, 8> state_names{{
    {RunState::queued, "queued"},
    {RunState::running, "running"},
    {RunState::paused, "paused"},
    {RunState::finished, "finished"},
    {RunState::stopped, "stopped"},
    {RunState::failed, "failed"},
    {RunState::killed, "killed"},
    {RunState::crashed, "crashed"},
}};

}  // namespace

std::string to_string(RunState state) {
  for (const auto& [known, name] : state_names) {
    if (known == state) return name;
  }
  return "unknown";
}

std::optional<RunState> run_state_from(const std::string& text) {
  for (const auto& [state, name] : state_names) {
    if (text == name) return state;
  }
  return std::nullopt;
}

}  // namespace assay
