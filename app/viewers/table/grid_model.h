// Rows of cells as a Qt model: text to show, a number to sort by, a tone.
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QString>
#include <QVector>
#include <optional>

namespace assay {

struct GridColumn {
  QString title;
  bool numeric = false;  // right-aligned, tabular figures
  QString tip;
};

struct GridCell {
  QString text;
  std::optional<double> number;  // sorts by it when set; NaN last
  QColor color;                  // invalid: ink
  bool strong = false;
  bool faint = false;  // "not set"
  QString tip;
  bool operator==(const GridCell&) const = default;
};

class GridModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  static constexpr int sort_role = Qt::UserRole + 1;
  using QAbstractTableModel::QAbstractTableModel;
  void setColumns(QVector<GridColumn> columns);
  // Rows that are as before cost nothing; a table of the same length keeps selection and place.
  void setRows(QVector<QVector<GridCell>> rows);
  const QVector<GridColumn>& columns() const { return columns_; }
  const QVector<QVector<GridCell>>& rows() const { return rows_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QVector<GridColumn> columns_;
  QVector<QVector<GridCell>> rows_;
};

}  // namespace assay
