// The fused activation against the same formula composed of LibTorch operations: time of forward
// and backward, and bytes alive between them, measured in one run with alternating repeats.
#include <ATen/Parallel.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <fmt/core.h>
#include <torch/torch.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "bench/bench_row.h"
#include "core/torch/math/determinism.h"
#include "plugins/curvature_tuning/model/ctu.h"

using namespace assay;

namespace {

constexpr int repeats = 7;
constexpr int threads = 2;

// Counts what LibTorch's CPU allocator hands out and gets back.
class LiveBytes : public c10::MemoryReportingInfoBase {
 public:
#if defined(TORCH_VERSION_MAJOR) && TORCH_VERSION_MAJOR >= 2
  void reportMemoryUsage(void*, std::int64_t size, size_t, size_t, c10::Device) override {
    bytes += size;
  }
#else
  void reportMemoryUsage(void*, std::int64_t size, std::int64_t, std::int64_t,
                         c10::Device) override {
    bytes += size;
  }
#endif
  bool memoryProfilingEnabled() const override {
    return true;
  }
  std::atomic<std::int64_t> bytes{0};
};

struct Case {
  at::Tensor x, beta, c, weight;
};
using Unit = std::function<at::Tensor(const Case&)>;

// Bytes alive after the forward pass for the backward one's sake: all that was allocated (the
// output is the caller's and not counted), and the input, which both forms keep.
double bytes_held(const Unit& unit, const Case& given) {
  const auto live = std::make_shared<LiveBytes>();
  const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, live);
  const at::Tensor y = unit(given);
  return static_cast<double>(live->bytes) - static_cast<double>(y.nbytes()) +
         static_cast<double>(given.x.nbytes());
}

double seconds_of(const Unit& unit, Case& given) {
  for (at::Tensor* tensor : {&given.x, &given.beta, &given.c})
    tensor->mutable_grad() = at::Tensor();
  const auto begin = std::chrono::steady_clock::now();
  unit(given).backward(given.weight);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void compare(const std::string& name, Case given, double faster, double smaller,
             std::vector<BenchRow>& rows) {
  const Unit fused = [](const Case& g) {
    return curvature_tuning::ctu(g.x, g.beta, g.c, curvature_tuning::AtOne::formula);
  };
  const Unit composed = [](const Case& g) {
    return curvature_tuning::ctu_composed(g.x, g.beta, g.c);
  };
  seconds_of(fused, given);  // warm: pages, thread pool
  std::vector<double> ours, theirs;
  for (int i = 0; i < repeats; ++i) {
    ours.push_back(seconds_of(fused, given));
    theirs.push_back(seconds_of(composed, given));
  }
  const double time_ratio = median(theirs) / median(ours);
  const std::string peer = "composed LibTorch operations";
  rows.push_back({"ctu." + name + ".time", median(ours), median(theirs), peer, "s", time_ratio,
                  fmt::format(">= {}", faster), time_ratio >= faster});
  const double held = bytes_held(fused, given), held_there = bytes_held(composed, given);
  const double byte_ratio = held_there / held;
  rows.push_back({"ctu." + name + ".held", held / 1e6, held_there / 1e6, peer, "MB", byte_ratio,
                  fmt::format(">= {}", smaller), byte_ratio >= smaller});
}

std::vector<BenchRow> measure() {
  configure_torch(threads);
  torch::manual_seed(1);
  const at::Tensor x = torch::randn({64, 64, 56, 56}) * 2;
  const at::Tensor weight = torch::randn_like(x);
  const auto leaf = [](at::Tensor tensor) { return tensor.detach().requires_grad_(true); };
  std::vector<BenchRow> rows;
  compare(
      "trainable",
      {leaf(x), leaf(torch::rand({1, 64, 1, 1}) * 0.9), leaf(torch::rand({1, 64, 1, 1})), weight},
      6.0, 5.0, rows);
  compare("shared", {leaf(x), leaf(torch::full({1}, 0.9)), leaf(torch::full({1}, 0.5)), weight},
          4.0, 5.0, rows);
  // Steering: beta and c are given, only x asks for a gradient; the composed form keeps less then.
  compare("steering", {leaf(x), torch::full({1}, 0.9), torch::full({1}, 0.5), weight}, 4.0, 3.0,
          rows);
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  return bench_main(argc, argv, measure);
}
