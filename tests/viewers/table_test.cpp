// The table: numeric order, copies, CSV.
#include <limits>

#include "app/viewers/number_text.h"
#include "app/viewers/table/table_view.h"
#include "viewers/offscreen.h"

using namespace assay;

namespace {

GridCell number(double value) {
  return {formatNumber(value), value, {}, false, false, {}};
}
GridCell text(const QString& value) {
  return {value, {}, {}, false, false, {}};
}

QStringList column(const TableView& table, int which) {
  QStringList cells;
  for (int row = 0; row < table.model()->rowCount(); ++row) {
    cells << table.model()->index(row, which).data().toString();
  }
  return cells;
}

}  // namespace

class TableTest : public QObject {
  Q_OBJECT
 private slots:
  void sortsNumbersByValueAndNanLast() {
    TableView table;
    table.setColumns({{"name", false, {}}, {"value", true, {}}});
    const double nan_value = std::numeric_limits<double>::quiet_NaN();
    table.setRows({{text("a"), number(10)},
                   {text("b"), number(9)},
                   {text("c"), number(nan_value)},
                   {text("d"), number(1000)}});
    QCOMPARE(column(table, 0), (QStringList{"a", "b", "c", "d"}));
    table.sortByColumn(1, Qt::AscendingOrder);
    QCOMPARE(column(table, 0), (QStringList{"b", "a", "d", "c"}));
    table.sortByColumn(1, Qt::DescendingOrder);
    QCOMPARE(column(table, 0), (QStringList{"d", "a", "b", "c"}));
  }

  void copiesAsTsvAndMarkdown() {
    TableView table;
    table.setColumns({{"a|b", false, {}}, {"n", true, {}}});
    table.setRows({{text("x|y\nz"), number(0.5)}});
    QCOMPARE(table.toTsv(), QString("a|b\tn\nx|y z\t0.5000\n"));
    QCOMPARE(table.toMarkdown(),
             QString("| a\\|b | n |\n| --- | ---: |\n| x\\|y<br>z | 0.5000 |\n"));
    const Table back = parse_csv(table.toCsv().toStdString(), "copy");
    QCOMPARE(back.rows[0][0], std::string("x|y\nz"));
  }

  void numericColumnsOfACsvAreFound() {
    TableView table;
    table.setTable(parse_csv("name,value,mixed\na,10,1\nb,9,x\n", "t"));
    QVERIFY(!table.grid().columns()[0].numeric);
    QVERIFY(table.grid().columns()[1].numeric);
    QVERIFY(!table.grid().columns()[2].numeric);
    table.sortByColumn(1, Qt::AscendingOrder);
    QCOMPARE(column(table, 1), (QStringList{"9", "10"}));
  }

  void selectionStaysWhenValuesChange() {
    TableView table;
    table.setColumns({{"a", false, {}}, {"n", true, {}}});
    table.setRows({{text("x"), number(1)}, {text("y"), number(2)}});
    table.selectRow(1);
    table.setRows({{text("x"), number(3)}, {text("y"), number(4)}});
    QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
    QCOMPARE(table.selectionModel()->selectedRows()[0].row(), 1);
  }

  void numbersReadAsPeopleWriteThem() {
    QCOMPARE(formatNumber(0.87312), QString("0.8731"));
    QCOMPARE(formatNumber(3968), QString("3,968"));
    QCOMPARE(formatNumber(12345.678), QString("12,346"));
    QCOMPARE(formatNumber(1.2e-5), QString("1.20e-05"));
    QCOMPARE(formatNumber(0), QString("0"));
    QCOMPARE(formatNumber(-1234567), QString("-1,234,567"));
    QCOMPARE(formatNumber(std::numeric_limits<double>::quiet_NaN()), QString("nan"));
    QCOMPARE(formatNumber(-std::numeric_limits<double>::infinity()), QString("-inf"));
    QCOMPARE(formatInterval(0.8741, 0.0062), QString("0.8741 ± 0.0062"));
    QCOMPARE(formatInterval(1234.5, 25.0), QString("1,235 ± 25"));
    QCOMPARE(formatSigned(0.071), QString("+0.071"));
    QCOMPARE(formatSigned(-2), QString("\u22122"));
    QCOMPARE(formatDuration(41.2), QString("41 s"));
    QCOMPARE(formatDuration(125), QString("2 min 05 s"));
    QCOMPARE(formatDuration(3 * 3600 + 720), QString("3 h 12 min"));
    QCOMPARE(formatBytes(4'300'000), QString("4.1 MiB"));
    QCOMPARE(formatP(0.0004), QString("< 0.001"));
    QCOMPARE(formatP(0.0312), QString("0.031"));
  }
};

ASSAY_OFFSCREEN_MAIN(TableTest)
#include "table_test.moc"
