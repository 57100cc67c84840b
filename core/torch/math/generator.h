// Random numbers from named seeds, never from hidden global state.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay {

at::Generator make_generator(std::uint64_t seed);  // on the CPU

// A permutation of 0..n-1 that depends on (seed, epoch) alone, so that a resumed run finds its
// order again without having kept it.
at::Tensor permutation(std::int64_t count, std::uint64_t seed, std::int64_t epoch);
// One seed out of a seed and a number (SplitMix64), for families of generators.
std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t number);

// LibTorch initialises modules from the default generator: while this lives that generator is
// seeded; afterwards it is as it was before.
class SeededInitialisation {
 public:
  explicit SeededInitialisation(std::uint64_t seed);
  ~SeededInitialisation();
  SeededInitialisation(const SeededInitialisation&) = delete;
  SeededInitialisation& operator=(const SeededInitialisation&) = delete;

 private:
  at::Tensor before_;
};

}  // namespace assay
