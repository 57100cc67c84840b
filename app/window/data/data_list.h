// Which data sets and weights are known: from manifests, from runs, from known folders, from the
// user.
#pragma once

#include <QList>

#include "app/window/data/data_entry.h"
#include "core/log/log.h"

namespace assay {

class Workbench;

struct UsedData {  // of the provenance of runs
  QString name, path, licence, checksum, plugin;
};
// Of the newest runs of each paper; may take a while.
QList<UsedData> readUsedData(Log& log);

QStringList addedPaths();
void setAddedPaths(const QStringList& paths);
// One entry for each path, and one for each that a manifest names without a path.
QList<DataEntry> knownData(const Workbench& workbench, const QList<UsedData>& used);

}  // namespace assay
