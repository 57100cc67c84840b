// How long this process has existed, and from Start to the first metric.
#include "app/window/process_times.h"

#include <fmt/core.h>
#include <unistd.h>

#include <QFile>
#include <QSet>
#include <QTimer>

#include "app/window/runner_pool.h"
#include "app/window/workbench.h"
#include "core/base/process.h"

namespace assay {

bool timingsWanted() {
  return qEnvironmentVariableIntValue("ASSAY_PRINT_TIMINGS") != 0;
}

double secondsSinceProcessStart() {
  QFile uptime("/proc/uptime");
  if (!uptime.open(QIODevice::ReadOnly)) return 0.0;
  const double now = uptime.readAll().split(' ').value(0).toDouble();
  return now - static_cast<double>(this_process().start_ticks) /
                   static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void printTiming(const char* name, double seconds) {
  fmt::print(stderr, "{} {:.2f} s\n", name, seconds);
}

void printFirstMetrics(Workbench& workbench) {
  auto* watched = new QHash<qint64, double>;  // run id, time of Start
  QObject::connect(&workbench, &QObject::destroyed, [watched] { delete watched; });
  QObject::connect(&workbench.runners(), &RunnerPool::started, &workbench,
                   [watched](qint64 run) { watched->insert(run, now_seconds()); });
  QObject::connect(&workbench, &Workbench::logChanged, &workbench, [watched, &workbench] {
    for (const qint64 run : watched->keys()) {
      if (workbench.log().metrics(run).empty()) continue;
      const double begun = watched->take(run);
      QTimer::singleShot(0, [begun] { printTiming("first metric", now_seconds() - begun); });
    }
  });
}

}  // namespace assay
