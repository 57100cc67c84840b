// Makes a large log quickly: many runs with noisy curves, for benchmarks and tests of the window.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace assay {

struct BigLog {
  int runs = 10'000;
  std::int64_t points_per_run = 1'000;       // over four metrics
  std::int64_t long_run_points = 1'000'000;  // of one metric of one more run, "long run"; 0: none
  std::string plugin = "sample";
  std::string experiment = "descent";
};

// Ended runs (most of them finished, some failed, stopped or crashed) with parameters, tags, last
// and best values as a RunWriter would have left them. The directory should be new.
void make_big_log(const std::filesystem::path& directory, const BigLog& options = {});

}  // namespace assay
