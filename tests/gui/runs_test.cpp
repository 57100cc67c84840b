// Runs: sort, filter, what stays when the log changes, trash and its undo, notes, names.
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>

#include "app/window/runs/run_table_model.h"
#include "gui/window_fixture.h"

using namespace assay;

class RunsTest : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void cleanup() { fixture_.reset(); }

  void sorts();
  void filters();
  void refusesAFilterWithItsReason();
  void keepsSelectionWhenRunsArrive();
  void trashesAndUndoes();
  void restoresFromTheTrash();
  void renames();
  void savesNotes();
  void staysAModel();
  void tenThousandInUnder100Milliseconds();

 private:
  QTableView* table() { return fixture_->find<QTableView>("runsTable"); }
  int columnOf(RunColumn::Kind kind);
  QStringList names();
  bool showsNames(const QStringList& expected) {
    return fixture_->waitFor([&] { return names() == expected; });
  }
  void select(int row) {
    const QModelIndex index = table()->model()->index(row, columnOf(RunColumn::Kind::name));
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(index).center());
  }
  RunTableModel* model() { return qobject_cast<RunTableModel*>(table()->model()); }
  std::unique_ptr<WindowFixture> fixture_;
};

void RunsTest::init() {
  fixture_ = std::make_unique<WindowFixture>();
  // Inserted and ended by hand: no runner is wanted here.
  for (const auto& [name, seed] : {std::pair{"beta", 2}, {"alpha", 3}, {"gamma", 1}}) {
    const Run run =
        fixture_->log().insert(fixture_->newRun(name, static_cast<std::uint64_t>(seed)));
    fixture_->log().claim(run.id, {RunState::queued}, this_process(), 1);
    fixture_->log().end(run.id, RunState::finished, "", 0, std::nullopt);
  }
  fixture_->workbench().openRuns();
  QVERIFY(fixture_->waitFor([&] { return names().size() == 3; }));
}

int RunsTest::columnOf(RunColumn::Kind kind) {
  for (int c = 0; c < model()->columnCount(); ++c) {
    if (model()->columns()[c].kind == kind) return c;
  }
  return -1;
}

QStringList RunsTest::names() {
  QStringList found;
  auto* const shown = fixture_->find<QTableView>("runsTable", 200);
  if (shown == nullptr) return found;
  for (int row = 0; row < shown->model()->rowCount(); ++row) {
    found << shown->model()->index(row, columnOf(RunColumn::Kind::name)).data().toString();
  }
  return found;
}

void RunsTest::sorts() {
  QVERIFY(showsNames({"gamma", "alpha", "beta"}));  // newest first
  table()->sortByColumn(columnOf(RunColumn::Kind::name), Qt::AscendingOrder);
  QVERIFY(showsNames({"alpha", "beta", "gamma"}));
  table()->sortByColumn(columnOf(RunColumn::Kind::name), Qt::DescendingOrder);
  QVERIFY(showsNames({"gamma", "beta", "alpha"}));
}

void RunsTest::filters() {
  QVERIFY(fixture_->type("runsFilter", "alpha"));
  QVERIFY(showsNames({"alpha"}));
  QCOMPARE(fixture_->textOf("runsCount"), QString("1 found"));
  QVERIFY(fixture_->type("runsFilter", "seed:1"));
  QVERIFY(showsNames({"gamma"}));
  QVERIFY(fixture_->type("runsFilter", "learning_rate<=0.1 state:finished"));
  QVERIFY(fixture_->waitFor([&] { return names().size() == 3; }));
  QVERIFY(fixture_->type("runsFilter", ""));
  QVERIFY(fixture_->waitFor([&] { return names().size() == 3; }));
}

void RunsTest::refusesAFilterWithItsReason() {
  QVERIFY(fixture_->type("runsFilter", "noise>"));
  QVERIFY(fixture_->waitFor([&] { return fixture_->isShown("runsFilterFault"); }));
  QVERIFY2(fixture_->textOf("runsFilterFault").contains("at character"),
           qPrintable(fixture_->textOf("runsFilterFault")));
  QCOMPARE(names().size(), 3);
}

