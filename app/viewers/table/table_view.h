// A table to read, sort and take along: numbers by value, copy as TSV or Markdown, export as CSV.
#pragma once

#include <QTableView>

#include "app/viewers/table/grid_model.h"
#include "core/formats/table.h"

class QSortFilterProxyModel;

namespace assay {

class TableView : public QTableView {
  Q_OBJECT
 public:
  explicit TableView(QWidget* parent = nullptr);
  void setColumns(QVector<GridColumn> columns);
  void setRows(QVector<QVector<GridCell>> rows);
  // A CSV table: columns of numbers only are numeric.
  void setTable(const Table& table);
  GridModel& grid() { return *grid_; }
  // As high as its rows, up to `most` (0: without a bound), so that it stands in a page that
  // scrolls.
  void setFitsContents(bool fits, int most = 0);
  void setSortable(bool sortable);
  void setStretchedColumn(int column);  // takes the width that is left; the first unless told
  // Of the selection when it spans more than one cell, else of everything; as sorted now.
  QString toTsv() const;
  QString toMarkdown() const;
  QString toCsv() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void rowActivated(int row);  // of the rows as given, not as sorted

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  Table chosen() const;
  void sizeColumns();
  GridModel* grid_;
  QSortFilterProxyModel* order_;
  bool fits_ = false;
  int stretched_ = 0;
  int most_ = 0;
};

// For other tables that copy: tab-separated and Markdown text of a table.
QString tableToTsv(const Table& table);
QString tableToMarkdown(const Table& table, const std::vector<bool>& numeric = {});

}  // namespace assay
