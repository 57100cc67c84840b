// The columns of the Runs table.
#include "app/window/runs/run_columns.h"

#include <array>

#include "app/window/workbench.h"

namespace assay {
namespace {

struct Plain {
  RunColumn::Kind kind;
  const char *id, *title, *sort;
  int width;
};
using Kind = RunColumn::Kind;
constexpr std::array<Plain, 12> plain = {{
    {Kind::star, "star", "", "starred", 34},
    {Kind::state, "state", "State", "state", 104},
    {Kind::name, "name", "Name", "name", 160},
    {Kind::paper, "paper", "Paper", "plugin", 124},
    {Kind::experiment, "experiment", "Experiment", "experiment", 130},
    {Kind::preset, "preset", "Preset", "preset", 90},
    {Kind::changed, "changed", "Changed", "", 130},
    {Kind::seed, "seed", "Seed", "seed", 60},
    {Kind::duration, "duration", "Duration", "seconds", 88},
    {Kind::created, "created", "Created", "created", 92},
    {Kind::tags, "tags", "Tags", "tags", 120},
    {Kind::notes, "notes", "Notes", "notes", 180},
}};

const Plain* plainOf(RunColumn::Kind kind) {
  for (const Plain& each : plain) {
    if (each.kind == kind) return &each;
  }
  return nullptr;
}

QString metricTitle(const QString& key, const Workbench& workbench) {
  for (const Manifest& plugin : workbench.plugins()) {
    for (const ExperimentSpec& experiment : plugin.experiments) {
      const MetricSpec* const spec = experiment.metric(key.toStdString());
      // A pattern's label would stand over several columns.
      if (spec != nullptr && spec->key == key.toStdString())
        return QString::fromStdString(spec->label);
    }
  }
  return key;
}

QString parameterTitle(const QString& key, const Workbench& workbench) {
  for (const Manifest& plugin : workbench.plugins()) {
    for (const ExperimentSpec& experiment : plugin.experiments) {
      const ParameterSpec* const spec = experiment.parameter(key.toStdString());
      if (spec != nullptr) return QString::fromStdString(spec->label);
    }
  }
  return key;
}

}  // namespace

QString RunColumn::id() const {
  if (kind == Kind::metric) return "metric:" + key;
  if (kind == Kind::parameter) return "param:" + key;
  return plainOf(kind)->id;
}

std::string RunColumn::sortKey() const {
  const Plain* const known = plainOf(kind);
  return known == nullptr ? id().toStdString() : known->sort;
}

bool RunColumn::isNumber() const {
  return kind == Kind::metric || kind == Kind::seed || kind == Kind::duration;
}

int RunColumn::width() const {
  const Plain* const known = plainOf(kind);
  return known == nullptr ? 110 : known->width;
}

RunColumn columnFrom(const QString& id, const Workbench& workbench) {
  if (id.startsWith("metric:")) {
    return {Kind::metric, id.mid(7), metricTitle(id.mid(7), workbench)};
  }
  if (id.startsWith("param:")) {
    return {Kind::parameter, id.mid(6), parameterTitle(id.mid(6), workbench)};
  }
  for (const Plain& each : plain) {
    if (id == each.id) return {each.kind, {}, each.title};
  }
  return {Kind::name, {}, "Name"};
}

QList<RunColumn> plainColumns() {
  QList<RunColumn> columns;
  for (const Plain& each : plain) columns.append({each.kind, {}, each.title});
  return columns;
}

QList<RunColumn> defaultColumns(const Workbench& workbench) {
  QList<RunColumn> columns;
  for (const char* id :
       {"star", "state", "name", "paper", "experiment", "changed", "duration", "created", "tags"}) {
    columns.append(columnFrom(id, workbench));
  }
  return columns;
}

}  // namespace assay
