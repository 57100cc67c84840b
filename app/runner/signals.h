// SIGINT, SIGTERM and SIGHUP as a wish to stop.
#pragma once

namespace assay {

// The first signal only sets a flag, which the engine sees at the next step boundary; the second
// one ends the process at once, as it would without us. SIGPIPE is ignored: a run outlives whoever
// reads its output.
void install_stop_signals();
bool stop_signalled();

}  // namespace assay
