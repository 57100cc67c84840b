// What the fuzz programs share: a reader may return or throw assay::Error; anything else is a find.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"

#define ASSAY_FUZZ_READER(statement)                                                  \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    [[maybe_unused]] const std::vector<std::uint8_t> bytes(data, data + size);        \
    try {                                                                             \
      statement;                                                                      \
    } catch (const assay::Error&) {                                                   \
    }                                                                                 \
    return 0;                                                                         \
  }
