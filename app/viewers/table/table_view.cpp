// See table_view.h.
#include "app/viewers/table/table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <cmath>

#include "app/viewers/theme.h"
#include "core/base/error.h"
#include "core/base/files.h"

namespace assay {
namespace {

constexpr int row_height = 32;

// Numbers by value, before text by word; what is not a number stands last in either direction.
class GridOrder : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
    const QVariant a = left.data(GridModel::sort_role), b = right.data(GridModel::sort_role);
    const bool a_number = a.typeId() == QMetaType::Double;
    const bool b_number = b.typeId() == QMetaType::Double;
    if (a_number != b_number) return a_number;
    if (!a_number) return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
    const double x = a.toDouble(), y = b.toDouble();
    if (std::isnan(x) && std::isnan(y)) return false;
    if (std::isnan(x)) return sortOrder() == Qt::DescendingOrder;
    if (std::isnan(y)) return sortOrder() == Qt::AscendingOrder;
    return x < y;
  }
};

}  // namespace

QString tableToTsv(const Table& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    QStringList parts;
    for (const std::string& cell : cells) {
      parts << QString::fromStdString(cell)
                   .replace(QChar('\t'), QChar(' '))
                   .replace(QChar('\n'), QChar(' '));
    }
    return parts.join(QChar('\t'));
  };
  QStringList lines{line(table.columns)};
  for (const auto& row : table.rows) lines << line(row);
  return lines.join(QChar('\n')) + QChar('\n');
}

QString tableToMarkdown(const Table& table, const std::vector<bool>& numeric) {
  const auto line = [](const std::vector<std::string>& cells) {
    QString text = QStringLiteral("|");
    for (const std::string& cell : cells) {
      QString part = QString::fromStdString(cell);
      part.replace(QLatin1String("\\"), QLatin1String("\\\\"));
      part.replace(QLatin1String("|"), QLatin1String("\\|"));
      part.replace(QLatin1String("\n"), QLatin1String("<br>"));
      text += QLatin1Char(' ') + part + QLatin1String(" |");
    }
    return text;
  };
  QStringList lines{line(table.columns)};
  QString rule = QStringLiteral("|");
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    rule += i < numeric.size() && numeric[i] ? QLatin1String(" ---: |") : QLatin1String(" --- |");
  }
  lines << rule;
  for (const auto& row : table.rows) lines << line(row);
  return lines.join(QChar('\n')) + QChar('\n');
}

TableView::TableView(QWidget* parent)
    : QTableView(parent), grid_(new GridModel(this)), order_(new GridOrder(this)) {
  order_->setSourceModel(grid_);
  setModel(order_);
  setShowGrid(false);
  setWordWrap(false);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setFont(Theme::font(13));
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(row_height);
  verticalHeader()->setMinimumSectionSize(24);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(56);
  setSortable(true);
  // The arrow takes room beside the title; without one, titles stand above their numbers.
  horizontalHeader()->setSortIndicatorShown(false);
  connect(horizontalHeader(), &QHeaderView::sectionClicked, this,
          [this]() { horizontalHeader()->setSortIndicatorShown(isSortingEnabled()); });
  connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this]() { updateGeometry(); });
  connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    emit rowActivated(order_->mapToSource(index).row());
  });
}

void TableView::setSortable(bool sortable) {
  setSortingEnabled(sortable);
  if (sortable) sortByColumn(-1, Qt::AscendingOrder);  // as given until asked
  horizontalHeader()->setSortIndicatorShown(false);
  horizontalHeader()->setSectionsClickable(sortable);
}

void TableView::setColumns(QVector<GridColumn> columns) {
  grid_->setColumns(std::move(columns));
  sizeColumns();
}

void TableView::setRows(QVector<QVector<GridCell>> rows) {
  const bool other_shape = rows.size() != grid_->rows().size();
  grid_->setRows(std::move(rows));
  if (!other_shape) return;
  sizeColumns();
  updateGeometry();
}

