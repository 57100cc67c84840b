// Where a number comes from: build, source, machine, libraries, threads, seeds, data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace assay {

// Commit, dirty flag and patch of the source tree at build time (written by cmake/AssayProvenance),
// compiler, flags, build type, Assay's version.
Json build_provenance();
// Host name, CPU model, cores, memory, kernel, distribution, boot id.
Json machine_provenance();
// Versions of the libraries linked into this process that are asked for here (SQLite, zlib, ...);
// those of LibTorch are added by core/torch.
Json library_provenance();
// All of the above, plus command line, working directory, time, thread counts.
Json provenance(int threads);

// The seed tree: every generator's seed is derived from the run's root seed and its own name, so
// adding one never shifts another. SplitMix64 over root ^ FNV-1a(name).
std::uint64_t derive_seed(std::uint64_t root, std::string_view name);

}  // namespace assay
