#include "core/engine/progress_meter.h"

namespace assay {
namespace {
constexpr double window_seconds = 15.0;
constexpr double sample_seconds = 0.1;
constexpr double report_seconds = 0.2;
// An estimate from less than this would only flicker.
constexpr double settle_seconds = 0.5;
}  // namespace

std::optional<ProgressReport> ProgressMeter::update(std::int64_t done, std::int64_t total,
                                                    std::string_view text, double now) {
  const bool restarted = latest_ && (done < latest_->done || total != latest_->total);
  if (restarted) samples_.clear();  // another phase with its own units
  if (samples_.empty() || now - samples_.back().time >= sample_seconds) {
    samples_.push_back({now, done});
  }
  while (samples_.size() > 2 && now - samples_.front().time > window_seconds) samples_.pop_front();

  ProgressReport report{done, total, std::string(text), 0.0, std::nullopt};
  const double elapsed = now - samples_.front().time;
  if (elapsed > 0.0) {
    report.per_second = static_cast<double>(done - samples_.front().done) / elapsed;
  }
  if (total > 0 && elapsed >= settle_seconds && report.per_second > 0.0) {
    report.eta_seconds = static_cast<double>(total - done) / report.per_second;
  }
  latest_ = report;

  const bool complete = total > 0 && done >= total;
  if (!complete && now - reported_ < report_seconds) return std::nullopt;
  reported_ = now;
  return report;
}

}  // namespace assay
