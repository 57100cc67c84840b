// Standard error: lines, and one progress line that is redrawn in place on a terminal.
#pragma once

#include <string>

#include "core/engine/progress_meter.h"

namespace assay {

class Console {
 public:
  Console();
  // "assay-run: <line>": a fault or a refusal.
  void fault(const std::string& line);
  void say(const std::string& line);
  // On a terminal redrawn in place; elsewhere a line every 10 s.
  void progress(const std::string& name, const ProgressReport& report);
  // Takes the progress line away.
  void clear();

 private:
  bool terminal_;
  bool drawn_ = false;
  double printed_ = 0.0;
};

// "1:05", "2:03:10"
std::string clock_text(double seconds);
// "2026-12-01 14:05" in local time.
std::string date_text(double seconds_since_1970);

}  // namespace assay
