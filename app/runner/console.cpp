#include "app/runner/console.h"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "core/base/process.h"

namespace assay {
namespace {
constexpr double line_seconds = 10.0;
constexpr int bar_width = 24;

std::string bar(std::int64_t done, std::int64_t total) {
  const double part = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  const auto full = static_cast<std::size_t>(std::lround(part * bar_width));
  return fmt::format("[{}{}] {:3.0f} %", std::string(full, '#'), std::string(bar_width - full, '.'),
                     100.0 * part);
}

std::string describe(const std::string& name, const ProgressReport& report) {
  std::string line = name + "  ";
  if (report.total > 0) {
    line += fmt::format("{}  {}/{}", bar(report.done, report.total), report.done, report.total);
  } else {
    line += fmt::format("{} steps", report.done);
  }
  if (report.per_second > 0.0) line += fmt::format("  {:.3g}/s", report.per_second);
  if (report.eta_seconds) line += fmt::format("  {} left", clock_text(*report.eta_seconds));
  if (!report.text.empty()) line += "  " + report.text;
  return line;
}
}  // namespace

Console::Console() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Console::fault(const std::string& line) {
  say("assay-run: " + line);
}

void Console::say(const std::string& line) {
  clear();
  fmt::print(stderr, "{}\n", line);
}

void Console::progress(const std::string& name, const ProgressReport& report) {
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", describe(name, report));
    std::fflush(stderr);
    drawn_ = true;
    return;
  }
  const double now = now_seconds();
  if (now - printed_ < line_seconds) return;
  printed_ = now;
  fmt::print(stderr, "{}\n", describe(name, report));
}

void Console::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(0.0, std::ceil(seconds)));
  const std::int64_t hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string date_text(double seconds_since_1970) {
  const auto time = static_cast<std::time_t>(seconds_since_1970);
  std::tm local{};
  localtime_r(&time, &local);
  return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

}  // namespace assay
