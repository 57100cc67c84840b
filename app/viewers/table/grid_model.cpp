// See grid_model.h.
#include "app/viewers/table/grid_model.h"

#include "app/viewers/theme.h"

namespace assay {

void GridModel::setColumns(QVector<GridColumn> columns) {
  beginResetModel();
  columns_ = std::move(columns);
  rows_.clear();
  endResetModel();
}

void GridModel::setRows(QVector<QVector<GridCell>> rows) {
  if (rows.size() != rows_.size()) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
    return;
  }
  for (qsizetype i = 0; i < rows.size(); ++i) {
    if (rows[i] == rows_[i]) continue;
    rows_[i] = std::move(rows[i]);
    const int row = static_cast<int>(i);
    emit dataChanged(index(row, 0), index(row, columnCount() - 1));
  }
}

int GridModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int GridModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant GridModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.column() >= rows_[index.row()].size()) return {};
  const GridCell& cell = rows_[index.row()][index.column()];
  switch (role) {
    case Qt::DisplayRole:
      return cell.text;
    case Qt::ToolTipRole:
      return cell.tip.isEmpty() ? QVariant() : QVariant(cell.tip);
    case Qt::TextAlignmentRole: {
      const bool right = columns_[index.column()].numeric;
      return QVariant::fromValue(Qt::Alignment(right ? Qt::AlignRight : Qt::AlignLeft) |
                                 Qt::AlignVCenter);
    }
    case Qt::ForegroundRole:
      if (cell.color.isValid()) return cell.color;
      return cell.faint ? QVariant(Theme::of().tokens().faint) : QVariant();
    case Qt::FontRole:
      return cell.strong ? QVariant(Theme::font(13, 600)) : QVariant();
    case sort_role:
      return cell.number ? QVariant(*cell.number) : QVariant(cell.text);
    default:
      return {};
  }
}

QVariant GridModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns_.size()) return {};
  const GridColumn& column = columns_[section];
  if (role == Qt::DisplayRole) return column.title;
  if (role == Qt::ToolTipRole && !column.tip.isEmpty()) return column.tip;
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::Alignment(column.numeric ? Qt::AlignRight : Qt::AlignLeft) |
                               Qt::AlignVCenter);
  }
  return {};
}

}  // namespace assay
