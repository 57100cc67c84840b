// The Runs table's rows: asked of a worker, and merged so that nothing jumps.
#include <algorithm>

#include "app/window/log_worker.h"
#include "app/window/runs/run_table_model.h"
#include "app/window/workbench.h"
#include "core/base/error.h"
#include "core/base/process.h"

namespace assay {
namespace {

constexpr double shortestPause = 0.2;  // seconds between two readings
constexpr double pausePerRead = 5.0;   // a large log is read for a sixth of the time at most
constexpr int rangesMost = 64;         // beyond it, resetting is quicker than telling each range

}  // namespace

void RunTableModel::setColumns(const QList<RunColumn>& columns) {
  beginResetModel();
  columns_ = columns;
  query_.metrics.clear();
  query_.parameters.clear();
  for (const RunColumn& column : columns) {
    if (column.kind == RunColumn::Kind::metric) query_.metrics.push_back(column.key.toStdString());
    if (column.kind == RunColumn::Kind::parameter) {
      query_.parameters.push_back(column.key.toStdString());
    }
  }
  for (RunRow& row : rows_) {  // what was read was in the order of the columns before
    row.metrics.clear();
    row.parameters.clear();
  }
  endResetModel();
  read();
}

void RunTableModel::setFilter(const QString& filter) {
  query_.filter = filter.toStdString();
  read();
}

void RunTableModel::setTrash(bool trash) {
  query_.trash = trash ? RunQuery::Trash::trashed : RunQuery::Trash::living;
  read();
}

void RunTableModel::sort(int column, Qt::SortOrder order) {
  const std::string key =
      column >= 0 && column < columnCount() ? columns_[column].sortKey() : std::string();
  query_.sort = key.empty() ? "created" : key;
  query_.descending = order == Qt::DescendingOrder || key.empty();
  read();
}

void RunTableModel::refresh() {
  const double pause = std::max(shortestPause, last_read_ * pausePerRead);
  const double since =
      since_read_.isValid() ? static_cast<double>(since_read_.elapsed()) / 1000.0 : pause;
  if (since >= pause) {
    read();
  } else if (!refresh_timer_.isActive()) {
    refresh_timer_.start(static_cast<int>((pause - since) * 1000.0) + 1);
  }
}

void RunTableModel::read() {
  since_read_.start();
  workbench_.worker().ask(
      this, "runs",
      [query = query_](Log& log) {
        Reading reading;
        const double begun = now_seconds();
        try {
          reading.rows = log.runs(query);
        } catch (const Error& error) {
          if (error.kind() != ErrorKind::bad_input) throw;
          reading.fault = QString::fromUtf8(error.what());
        }
        reading.seconds = now_seconds() - begun;
        return reading;
      },
      [this](Reading reading) {
        last_read_ = reading.seconds;
        if (!reading.fault.isEmpty()) {
          emit filterRefused(reading.fault);
          return;
        }
        merge(std::move(reading.rows));
        emit loaded();
      });
}

void RunTableModel::reindex() {
  row_of_.clear();
  row_of_.reserve(static_cast<qsizetype>(rows_.size()));
  for (int row = 0; row < rowCount(); ++row) {
    row_of_.insert(rows_[static_cast<std::size_t>(row)].run.id, row);
  }
}

void RunTableModel::merge(std::vector<RunRow> rows) {
  removeMissing(rows);
  reorder(rows);
  insertNew(rows);
  rows_ = std::move(rows);
  reindex();
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunTableModel::removeMissing(const std::vector<RunRow>& rows) {
  QSet<qint64> kept;
  kept.reserve(static_cast<qsizetype>(rows.size()));
  for (const RunRow& row : rows) kept.insert(row.run.id);
  const auto gone = [&](int row) {
    return !kept.contains(rows_[static_cast<std::size_t>(row)].run.id);
  };
  QList<QPair<int, int>> ranges;  // from the end
  for (int last = rowCount() - 1; last >= 0; --last) {
    if (!gone(last)) continue;
    int first = last;
    while (first > 0 && gone(first - 1)) --first;
    ranges.append({first, last});
    last = first;
  }
  if (ranges.size() > rangesMost) {
    beginResetModel();
    std::erase_if(rows_, [&](const RunRow& row) { return !kept.contains(row.run.id); });
    endResetModel();
    return;
  }
  for (const auto& [first, last] : ranges) {
    beginRemoveRows({}, first, last);
    rows_.erase(rows_.begin() + first, rows_.begin() + last + 1);
    endRemoveRows();
  }
}

// The rows that stay, in their new order; selection and current row go with them.
void RunTableModel::reorder(const std::vector<RunRow>& rows) {
  reindex();
  std::vector<int> order;  // old rows in new order
  order.reserve(rows_.size());
  for (const RunRow& row : rows) {
    const int old = rowOf(row.run.id);
    if (old >= 0) order.push_back(old);
  }
  if (std::is_sorted(order.begin(), order.end())) return;
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  std::vector<int> target(order.size());  // new row of each old one
  std::vector<RunRow> sorted;
  sorted.reserve(rows_.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    target[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    sorted.push_back(std::move(rows_[static_cast<std::size_t>(order[i])]));
  }
  rows_ = std::move(sorted);
  const QModelIndexList before = persistentIndexList();
  QModelIndexList after;
  after.reserve(before.size());
  for (const QModelIndex& old : before) {
    after.append(index(target[static_cast<std::size_t>(old.row())], old.column()));
  }
  changePersistentIndexList(before, after);
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void RunTableModel::insertNew(std::vector<RunRow>& rows) {
  reindex();
  QList<QPair<int, int>> ranges;
  const auto known = [&](std::size_t row) { return row_of_.contains(rows[row].run.id); };
  for (std::size_t first = 0; first < rows.size(); ++first) {
    if (known(first)) continue;
    std::size_t last = first;
    while (last + 1 < rows.size() && !known(last + 1)) ++last;
    ranges.append({static_cast<int>(first), static_cast<int>(last)});
    first = last;
  }
  if (ranges.size() > rangesMost) {
    beginResetModel();
    rows_ = rows;
    endResetModel();
    return;
  }
  for (const auto& [first, last] : ranges) {
    beginInsertRows({}, first, last);
    rows_.insert(rows_.begin() + first, rows.begin() + first, rows.begin() + last + 1);
    endInsertRows();
  }
}

}  // namespace assay
