// CSV: quoting, line ends, refusals by line, shortest numbers.
#include "core/formats/table.h"

#include <cmath>
#include <limits>
#include <random>

#include "formats/support.h"

using namespace assay;

class TableTest : public QObject {
  Q_OBJECT
 private slots:
  void quotes_what_needs_it() {
    const Table table{{"a", "b,c"}, {{"1", "say \"x\""}, {"", "two\nlines"}}};
    QCOMPARE(to_csv(table), std::string("a,\"b,c\"\n1,\"say \"\"x\"\"\"\n,\"two\nlines\"\n"));
  }

  void reads_what_it_wrote() {
    std::mt19937 random(3);
    constexpr std::string_view alphabet = "ab,\"\n\r ;\xC3\xA4";
    for (int round = 0; round < 300; ++round) {
      Table table;
      const std::size_t columns = 1 + random() % 4;
      const auto cell = [&] {
        std::string text;
        for (std::size_t i = random() % 6; i > 0; --i) text += alphabet[random() % alphabet.size()];
        return text;
      };
      for (std::size_t i = 0; i < columns; ++i) table.columns.push_back(cell());
      for (std::size_t row = random() % 5; row > 0; --row) {
        table.rows.emplace_back();
        for (std::size_t i = 0; i < columns; ++i) table.rows.back().push_back(cell());
      }
      const Table again = parse_csv(to_csv(table), "round trip");
      QCOMPARE(again.columns, table.columns);
      QCOMPARE(again.rows, table.rows);
    }
  }

  void takes_every_line_end_and_a_byte_order_mark() {
    const Table table = parse_csv("\xEF\xBB\xBFx,y\r\n1,2\r\n\r\n3,4", "t");
    QCOMPARE(table.columns, (std::vector<std::string>{"x", "y"}));
    QCOMPARE(table.rows, (std::vector<std::vector<std::string>>{{"1", "2"}, {"3", "4"}}));
  }

  void numbers_columns_without_a_header() {
    const Table table = parse_csv("5,6\n7,8\n", "t", false);
    QCOMPARE(table.columns, (std::vector<std::string>{"1", "2"}));
    QCOMPARE(table.rows.size(), std::size_t{2});
  }

  void refuses_with_the_line() {
    const auto kind = ErrorKind::unreadable;
    ASSAY_REFUSED(parse_csv("a,b\n1,2\n3\n", "t.csv"), kind, {"t.csv: line 3", "1 cells"});
    ASSAY_REFUSED(parse_csv("a\n\"x\ny\n", "t.csv"), kind, {"line 2", "never closed"});
    ASSAY_REFUSED(parse_csv(std::string("a\nb\0c\n", 6), "t.csv"), kind, {"line 2", "NUL"});
    ASSAY_REFUSED(parse_csv("a\n\"x\"y\n", "t.csv"), kind, {"line 2", "closing quote"});
    ASSAY_REFUSED(parse_csv("a\nx\"y\n", "t.csv"), kind, {"line 2", "quote inside"});
    ASSAY_REFUSED(parse_csv("\n\n", "t.csv"), kind, {"t.csv", "empty"});
    ASSAY_REFUSED(to_csv(Table{{"a"}, {{"1", "2"}}}), ErrorKind::bad_input, {"2 cells"});
    ASSAY_REFUSED(read_csv("/nowhere/t.csv"), ErrorKind::not_found, {"/nowhere/t.csv"});
  }

  void writes_the_shortest_number_that_reads_back() {
    QCOMPARE(shortest(0.1), std::string("0.1"));
    QCOMPARE(shortest(1e22), std::string("1e+22"));
    QCOMPARE(shortest(-3), std::string("-3"));
    QCOMPARE(shortest(std::numeric_limits<double>::quiet_NaN()), std::string("nan"));
    QCOMPARE(shortest(std::numeric_limits<double>::infinity()), std::string("inf"));
    QCOMPARE(shortest(-std::numeric_limits<double>::infinity()), std::string("-inf"));
    std::mt19937_64 random(5);
    for (int i = 0; i < 1000; ++i) {
      const double value =
          std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 100);
      QCOMPARE(std::stod(shortest(value)), value);
    }
  }

  void writes_and_reads_files() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("t.csv").toStdString();
    write_csv(path, {{"a"}, {{""}, {"x"}}});
    QCOMPARE(read_csv(path).rows, (std::vector<std::vector<std::string>>{{""}, {"x"}}));
    const Table digits = read_csv(test::data("sets/digits.csv.gz"), false);
    QCOMPARE(digits.columns.size(), std::size_t{65});
    QCOMPARE(digits.rows.size(), std::size_t{1797});
  }
};

QTEST_APPLESS_MAIN(TableTest)
#include "table_test.moc"
