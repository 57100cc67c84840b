// One line of a benchmark table: our figure, a peer's or a limit's, measured in the same run.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace assay {

struct BenchRow {
  std::string name;     // "log.write"
  double ours = 0.0;
  double theirs = 0.0;  // the peer's figure, or the bar where there is no peer
  std::string peer;     // what it is compared with
  std::string unit;
  double ratio = 0.0;   // theirs against ours so that larger is better for us
  std::string target;   // ">= 0.5"
  bool met = false;
};

// The main of a benchmark program: prints `measure()` as a table, or as JSON with --json.
int bench_main(int argc, char** argv, const std::function<std::vector<BenchRow>()>& measure);

// Seconds of the fastest and of the median of `repeats` calls.
struct BenchTime {
  double fastest = 0.0;
  double median = 0.0;
};
BenchTime time_of(const std::function<void()>& work, int repeats);

}  // namespace assay
