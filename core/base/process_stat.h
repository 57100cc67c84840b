// What /proc says about one process; shared by the files of core/base only.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/process.h"

namespace assay {

struct ProcessStat {
  char state = '?';              // R, S, D, T, Z (zombie), X (dead)
  std::int64_t start_ticks = 0;  // since boot
};
// None when there is no such process.
std::optional<ProcessStat> read_process_stat(std::int64_t pid);
// Of an existing process (also a zombie); start_ticks is 0 when it is gone already.
ProcessIdentity identity_of(std::int64_t pid);

}  // namespace assay
