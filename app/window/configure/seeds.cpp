// "1", "1-5", "1,2,7": the seeds of a run and its repeats.
#include "app/window/configure/seeds.h"

#include <QStringList>
#include <algorithm>

namespace assay {
namespace {

constexpr std::size_t seedsAllowed = 1000;

}  // namespace

Seeds readSeeds(const QString& text) {
  Seeds seeds;
  const auto refuse = [&](const QString& part) {
    return Seeds{{},
                 QString("Seeds: \"%1\" is not understood; allowed: whole numbers from 0 on, as "
                         "1, 1-5 or 1,2,7")
                     .arg(part)};
  };
  const auto add = [&](std::uint64_t seed) {
    if (std::find(seeds.values.begin(), seeds.values.end(), seed) == seeds.values.end()) {
      seeds.values.push_back(seed);
    }
  };
  if (text.trimmed().isEmpty()) return refuse({});
  for (const QString& given : text.split(',')) {
    const QString part = given.trimmed();
    const QStringList ends = part.split('-');
    bool firstOk = false;
    bool lastOk = false;
    const std::uint64_t first = ends.front().trimmed().toULongLong(&firstOk);
    const std::uint64_t last = ends.back().trimmed().toULongLong(&lastOk);
    if (ends.size() > 2 || !firstOk || !lastOk || last < first) return refuse(part);
    if (last - first >= seedsAllowed || seeds.values.size() + (last - first) >= seedsAllowed) {
      return {{}, QString("Seeds: at most %1 at once").arg(seedsAllowed)};
    }
    for (std::uint64_t offset = 0; offset <= last - first; ++offset) add(first + offset);
  }
  return seeds;
}

}  // namespace assay
