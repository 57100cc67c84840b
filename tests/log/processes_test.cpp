// Real processes at one log: eight writers at once, a kill in the middle, a race for a run.
#include <SQLiteCpp/SQLiteCpp.h>
#include <signal.h>

#include <QTest>
#include <chrono>
#include <thread>

#include "log/temporary_log.h"

using namespace assay;
using namespace assay::test;
using namespace std::chrono_literals;

class ProcessesTest : public QObject {
  Q_OBJECT

 private slots:
  void eight_writers_lose_nothing();
  void a_killed_writer_leaves_what_it_committed();
  void one_of_many_gets_the_run();
};

void ProcessesTest::eight_writers_lose_nothing() {
  constexpr int writers = 8;
  constexpr std::int64_t rows = 6000;
  const TemporaryLog place;
  std::vector<pid_t> children;
  // The log is not there yet: they race to create it, too.
  for (int w = 0; w < writers; ++w) {
    children.push_back(in_child([&place, w] {
      Log log = place.open();
      const Run run = running(log, new_run(static_cast<std::uint64_t>(w)));
      RunWriter writer(place.path(), run.id, directions());
      for (std::int64_t step = 0; step < rows; ++step) {
        writer.metric("loss", step, static_cast<double>(step), 0.0);
        writer.metric("accuracy", step, static_cast<double>(-step), 0.0);
        if (step % 500 == 0) writer.event(EventLevel::info, "at " + std::to_string(step), step);
        if (step % 1500 == 0) writer.flush();
        if (step % 2000 == 0) log.add_tag({run.id}, "tag " + std::to_string(step));
      }
      writer.close();
      log.end(run.id, RunState::finished, "", 0, std::nullopt);
      return 0;
    }));
  }
  for (const pid_t child : children) QCOMPARE(ended(child), 0);
  Log log = place.open();
  const auto runs = log.runs({});
  QCOMPARE(runs.size(), std::size_t{writers});
  for (const RunRow& row : runs) {
    QCOMPARE(row.run.state, RunState::finished);
    QCOMPARE(row.run.tags.size(), std::size_t{3});
    for (const char* key : {"loss", "accuracy"}) {
      const auto curve = log.curve(row.run.id, key);
      QCOMPARE(curve.size(), static_cast<std::size_t>(rows));
      for (std::int64_t step = 0; step < rows; ++step) {
        QCOMPARE(curve[static_cast<std::size_t>(step)].step, step);
      }
    }
    QCOMPARE(log.events(row.run.id).size(), std::size_t{12});
    QCOMPARE(*log.metrics(row.run.id).at(1).best, 0.0);
  }
}

void ProcessesTest::a_killed_writer_leaves_what_it_committed() {
  const TemporaryLog place;
  for (int round = 0; round < 3; ++round) {
    const pid_t child = in_child([&place] {
      Log log = place.open();
      const Run run = running(log);
      RunWriter writer(place.path(), run.id, directions());
      for (std::int64_t step = 0;; ++step) {
        writer.metric("loss", step, static_cast<double>(step), 0.0);
        if (step % 100 == 0) std::this_thread::sleep_for(1ms);
      }
      return 0;
    });
    Log log = place.open();
    std::optional<Run> run;
    std::size_t seen = 0;
    const auto has_written = [&] {
      const auto running_ones = log.runs(filtered("state:running"));
      if (running_ones.empty()) return false;
      run = running_ones.front().run;
      seen = log.curve(run->id, "loss").size();
      return seen > 3000;
    };
    QTRY_VERIFY_WITH_TIMEOUT(has_written(), 20000);
    ::kill(child, SIGKILL);
    QCOMPARE(ended(child), -SIGKILL);
    const auto curve = log.curve(run->id, "loss");
    QVERIFY(curve.size() >= seen);
    for (std::size_t i = 0; i < curve.size(); ++i) {
      QCOMPARE(curve[i].step, static_cast<std::int64_t>(i));  // no hole
    }
    const MetricSummary summary = log.metrics(run->id).at(0);
    QCOMPARE(summary.step, curve.back().step);  // the table is of the same commit
    QCOMPARE(summary.last, curve.back().value);
    const auto changed = log.reap();
    QCOMPARE(changed.size(), std::size_t{1});
    QCOMPARE(changed[0].state, RunState::crashed);
    QCOMPARE(log.database().execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
    // Somebody else goes on with it.
    QVERIFY(log.claim(run->id, {RunState::crashed}, this_process(), 1));
    RunWriter writer(place.path(), run->id, directions());
    writer.metric("loss", curve.back().step + 1, 0.5, 0.0);
    writer.close();
    log.end(run->id, RunState::finished, "", 0, std::nullopt);
    QCOMPARE(log.curve(run->id, "loss").size(), curve.size() + 1);
  }
}

void ProcessesTest::one_of_many_gets_the_run() {
  const TemporaryLog place;
  std::int64_t id = 0;
  {
    Log log = place.open();
    id = log.insert(new_run()).id;
  }
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) {
    children.push_back(in_child([&place, id] {
      Log log = place.open();
      return log.claim(id, {RunState::queued}, this_process(), 1) ? 1 : 0;
    }));
  }
  int winners = 0;
  for (const pid_t child : children) winners += ended(child);
  QCOMPARE(winners, 1);
}

QTEST_APPLESS_MAIN(ProcessesTest)
#include "processes_test.moc"
