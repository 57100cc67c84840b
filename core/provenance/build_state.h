// What was built, from what: the two structures that cmake/AssayProvenance.cmake fills in.
#pragma once

namespace assay {

// The git state of the source tree when it was built.
struct SourceState {
  const char* commit;     // 40 hexadecimal digits, or "unknown" without git
  bool known;             // false: built from an archive, nothing is known of local changes
  bool dirty;             // tracked files changed, or files git does not know
  bool patch_truncated;   // only the first 256 KiB are kept
  const char* patch;      // git diff HEAD
  const char* untracked;  // names, a line each
};
const SourceState& source_state();

// How it was built.
struct BuildFacts {
  const char* version;
  const char* compiler;  // "GNU 12.2.0"
  const char* flags;
  const char* build_type;
  const char* system;  // "Linux x86_64"
};
const BuildFacts& build_facts();

}  // namespace assay
