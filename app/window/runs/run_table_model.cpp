// The rows of the Runs table: what is shown of each run.
#include "app/window/runs/run_table_model.h"

#include "app/viewers/theme.h"
#include "app/window/log_worker.h"
#include "app/window/widgets/looks.h"
#include "app/window/workbench.h"
#include "core/base/error.h"

namespace assay {
namespace {

constexpr int changedDelay = 20;  // milliseconds: what a scroll shows is asked for at once

QString changesOf(const ParameterSet& parameters) {
  QStringList changes;
  for (const auto& [key, parameter] : parameters.all()) {
    if (parameter.origin != Origin::file && parameter.origin != Origin::set) continue;
    changes << QString::fromStdString(key + " " + to_text(parameter.value));
  }
  return changes.join(", ");
}

}  // namespace

RunTableModel::RunTableModel(Workbench& workbench, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench) {
  changed_timer_.setSingleShot(true);
  changed_timer_.setInterval(changedDelay);
  connect(&changed_timer_, &QTimer::timeout, this, &RunTableModel::readChanged);
  refresh_timer_.setSingleShot(true);
  connect(&refresh_timer_, &QTimer::timeout, this, &RunTableModel::read);
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

const Run* RunTableModel::run(int row) const {
  return row >= 0 && row < rowCount() ? &rows_[static_cast<std::size_t>(row)].run : nullptr;
}

int RunTableModel::rowOf(std::int64_t id) const {
  return row_of_.value(id, -1);
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns_.size()) return {};
  const RunColumn& column = columns_[section];
  if (role == Qt::DisplayRole) return column.title;
  if (role == Qt::ToolTipRole && !column.key.isEmpty()) return column.key;
  if (role == Qt::TextAlignmentRole) {
    return QVariant((column.isNumber() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  return {};
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
  const RunRow& row = rows_[static_cast<std::size_t>(index.row())];
  const RunColumn& column = columns_[index.column()];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return text(row, column);
    case Qt::DecorationRole:
      return icon(row.run, column);
    case Qt::ToolTipRole:
      if (column.kind == RunColumn::Kind::state && !row.run.reason.empty()) {
        return QString::fromStdString(row.run.reason);
      }
      return column.kind == RunColumn::Kind::changed ? changedText(row.run) : QVariant();
    case Qt::ForegroundRole:
      if (column.kind == RunColumn::Kind::state) return toneColor(stateTone(row.run.state));
      if (column.kind == RunColumn::Kind::name) return {};
      return column.isNumber() ? QVariant() : QVariant(Theme::of().tokens().soft);
    case Qt::FontRole:
      return column.isNumber() ? QVariant(Theme::figures(13)) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant((column.isNumber() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
      if (column.kind == RunColumn::Kind::star) return row.run.starred ? "starred" : "not starred";
      return text(row, column);
    default:
      return {};
  }
}

QVariant RunTableModel::text(const RunRow& row, const RunColumn& column) const {
  const Run& run = row.run;
  using Kind = RunColumn::Kind;
  switch (column.kind) {
    case Kind::star:
      return {};
    case Kind::state:
      return stateWord(run.state);
    case Kind::name:
      return QString::fromStdString(run.name);
    case Kind::paper: {
      const Manifest* const plugin = workbench_.plugin(QString::fromStdString(run.plugin));
      return QString::fromStdString(plugin == nullptr || plugin->title.empty() ? run.plugin
                                                                               : plugin->title);
    }
    case Kind::experiment:
      return workbench_.experimentTitle(QString::fromStdString(run.plugin),
                                        QString::fromStdString(run.experiment));
    case Kind::preset:
      return QString::fromStdString(run.preset);
    case Kind::changed:
      return changedText(run);
    case Kind::seed:
      return QString::number(run.seed);
    case Kind::duration:
      return run.seconds > 0.0 ? durationText(run.seconds) : QString();
    case Kind::created:
      return momentText(run.created);
    case Kind::tags: {
      QStringList tags;
      for (const std::string& tag : run.tags) tags << QString::fromStdString(tag);
      return tags.join(", ");
    }
    case Kind::notes:
      return QString::fromStdString(run.notes).section('\n', 0, 0);
    case Kind::metric: {
      const auto place =
          std::find(query_.metrics.begin(), query_.metrics.end(), column.key.toStdString());
      const auto at = static_cast<std::size_t>(place - query_.metrics.begin());
      return at < row.metrics.size() && row.metrics[at] ? valueText(*row.metrics[at]) : QString();
    }
    case Kind::parameter: {
      const auto place =
          std::find(query_.parameters.begin(), query_.parameters.end(), column.key.toStdString());
      const auto at = static_cast<std::size_t>(place - query_.parameters.begin());
      return at < row.parameters.size() && row.parameters[at]
                 ? QString::fromStdString(to_text(*row.parameters[at]))
                 : QString();
    }
  }
  return {};
}

QVariant RunTableModel::icon(const Run& run, const RunColumn& column) const {
  const ThemeTokens& tokens = Theme::of().tokens();
  if (column.kind == RunColumn::Kind::state) {
    return Theme::of().icon(stateIcon(run.state), toneColor(stateTone(run.state)));
  }
  if (column.kind != RunColumn::Kind::star) return {};
  return run.starred ? Theme::of().icon("star-filled", tokens.caution)
                     : Theme::of().icon("star", tokens.line);
}

QString RunTableModel::changedText(const Run& run) const {
  const auto known = changed_.constFind(run.id);
  if (known != changed_.constEnd()) return *known;
  changed_wanted_.insert(run.id);
  if (!changed_timer_.isActive()) changed_timer_.start();
  return {};
}

// Parameters of a run never change, so each is read once.
void RunTableModel::readChanged() {
  const QSet<qint64> wanted = std::exchange(changed_wanted_, {});
  workbench_.worker().ask(
      this, {},
      [wanted](Log& log) {
        QHash<qint64, QString> changes;
        for (const qint64 id : wanted) changes.insert(id, changesOf(log.parameter_set(id)));
        return changes;
      },
      [this](const QHash<qint64, QString>& changes) {
        changed_.insert(changes);
        for (int c = 0; c < columnCount(); ++c) {
          if (columns_[c].kind != RunColumn::Kind::changed || rows_.empty()) continue;
          emit dataChanged(index(0, c), index(rowCount() - 1, c), {Qt::DisplayRole});
        }
      });
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.isValid() && columns_[index.column()].kind == RunColumn::Kind::name && !showsTrash()) {
    flags |= Qt::ItemIsEditable;
  }
  return flags;
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const Run* const shown = run(index.row());
  const QString name = value.toString().trimmed();
  if (role != Qt::EditRole || shown == nullptr || name.isEmpty()) return false;
  if (columns_[index.column()].kind != RunColumn::Kind::name) return false;
  try {
    workbench_.log().rename(shown->id, name.toStdString());
  } catch (const Error& error) {
    workbench_.sayError(QString::fromUtf8(error.what()));
    return false;
  }
  rows_[static_cast<std::size_t>(index.row())].run.name = name.toStdString();
  emit dataChanged(index, index);
  return true;
}

}  // namespace assay
