// From "so many done" to a rate and an estimate of what is left.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace assay {

struct ProgressReport {
  std::int64_t done = 0, total = 0;  // total 0: unknown
  std::string text;
  double per_second = 0.0;
  std::optional<double> eta_seconds;
};

// The rate is that of the last 15 s of this attempt, so that a resumed run doesn't count the part
// it didn't do, and a slow start doesn't spoil the estimate for ever.
class ProgressMeter {
 public:
  // `now`: seconds of any steady clock. Returns a report when one is due: 200 ms after the last, or
  // at once when the work is complete.
  std::optional<ProgressReport> update(std::int64_t done, std::int64_t total, std::string_view text,
                                       double now);
  // The latest state, due or not; none before the first update.
  std::optional<ProgressReport> latest() const { return latest_; }

 private:
  struct Sample {
    double time = 0.0;
    std::int64_t done = 0;
  };
  std::deque<Sample> samples_;
  std::optional<ProgressReport> latest_;
  double reported_ = -1e9;
};

}  // namespace assay
