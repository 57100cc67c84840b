// The rows of the Runs table. Read by a worker; a new reading is merged in, so that selection,
// current row and scroll position stay.
#pragma once

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QTimer>

#include "app/window/runs/run_columns.h"

namespace assay {

class Workbench;

class RunTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit RunTableModel(Workbench& workbench, QObject* parent = nullptr);

  void setColumns(const QList<RunColumn>& columns);
  const QList<RunColumn>& columns() const { return columns_; }
  void setFilter(const QString& filter);
  void setTrash(bool trash);
  bool showsTrash() const { return query_.trash == RunQuery::Trash::trashed; }
  // Asks for a new reading; while the log changes all the time at most as often as it can be read.
  void refresh();

  const Run* run(int row) const;
  int rowOf(std::int64_t id) const;  // -1: not shown

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  void sort(int column, Qt::SortOrder order) override;
  double lastReadSeconds() const { return last_read_; }

 signals:
  void filterRefused(const QString& reason);  // the rows stay as they were
  void loaded();                              // a reading has been merged

 private:
  struct Reading {
    std::vector<RunRow> rows;
    QString fault;
    double seconds = 0.0;
  };
  void read();
  void merge(std::vector<RunRow> rows);
  void removeMissing(const std::vector<RunRow>& rows);
  void reorder(const std::vector<RunRow>& rows);
  void insertNew(std::vector<RunRow>& rows);
  void reindex();
  QVariant text(const RunRow& row, const RunColumn& column) const;
  QVariant icon(const Run& run, const RunColumn& column) const;
  QString changedText(const Run& run) const;  // read when first shown
  void readChanged();

  Workbench& workbench_;
  QList<RunColumn> columns_;
  RunQuery query_;
  std::vector<RunRow> rows_;
  QHash<qint64, int> row_of_;
  mutable QHash<qint64, QString> changed_;
  mutable QSet<qint64> changed_wanted_;
  mutable QTimer changed_timer_;
  QTimer refresh_timer_;
  QElapsedTimer since_read_;
  double last_read_ = 0.0;
};

}  // namespace assay
