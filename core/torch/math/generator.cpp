// Generators from seeds, and the guard around module initialisation.
#include "core/torch/math/generator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/types.h>

namespace assay {

at::Generator make_generator(std::uint64_t seed) {
  return at::make_generator<at::CPUGeneratorImpl>(seed);
}

std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed + (number + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

at::Tensor permutation(std::int64_t count, std::uint64_t seed, std::int64_t epoch) {
  return at::randperm(count, make_generator(mix_seed(seed, static_cast<std::uint64_t>(epoch))),
                      at::TensorOptions(at::kLong));
}

SeededInitialisation::SeededInitialisation(std::uint64_t seed) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  before_ = generator.get_state();
  generator.set_current_seed(seed);
}

SeededInitialisation::~SeededInitialisation() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_state(before_);
}

}  // namespace assay
