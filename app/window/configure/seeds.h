// "1", "1-5", "1,2,7": the seeds of a run and its repeats.
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

namespace assay {

struct Seeds {
  std::vector<std::uint64_t> values;  // in the order given, each once
  QString problem;                    // not empty: what is wrong and what is allowed
};
Seeds readSeeds(const QString& text);

}  // namespace assay
