#include "bench/bench_row.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>

#include "core/base/json.h"

namespace assay {

int bench_main(int argc, char** argv, const std::function<std::vector<BenchRow>()>& measure) {
  const bool as_json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
  try {
    const std::vector<BenchRow> rows = measure();
    Json all = Json::array();
    for (const BenchRow& row : rows) {
      all.push_back({{"name", row.name},
                     {"ours", number_to_json(row.ours)},
                     {"theirs", number_to_json(row.theirs)},
                     {"peer", row.peer},
                     {"unit", row.unit},
                     {"ratio", number_to_json(row.ratio)},
                     {"target", row.target},
                     {"met", row.met}});
      if (!as_json) {
        fmt::print("{:<34} {:>12.4g} {:>12.4g} {:<9} {:>8.2f}  {:<9} {:<4} against {}\n", row.name,
                   row.ours, row.theirs, row.unit, row.ratio, row.target, row.met ? "met" : "MISS",
                   row.peer);
      }
    }
    if (as_json) fmt::print("{}\n", all.dump(1));
    return 0;
  } catch (const std::exception& fault) {
    fmt::print(stderr, "{}: {}\n", argv[0], fault.what());
    return 3;
  }
}

BenchTime time_of(const std::function<void()>& work, int repeats) {
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), seconds[seconds.size() / 2]};
}

}  // namespace assay
