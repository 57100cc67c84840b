// Build provenance and the seed tree.
#include "core/base/sha256.h"
#include "core/provenance/build_state.h"
#include "core/provenance/provenance.h"

namespace assay {

Json build_provenance() {
  const SourceState& source = source_state();
  const BuildFacts& facts = build_facts();
  Json build = {{"version", facts.version},       {"commit", source.commit},
                {"compiler", facts.compiler},     {"flags", facts.flags},
                {"build_type", facts.build_type}, {"system", facts.system}};
  build["dirty"] = source.known ? Json(source.dirty) : Json(nullptr);
  if (source.dirty) {
    // The patch may hold a file of any encoding; JSON holds UTF-8 alone.
    build["patch"] = source.patch;
    build["patch_sha256"] = sha256_of(source.patch);
    build["patch_truncated"] = source.patch_truncated;
    build["untracked"] = source.untracked;
  }
  // dump() with `replace` and back turns invalid bytes into U+FFFD here and not in a caller's face.
  return Json::parse(build.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::uint64_t derive_seed(std::uint64_t root, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, 64 bits
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  std::uint64_t z = (root ^ hash) + 0x9e3779b97f4a7c15U;  // one step of SplitMix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace assay
