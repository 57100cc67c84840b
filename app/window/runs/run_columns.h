// The columns of the Runs table: what is read for them, how they look, how they sort.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include "core/log/log.h"

namespace assay {

class Workbench;

struct RunColumn {
  enum class Kind {
    star,
    state,
    name,
    paper,
    experiment,
    preset,
    changed,
    seed,
    duration,
    created,
    tags,
    notes,
    metric,
    parameter
  };
  Kind kind = Kind::name;
  QString key;  // of a metric or parameter
  QString title;
  bool operator==(const RunColumn&) const = default;
  // "name", "metric:loss", ...: for the settings, and what RunQuery sorts by (empty: can't sort).
  QString id() const;
  std::string sortKey() const;
  bool isNumber() const;
  int width() const;
};

// From an id of the settings; labels of metrics and parameters come from the manifests.
RunColumn columnFrom(const QString& id, const Workbench& workbench);
QList<RunColumn> defaultColumns(const Workbench& workbench);
// All that can be shown but for metrics and parameters.
QList<RunColumn> plainColumns();

}  // namespace assay
