// The shell: rail, search, keys, papers, messages.
#include <QListWidget>
#include <QPushButton>

#include "app/window/papers/equations.h"
#include "app/window/start_options.h"
#include "gui/window_fixture.h"

using namespace assay;

class ShellTest : public QObject {
  Q_OBJECT
 private slots:
  void showsPapersAndWhyOneIsBroken();
  void keysOpenPages();
  void searchFindsPapersAndRuns();
  void triesAPaper();
  void writesEquations_data();
  void writesEquations();
  void refusesOptions_data();
  void refusesOptions();
};

void ShellTest::showsPapersAndWhyOneIsBroken() {
  WindowFixture fixture;
  QVERIFY(fixture.isShown("card_sample"));
  fixture.workbench().openPaper("sample");
  QCOMPARE(fixture.window().currentPage(), QString("paper"));
  QVERIFY(fixture.textOf("ideaText").contains("convergence") ||
          fixture.textOf("ideaText").contains("Gradient descent"));
  QVERIFY(fixture.click("configure_descent"));
  QCOMPARE(fixture.window().currentPage(), QString("configure"));
}

void ShellTest::keysOpenPages() {
  WindowFixture fixture;
  const QStringList pages = {"papers", "runs", "compare", "report", "data"};
  for (int i = 4; i >= 0; --i) {
    QTest::keyClick(&fixture.window(), static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
    QCOMPARE(fixture.window().currentPage(), pages[i]);
    QVERIFY(fixture.find<QPushButton>("rail_" + pages[i])->isChecked());
  }
}

void ShellTest::searchFindsPapersAndRuns() {
  WindowFixture fixture;
  fixture.log().insert(fixture.newRun("needle in the log"));
  QTest::keyClick(&fixture.window(), Qt::Key_K, Qt::ControlModifier);
  QVERIFY(fixture.find<QLineEdit>("searchBox")->hasFocus());
  QTest::keyClicks(fixture.find<QLineEdit>("searchBox"), "needle");
  auto* const results = fixture.find<QListWidget>("searchResults");
  QVERIFY(results != nullptr);
  QVERIFY(
      fixture.waitFor([&] { return results->item(0)->text().startsWith("needle in the log"); }));
  QTest::keyClick(fixture.find<QLineEdit>("searchBox"), Qt::Key_Return);
  QCOMPARE(fixture.window().currentPage(), QString("run"));

  QTest::keyClick(&fixture.window(), Qt::Key_K, Qt::ControlModifier);
  QTest::keyClicks(fixture.find<QLineEdit>("searchBox"), "noisy descent");
  QVERIFY(fixture.waitFor([&] {
    return results->count() > 0 && results->item(0)->text().startsWith("Noisy descent");
  }));
  QTest::keyClick(fixture.find<QLineEdit>("searchBox"), Qt::Key_Return);
  QCOMPARE(fixture.window().currentPage(), QString("configure"));
}

void ShellTest::triesAPaper() {
  WindowFixture fixture;
  QVERIFY(fixture.click("try_sample"));
  QCOMPARE(fixture.window().currentPage(), QString("run"));
  const auto rows = fixture.log().runs({});
  QCOMPARE(rows.size(), std::size_t{1});
  QCOMPARE(rows.front().run.preset, std::string("quick"));
  QVERIFY(fixture.waitForState(rows.front().run.public_id, RunState::finished));
  fixture.workbench().openPapers();
  QVERIFY(fixture.waitFor([&] {
    for (const QLabel* label : fixture.find<QWidget>("card_sample")->findChildren<QLabel*>()) {
      if (label->text() == "1 run") return true;
    }
    return false;
  }));
}

void ShellTest::writesEquations_data() {
  QTest::addColumn<QString>("tex");
  QTest::addColumn<QString>("html");
  QTest::newRow("Greek and power") << "\\beta^2"
                                   << "β<sup>2</sup>";
  QTest::newRow("braces") << "e^{\\gamma x}"
                          << "<i>e</i><sup>γ<i>x</i></sup>";
  QTest::newRow("fraction") << "\\frac{1}{a + b}"
                            << "1 / (<i>a</i> + <i>b</i>)";
  QTest::newRow("index") << "c_i"
                         << "<i>c</i><sub><i>i</i></sub>";
  QTest::newRow("escaped") << "a < b"
                           << "<i>a</i> &lt; <i>b</i>";
  QTest::newRow("unknown") << "\\foo"
                           << "\\foo";
  QTest::newRow("unfinished") << "x^{2"
                              << "<i>x</i><sup>2</sup>";
}

void ShellTest::writesEquations() {
  QFETCH(QString, tex);
  QFETCH(QString, html);
  QCOMPARE(equationHtml(tex), html);
}

void ShellTest::refusesOptions_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  QTest::newRow("theme") << QStringList{"--theme", "pink"} << "pink";
  QTest::newRow("size") << QStringList{"--size", "12"} << "12";
  QTest::newRow("scale") << QStringList{"--scale", "9"} << "9";
  QTest::newRow("unknown") << QStringList{"--nonsense"} << "nonsense";
  QTest::newRow("stray") << QStringList{"stray"} << "stray";
}

void ShellTest::refusesOptions() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  arguments.prepend("assay");
  const StartOptions options = readStartOptions(arguments);
  QVERIFY2(options.problem.contains(part), qPrintable(options.problem));
}

QTEST_MAIN(ShellTest)
#include "shell_test.moc"
