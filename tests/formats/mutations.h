// Bounded, deterministic damage: every reader must either read what a mutation made of a good file
// or refuse it with an assay::Error; no other exception, no crash, no unbounded memory.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace assay::test {

using Bytes = std::vector<std::uint8_t>;

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  // One to four changes of `good`, or a cut.
  Bytes mutate(const Bytes& good) {
    Bytes bytes = good;
    const std::uint32_t changes = 1 + below(4);
    for (std::uint32_t i = 0; i < changes && !bytes.empty(); ++i) change(bytes);
    return bytes;
  }

 private:
  std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  void change(Bytes& bytes) {
    const std::size_t at = below(bytes.size());
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(7)) {
      case 0:
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1U << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<std::uint8_t>(below(256));
        break;
      case 2: {  // a number at the edge of its range, in either byte order by chance
        constexpr std::uint8_t edges[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
        const std::size_t width = std::size_t{1} << below(4);
        const std::uint8_t edge = edges[below(5)];
        for (std::size_t i = at; i < std::min(at + width, bytes.size()); ++i) bytes[i] = edge;
        break;
      }
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.erase(place);
        break;
      case 5:
        bytes.insert(place, 1 + below(16), static_cast<std::uint8_t>(below(256)));
        break;
      default: {  // a copy of another part
        const std::size_t from = below(bytes.size());
        const std::size_t count =
            std::min<std::size_t>(1 + below(32), bytes.size() - std::max(from, at));
        std::copy_n(Bytes(bytes).begin() + static_cast<std::ptrdiff_t>(from), count, place);
        break;
      }
    }
  }

  std::mt19937 random_;
};

struct Survival {
  int read = 0, refused = 0;
  std::string fault;  // the first exception that is no assay::Error
};

// Reads `iterations` mutations of `good` by `reader(bytes)`.
template <typename Reader>
Survival survive(const Bytes& good, int iterations, Reader reader, std::uint32_t seed = 1) {
  Survival result;
  Mutator mutator(seed);
  for (int i = 0; i < iterations; ++i) {
    try {
      reader(mutator.mutate(good));
      ++result.read;
    } catch (const Error& error) {
      ++result.refused;
      if (std::string(error.what()).find("hostile") == std::string::npos)
        return {result.read, result.refused,
                "iteration " + std::to_string(i) + ": names no file: " + error.what()};
    } catch (const std::exception& fault) {
      return {result.read, result.refused, "iteration " + std::to_string(i) + ": " + fault.what()};
    }
  }
  return result;
}

// Lets allocations beyond `bytes` fail with bad_alloc, which survive() reports. Not under the
// address sanitizer, which reserves terabytes of addresses.
inline void limit_memory(std::uint64_t bytes) {
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
#else
  (void)bytes;
#endif
}

}  // namespace assay::test
