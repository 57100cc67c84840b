// Start, stop, resume and the queue, against real runners.
#include <QListWidget>
#include <QSpinBox>

#include "app/window/runner_pool.h"
#include "gui/window_fixture.h"

using namespace assay;

class StartTest : public QObject {
  Q_OBJECT
 private slots:
  void init() { fixture_ = std::make_unique<WindowFixture>(); }
  void cleanup() { fixture_.reset(); }

  void runsFromTheForm();
  void runsWithoutAWarmRunner();
  void stopsAndResumes();
  void queueKeepsItsOrder();
  void holdStartsNothing();
  void runGoesOnWithoutTheWindow();

 private:
  std::string onlyRun() {
    const auto rows = fixture_->log().runs({});
    return rows.size() == 1 ? rows.front().run.public_id : std::string();
  }
  NewRun longRun(const std::string& name);
  std::unique_ptr<WindowFixture> fixture_;
};

NewRun StartTest::longRun(const std::string& name) {
  NewRun run = fixture_->newRun(name);
  run.parameters.set("steps", Value(std::int64_t{100000}), Origin::set);
  run.parameters.set("delay_ms", Value(std::int64_t{20}), Origin::set);
  return run;
}

void StartTest::runsFromTheForm() {
  fixture_->workbench().openConfigure("sample.descent");
  QVERIFY(fixture_->type("field_steps", "25"));
  QVERIFY(fixture_->click("startButton"));
  QCOMPARE(fixture_->window().currentPage(), QString("run"));
  const std::string run = onlyRun();
  QVERIFY(!run.empty());
  QVERIFY(fixture_->waitForState(run, RunState::finished));
  const Run done = fixture_->log().find(run);
  QCOMPARE(fixture_->log().parameter_set(done.id).integer("steps"), std::int64_t{25});
  QVERIFY(!fixture_->log().metrics(done.id).empty());
}

void StartTest::runsWithoutAWarmRunner() {
  // The warm one has died: a cold one takes the run.
  NewRun run = fixture_->newRun("cold");
  run.threads = 1;  // and another number of threads is never the warm one's
  const Run started = fixture_->workbench().runners().start({run}).front();
  QVERIFY(fixture_->waitForState(started.public_id, RunState::finished));
  QCOMPARE(fixture_->log().run(started.id).threads, 1);
}

void StartTest::stopsAndResumes() {
  const Run started = fixture_->workbench().runners().start({longRun("long")}).front();
  QVERIFY(fixture_->waitFor([&] { return !fixture_->log().metrics(started.id).empty(); }, 30000));
  fixture_->workbench().runners().stop(started);
  QVERIFY(fixture_->waitForState(started.public_id, RunState::stopped));
  const auto before = fixture_->log().run(started.id).progress_done;
  fixture_->workbench().runners().resume(fixture_->log().run(started.id));
  QVERIFY(fixture_->waitForState(started.public_id, RunState::running));
  QVERIFY(fixture_->waitFor([&] { return fixture_->log().run(started.id).progress_done > before; },
                            30000));
  fixture_->workbench().runners().pause(fixture_->log().run(started.id));
  QVERIFY(fixture_->waitForState(started.public_id, RunState::paused));
  fixture_->workbench().runners().stop(fixture_->log().run(started.id));
  QVERIFY(fixture_->waitForState(started.public_id, RunState::stopped));
}

void StartTest::queueKeepsItsOrder() {
  RunnerPool& runners = fixture_->workbench().runners();
  runners.setPlaces(1);
  const Run first = runners.start({longRun("first")}).front();
  QVERIFY(fixture_->waitForState(first.public_id, RunState::running));
  runners.start({fixture_->newRun("second")}, true);
  runners.start({fixture_->newRun("third")}, true);
  const Run urgent = runners.start({fixture_->newRun("urgent")}).front();
  QTest::qWait(1500);
  QCOMPARE(fixture_->log().run(urgent.id).state, RunState::queued);

  QVERIFY(fixture_->click("queueButton"));
  auto* const waiting = fixture_->find<QListWidget>("queueWaiting");
  QVERIFY(waiting != nullptr);
  QVERIFY(fixture_->waitFor([&] { return waiting->count() == 3; }));
  QCOMPARE(waiting->item(0)->text(), QString("urgent"));
  waiting->setCurrentRow(2);
  QVERIFY(fixture_->click("queueUp"));
  QVERIFY(fixture_->waitFor([&] { return waiting->item(1)->text() == "third"; }));
  waiting->setCurrentRow(0);
  QVERIFY(fixture_->click("queueRemove"));
  QVERIFY(fixture_->waitFor([&] { return waiting->count() == 2; }));
  QCOMPARE(fixture_->log().run(urgent.id).state, RunState::stopped);

  runners.stop(first);
  QVERIFY(fixture_->waitFor(
      [&] {
        RunQuery query;
        query.filter = "state:finished";
        return fixture_->log().count(query) == 2;
      },
      60000));
  QVERIFY(*fixture_->log().find("third").started < *fixture_->log().find("second").started);
}

void StartTest::holdStartsNothing() {
  fixture_->workbench().runners().setQueueHeld(true);
  const Run held = fixture_->workbench().runners().start({fixture_->newRun("held")}).front();
  QTest::qWait(2000);
  QCOMPARE(fixture_->log().run(held.id).state, RunState::queued);
  fixture_->workbench().runners().setQueueHeld(false);
  QVERIFY(fixture_->waitForState(held.public_id, RunState::finished));
}

void StartTest::runGoesOnWithoutTheWindow() {
  const Run started = fixture_->workbench().runners().start({longRun("alone")}).front();
  QVERIFY(fixture_->waitFor([&] { return !fixture_->log().metrics(started.id).empty(); }, 30000));
  fixture_->reopen();
  const auto before = fixture_->log().run(started.id).progress_done;
  QVERIFY(fixture_->waitFor([&] { return fixture_->log().run(started.id).progress_done > before; },
                            10000));
  QCOMPARE(fixture_->log().run(started.id).state, RunState::running);
}

QTEST_MAIN(StartTest)
#include "start_test.moc"
