// Configure: invalid values at the field, presets, seeds, what was typed, copies.
#include <QClipboard>
#include <QGuiApplication>

#include "app/window/configure/seeds.h"
#include "gui/window_fixture.h"

using namespace assay;

class ConfigureTest : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    fixture_ = std::make_unique<WindowFixture>();
    fixture_->workbench().openConfigure("sample.descent");
  }
  void cleanup() { fixture_.reset(); }

  void refusesAtTheField();
  void refusesEachKind_data();
  void refusesEachKind();
  void presetKeepsWhatWasChanged();
  void keepsWhatWasTyped();
  void findsParameters();
  void copiesCommandLine();
  void readsSeeds_data();
  void readsSeeds();
  void startsOneRunForEachSeed();

 private:
  std::unique_ptr<WindowFixture> fixture_;
};

void ConfigureTest::refusesAtTheField() {
  QVERIFY(fixture_->find<QAbstractButton>("startButton")->isEnabled());
  QVERIFY(!fixture_->isShown("fault_learning_rate"));
  QVERIFY(fixture_->type("field_learning_rate", "2"));
  const QString fault = fixture_->textOf("fault_learning_rate");
  QVERIFY2(fault.contains("learning_rate") && fault.contains("2") && fault.contains("1"),
           qPrintable(fault));
  QVERIFY(!fixture_->find<QAbstractButton>("startButton")->isEnabled());
  QVERIFY(!fixture_->find<QAbstractButton>("queueRunButton")->isEnabled());
  QVERIFY(fixture_->textOf("startReason").contains("1 value"));
  QVERIFY(fixture_->click("reset_learning_rate"));
  QCOMPARE(fixture_->textOf("field_learning_rate"), QString("0.1"));
  QVERIFY(!fixture_->isShown("fault_learning_rate"));
  QVERIFY(fixture_->find<QAbstractButton>("startButton")->isEnabled());
}

void ConfigureTest::refusesEachKind_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("text");
  QTest::newRow("not a number") << "learning_rate"
                                << "fast";
  QTest::newRow("empty") << "learning_rate"
                         << "";
  QTest::newRow("not whole") << "steps"
                             << "1.5";
  QTest::newRow("too small") << "steps"
                             << "0";
  QTest::newRow("list element out of range") << "curvatures"
                                             << "1,11";
  QTest::newRow("list element no number") << "curvatures"
                                          << "1,x";
}

void ConfigureTest::refusesEachKind() {
  QFETCH(QString, key);
  QFETCH(QString, text);
  QVERIFY(fixture_->type("field_" + key, text));
  QVERIFY(fixture_->textOf("fault_" + key).contains(key));
  QVERIFY(!fixture_->find<QAbstractButton>("startButton")->isEnabled());
}

void ConfigureTest::presetKeepsWhatWasChanged() {
  QVERIFY(fixture_->type("field_noise", "0.25"));
  QVERIFY(fixture_->click("preset_long"));
  QCOMPARE(fixture_->textOf("field_steps"), QString("400"));
  QCOMPARE(fixture_->textOf("field_noise"), QString("0.25"));
  QVERIFY(fixture_->isShown("reset_noise"));
  QVERIFY(!fixture_->isShown("reset_steps"));
  QVERIFY(fixture_->textOf("changesList").contains("0.25"));
  QVERIFY(fixture_->click("resetAll"));
  QCOMPARE(fixture_->textOf("field_noise"), QString("0.5"));
}

void ConfigureTest::keepsWhatWasTyped() {
  QVERIFY(fixture_->type("field_steps", "77"));
  fixture_->workbench().openPapers();
  fixture_->workbench().openConfigure("sample.descent");
  QCOMPARE(fixture_->textOf("field_steps"), QString("77"));
}

void ConfigureTest::findsParameters() {
  QVERIFY(!fixture_->isShown("row_momentum"));  // advanced: folded
  QVERIFY(fixture_->type("formSearch", "momentum"));
  QVERIFY(fixture_->isShown("row_momentum"));
  QVERIFY(!fixture_->isShown("row_steps"));
  QVERIFY(fixture_->type("formSearch", ""));
  QVERIFY(fixture_->isShown("row_steps"));
}

void ConfigureTest::copiesCommandLine() {
  QVERIFY(fixture_->type("field_steps", "50"));
  QVERIFY(fixture_->click("copyCommandLine"));
  const QString line = QGuiApplication::clipboard()->text();
  QVERIFY2(line.contains("sample.descent") && line.contains("steps=50"), qPrintable(line));
  QVERIFY(fixture_->click("copyFile"));
  const QString file = QGuiApplication::clipboard()->text();
  QVERIFY2(file.contains("steps = 50") && file.contains("[parameters]"), qPrintable(file));
}

void ConfigureTest::readsSeeds_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("seeds");  // empty: refused
  QTest::newRow("one") << "7"
                       << "7";
  QTest::newRow("range") << "1-4"
                         << "1,2,3,4";
  QTest::newRow("list") << "3, 1,2"
                        << "3,1,2";
  QTest::newRow("both, each once") << "1-3,2,9"
                                   << "1,2,3,9";
  QTest::newRow("largest") << "18446744073709551615"
                           << "18446744073709551615";
  QTest::newRow("empty") << ""
                         << "";
  QTest::newRow("backwards") << "5-1"
                             << "";
  QTest::newRow("negative") << "-1"
                            << "";
  QTest::newRow("word") << "one"
                        << "";
  QTest::newRow("hole") << "1,,2"
                        << "";
  QTest::newRow("too many") << "0-1000000000"
                            << "";
}

void ConfigureTest::readsSeeds() {
  QFETCH(QString, text);
  QFETCH(QString, seeds);
  const Seeds read = readSeeds(text);
  QStringList found;
  for (const std::uint64_t seed : read.values) found << QString::number(seed);
  QCOMPARE(found.join(','), seeds);
  QCOMPARE(read.problem.isEmpty(), !seeds.isEmpty());
}

void ConfigureTest::startsOneRunForEachSeed() {
  QVERIFY(fixture_->type("runSeeds", "1-"));
  QVERIFY(fixture_->textOf("seedsFault").contains("1-5"));
  QVERIFY(!fixture_->find<QAbstractButton>("startButton")->isEnabled());
  QVERIFY(fixture_->type("runSeeds", "1-3"));
  QCOMPARE(fixture_->textOf("startButton"), QString("Start 3 runs"));
  QVERIFY(fixture_->click("startButton"));
  QVERIFY(fixture_->waitFor([&] { return fixture_->log().count({}) == 3; }));
  QCOMPARE(fixture_->window().currentPage(), QString("runs"));
}

QTEST_MAIN(ConfigureTest)
#include "configure_test.moc"
