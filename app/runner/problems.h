// Several things wrong with what the user gave, told all at once.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace assay {

// Ends a command with exit code 2 and one line per problem.
class Problems : public std::exception {
 public:
  explicit Problems(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  const std::vector<std::string>& lines() const { return lines_; }
  const char* what() const noexcept override {
    return lines_.empty() ? "bad input" : lines_.front().c_str();
  }

 private:
  std::vector<std::string> lines_;
};

// A whole number from the command line. Out of range or no number: a line in `problems`, and
// `fallback` is returned. Empty text is `fallback` without a problem.
std::uint64_t whole_number(const std::string& key, const std::string& text, std::uint64_t minimum,
                           std::uint64_t maximum, std::uint64_t fallback,
                           std::vector<std::string>& problems);

// --threads: 0 when not given. Throws Problems.
int thread_count(const std::string& text);

}  // namespace assay