void TableView::setTable(const Table& table) {
  QVector<GridColumn> columns;
  std::vector<bool> numeric(table.columns.size(), !table.rows.empty());
  const auto number = [](const std::string& text) -> std::optional<double> {
    bool ok = false;
    const double value = QString::fromStdString(text).toDouble(&ok);
    return ok ? std::optional<double>(value) : std::nullopt;
  };
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size() && i < numeric.size(); ++i) {
      if (!row[i].empty() && !number(row[i])) numeric[i] = false;
    }
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    columns.append({QString::fromStdString(table.columns[i]), numeric[i], {}});
  }
  setColumns(columns);
  QVector<QVector<GridCell>> rows;
  for (const auto& row : table.rows) {
    QVector<GridCell> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      GridCell cell;
      cell.text = QString::fromStdString(row[i]);
      if (i < numeric.size() && numeric[i]) cell.number = number(row[i]);
      cells.append(cell);
    }
    rows.append(cells);
  }
  setRows(rows);
}

void TableView::setStretchedColumn(int column) {
  stretched_ = column;
  sizeColumns();
}

// The first column takes what is left; the others are as wide as they need to be, at most half.
void TableView::sizeColumns() {
  QHeaderView* header = horizontalHeader();
  const int count = grid_->columnCount();
  for (int i = 0; i < count; ++i) {
    header->setSectionResizeMode(
        i, i == stretched_ ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
  }
}

void TableView::setFitsContents(bool fits, int most) {
  fits_ = fits;
  most_ = most;
  setVerticalScrollBarPolicy(fits && most == 0 ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
  setSizePolicy(QSizePolicy::Expanding, fits ? QSizePolicy::Fixed : QSizePolicy::Expanding);
  updateGeometry();
}

QSize TableView::sizeHint() const {
  if (!fits_) return QTableView::sizeHint();
  int height = horizontalHeader()->sizeHint().height() + 2;
  for (int row = 0; row < order_->rowCount(); ++row) height += rowHeight(row);
  if (horizontalScrollBar()->maximum() > 0) height += horizontalScrollBar()->sizeHint().height();
  if (most_ > 0) height = std::min(height, most_);
  return {320, height};
}

QSize TableView::minimumSizeHint() const {
  return fits_ ? QSize(120, sizeHint().height()) : QSize(120, 96);
}

Table TableView::chosen() const {
  Table table;
  for (const GridColumn& column : grid_->columns()) {
    table.columns.push_back(column.title.toStdString());
  }
  const QModelIndexList selected = selectionModel()->selectedRows();
  QVector<int> rows;
  if (selected.size() > 1) {
    for (const QModelIndex& index : selected) rows.append(index.row());
    std::sort(rows.begin(), rows.end());
  } else {
    for (int i = 0; i < order_->rowCount(); ++i) rows.append(i);
  }
  for (const int row : rows) {
    std::vector<std::string> cells;
    for (int column = 0; column < grid_->columnCount(); ++column) {
      cells.push_back(order_->index(row, column).data().toString().toStdString());
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

QString TableView::toTsv() const {
  return tableToTsv(chosen());
}

QString TableView::toMarkdown() const {
  std::vector<bool> numeric;
  for (const GridColumn& column : grid_->columns()) numeric.push_back(column.numeric);
  return tableToMarkdown(chosen(), numeric);
}

QString TableView::toCsv() const {
  return QString::fromStdString(to_csv(chosen()));
}

void TableView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    QApplication::clipboard()->setText(toTsv());
    return;
  }
  QTableView::keyPressEvent(event);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  QAction* copy = menu.addAction(tr("Copy as text"), this,
                                 [this]() { QApplication::clipboard()->setText(toTsv()); });
  copy->setShortcut(QKeySequence::Copy);
  menu.addAction(tr("Copy as Markdown"), this,
                 [this]() { QApplication::clipboard()->setText(toMarkdown()); });
  menu.addAction(tr("Export CSV..."), this, [this]() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export"), tr("table.csv"), tr("CSV table (*.csv)"));
    if (path.isEmpty()) return;
    try {
      write_atomically(path.toStdString(), toCsv().toStdString());
    } catch (const Error& error) {
      QMessageBox::warning(this, tr("Export"), QString::fromUtf8(error.what()));
    }
  });
  menu.exec(event->globalPos());
}

}  // namespace assay
