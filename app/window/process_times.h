// How long this process has existed, for the figures that ASSAY_PRINT_TIMINGS=1 prints.
#pragma once

#include <QObject>
#include <QString>

namespace assay {

class Workbench;

bool timingsWanted();
// Since the kernel made the process: loading of libraries included. Good to 10 ms.
double secondsSinceProcessStart();
void printTiming(const char* name, double seconds);  // "first paint 0.23 s", on standard error
// Watches runs from Start to their first metric in the log and prints "first metric 0.31 s", once
// the page that shows it has been painted.
void printFirstMetrics(Workbench& workbench);

}  // namespace assay
