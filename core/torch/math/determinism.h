// Threads and determinism of LibTorch, and the versions that the provenance records.
#pragma once

#include "core/base/json.h"

namespace assay {

// Sets intra-op threads (LibTorch's own default on Debian is 1), one inter-op thread, deterministic
// algorithms. Called once per process before any tensor is made.
void configure_torch(int threads);
// {"libtorch": "1.13.1", "parallel": "OpenMP", "blas": "...", "mkldnn": true, "threads": 2}
Json torch_libraries();

}  // namespace assay
