// Numbers, durations, sizes and times as people read them.
#pragma once

#include <QString>
#include <cstdint>

namespace assay {

// Four significant figures, thousands separated: "0.8731", "3,968", "1.204e-05", "nan", "inf".
QString formatNumber(double value, int significant = 4);
QString formatCount(std::int64_t value);                  // "1,240"
QString formatSigned(double value, int significant = 3);  // "+0.071", "−0.004"
QString formatDuration(double seconds);                   // "41 s", "2 min 05 s", "3 h 12 min"
QString formatBytes(std::uint64_t bytes);                 // "4.1 MiB"
QString formatClock(double secondsSince1970);             // "14:02:11", local time
QString formatDate(double secondsSince1970);              // "2026-12-01 14:02"
QString formatP(double p);                                // "0.008", "< 0.001"
// Decimals so that the interval's half width shows two figures: "0.874 ± 0.006".
QString formatInterval(double mean, double halfWidth);

}  // namespace assay
