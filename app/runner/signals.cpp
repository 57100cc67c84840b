#include "app/runner/signals.h"

#include <signal.h>

#include <array>

namespace assay {
namespace {

constexpr std::array stop_signals = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t signalled = 0;  // a handler can reach nothing else

void on_signal(int) {
  signalled = 1;
  for (const int number : stop_signals) signal(number, SIG_DFL);
}

}  // namespace

void install_stop_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int number : stop_signals) sigaction(number, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

bool stop_signalled() {
  return signalled != 0;
}

}  // namespace assay
