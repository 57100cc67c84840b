// How many runs each paper has and how its claims stand.
#include "app/window/papers/paper_states.h"

#include "core/study/claims.h"

namespace assay {

QHash<QString, PaperState> readPaperStates(Log& log, const QStringList& plugins) {
  QHash<QString, PaperState> states;
  for (const auto& [plugin, runs] : log.runs_per_plugin()) {
    states[QString::fromStdString(plugin)].runs = runs;
  }
  for (const QString& plugin : plugins) {
    PaperState& state = states[plugin];
    for (const StoredClaim& claim : log.claims(plugin.toStdString())) {
      ++state.checked;
      if (claim.result.value("verdict", "") == to_string(Verdict::reproduced)) ++state.reproduced;
    }
  }
  return states;
}

}  // namespace assay