void RunsTest::keepsSelectionWhenRunsArrive() {
  select(1);
  QCOMPARE(table()->selectionModel()->selectedRows().size(), 1);
  NewRun late = fixture_->newRun("delta");
  fixture_->log().insert(late);
  QVERIFY(showsNames({"delta", "gamma", "alpha", "beta"}));
  const QModelIndexList rows = table()->selectionModel()->selectedRows();
  QCOMPARE(rows.size(), 1);
  QCOMPARE(model()->run(rows.front().row())->name, std::string("alpha"));
}

void RunsTest::trashesAndUndoes() {
  select(0);
  QVERIFY(fixture_->click("runsTrash"));
  QVERIFY(showsNames({"alpha", "beta"}));
  QCOMPARE(fixture_->textOf("messageText"), QString("Moved to trash."));
  QCOMPARE(fixture_->textOf("messageAction"), QString("Undo"));
  QVERIFY(fixture_->click("messageAction"));
  QVERIFY(showsNames({"gamma", "alpha", "beta"}));
}

void RunsTest::restoresFromTheTrash() {
  select(2);
  QTest::keyClick(table(), Qt::Key_Delete);
  QVERIFY(showsNames({"gamma", "alpha"}));
  QVERIFY(fixture_->click("runsTrashView"));
  QVERIFY(showsNames({"beta"}));
  QVERIFY(!fixture_->isShown("runsCompare"));
  select(0);
  QVERIFY(fixture_->click("runsRestore"));
  QVERIFY(fixture_->waitFor([&] { return fixture_->log().find("beta").trashed == std::nullopt; }));
  QVERIFY(fixture_->click("runsTrashView"));
  QVERIFY(fixture_->waitFor([&] { return names().size() == 3; }));
}

void RunsTest::renames() {
  select(0);
  QTest::keyClick(table(), Qt::Key_F2);
  auto* const editor = table()->viewport()->findChild<QLineEdit*>();
  QVERIFY(editor != nullptr);
  QTest::keySequence(editor, QKeySequence::SelectAll);
  QTest::keyClicks(editor, "omega");
  QTest::keyClick(editor, Qt::Key_Return);
  QVERIFY(fixture_->waitFor([&] { return names().value(0) == "omega"; }));
  QCOMPARE(fixture_->log().find("omega").seed, std::uint64_t{1});
}

void RunsTest::savesNotes() {
  select(0);
  auto* const notes = fixture_->find<QPlainTextEdit>("runNotes");
  QVERIFY(notes != nullptr);
  notes->setFocus();
  QTest::keyClicks(notes, "worth a second look");
  QVERIFY(fixture_->waitFor(
      [&] { return fixture_->log().find("gamma").notes == "worth a second look"; }));
}

void RunsTest::staysAModel() {
  QAbstractItemModelTester tester(model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
  table()->sortByColumn(columnOf(RunColumn::Kind::name), Qt::AscendingOrder);
  QVERIFY(showsNames({"alpha", "beta", "gamma"}));
  const Run extra = fixture_->log().insert(fixture_->newRun("aardvark"));
  QVERIFY(showsNames({"aardvark", "alpha", "beta", "gamma"}));
  fixture_->log().remove_from_queue(extra.id);
  fixture_->log().trash({extra.id});
  QVERIFY(showsNames({"alpha", "beta", "gamma"}));
  fixture_->log().rename(fixture_->log().find("alpha").id, "zeta");
  QVERIFY(showsNames({"beta", "gamma", "zeta"}));
}

void RunsTest::tenThousandInUnder100Milliseconds() {
  std::vector<NewRun> many;
  for (int i = 0; i < 10000; ++i) {
    many.push_back(fixture_->newRun("run " + std::to_string(i), static_cast<std::uint64_t>(i)));
  }
  const auto inserted = fixture_->log().insert(many);
  QVERIFY(fixture_->waitFor([&] { return names().size() == 10003; }, 60000));
  // The query itself; a machine that is busy with other work gets three tries.
  double best = 1e9;
  for (int attempt = 0; attempt < 3; ++attempt) {
    QSignalSpy loaded(model(), &RunTableModel::loaded);
    model()->sort(columnOf(attempt % 2 == 0 ? RunColumn::Kind::name : RunColumn::Kind::created),
                  Qt::AscendingOrder);
    QVERIFY(loaded.wait(10000));
    best = std::min(best, model()->lastReadSeconds());
  }
  QVERIFY2(best < 0.1, qPrintable(QString("%1 s").arg(best)));
}

QTEST_MAIN(RunsTest)
#include "runs_test.moc"
