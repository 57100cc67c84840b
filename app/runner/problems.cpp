#include "app/runner/problems.h"

#include <fmt/core.h>

#include <charconv>

namespace assay {

std::uint64_t whole_number(const std::string& key, const std::string& text, std::uint64_t minimum,
                           std::uint64_t maximum, std::uint64_t fallback,
                           std::vector<std::string>& problems) {
  if (text.empty()) return fallback;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  const bool number = fault == std::errc() && stop == end;
  if (number && value >= minimum && value <= maximum) return value;
  problems.push_back(fmt::format("{}: {} is {}; allowed: whole numbers from {} to {}", key, text,
                                 number ? "out of range" : "no whole number in range", minimum,
                                 maximum));
  return fallback;
}

int thread_count(const std::string& text) {
  std::vector<std::string> problems;
  const auto threads = whole_number("threads", text, 1, 1024, 0, problems);
  if (!problems.empty()) throw Problems(std::move(problems));
  return static_cast<int>(threads);
}

}  // namespace assay
