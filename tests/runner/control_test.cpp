// stop and pause where it isn't easy: queued, paused, over, deaf; and one queued run for two.
#include <QElapsedTimer>
#include <QtTest>

#include "runner/harness.h"

using namespace assay;
using namespace assay::test;

namespace {

NewRun queued_descent() {
  NewRun run;
  run.plugin = "sample";
  run.experiment = "descent";
  run.version = 2;
  run.preset = "quick";
  return run;  // parameters that are missing get their defaults
}

}  // namespace

class ControlTest : public QObject {
  Q_OBJECT

 private slots:
  void a_queued_run_leaves_the_queue() {
    Workplace place;
    const std::string id = place.open_log().insert(queued_descent()).public_id;
    const Ended ended = place.call({"stop", id, "--json"});
    QCOMPARE(ended.exit_code, 0);
    QCOMPARE(ended.json().at("state").get<std::string>(), std::string("stopped"));
    QVERIFY(ended.json().at("reason").get<std::string>().find("queue") != std::string::npos);
    QVERIFY(!place.open_log().next_queued().has_value());
    QCOMPARE(place.call({"resume", id, "--json"}).exit_code, 0);  // and may be started after all
  }

  void a_paused_run_can_be_stopped() {
    Workplace place;
    const auto process =
        place.start({"run", "sample.descent", "--set", "steps=1000", "--set", "delay_ms=10"});
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 3));
    QCOMPARE(place.call({"pause", id}).exit_code, 0);
    Workplace::wait(*process);
    QCOMPARE(place.call({"pause", id, "--json"}).json().at("state").get<std::string>(),
             std::string("paused"));
    QCOMPARE(place.call({"stop", id, "--json"}).json().at("state").get<std::string>(),
             std::string("stopped"));
  }

  void what_is_over_stays_over() {
    Workplace place;
    const Json run = place.call({"run", "sample.descent", "--json"}).json();
    const Ended stop = place.call({"stop", run.at("run"), "--json"});
    QCOMPARE(stop.exit_code, 0);
    QCOMPARE(stop.json().at("state").get<std::string>(), std::string("finished"));
    const Ended pause = place.call({"pause", run.at("run")});
    QCOMPARE(pause.exit_code, 2);
    QVERIFY(pause.err.find("only a running run can be paused") != std::string::npos);
  }

  void a_run_that_does_not_answer_is_killed() {
    Workplace place;
    const auto process = place.start({"run", "sample.stubborn"});
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 2));
    QElapsedTimer timer;
    timer.start();
    const Ended stop = place.call({"stop", id, "--json", "--grace", "1"});
    QCOMPARE(stop.exit_code, 0);
    QVERIFY2(timer.elapsed() > 5500 && timer.elapsed() < 20000,
             qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(stop.json().at("state").get<std::string>(), std::string("killed"));
    QVERIFY(stop.err.find("terminating") != std::string::npos);
    QCOMPARE(Workplace::wait(*process).exit_code, -1);
    const Run run = place.open_log().find(id);
    QCOMPARE(run.signal.value_or(9), 9);
    QVERIFY(!run.reason.empty());
  }

  void a_run_that_is_slow_to_answer_stops_by_the_terminate() {
    Workplace place;
    const auto process = place.start({"run", "sample.stubborn", "--set", "seconds=3"});
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 2));
    const Ended stop = place.call({"stop", id, "--json", "--grace", "0.5"});
    // Its one long step was the last, so it is finished; what counts is that it was not killed.
    QCOMPARE(stop.json().at("state").get<std::string>(), std::string("finished"));
    QCOMPARE(Workplace::wait(*process).exit_code, 0);
  }

  void two_claim_one_queued_run_and_one_wins() {
    for (int round = 0; round < 5; ++round) {
      Workplace place;
      const std::string id = place.open_log().insert(queued_descent()).public_id;
      std::vector<std::unique_ptr<QProcess>> rivals;
      for (int i = 0; i < 3; ++i) rivals.push_back(place.start({"wait"}));
      const QByteArray line = QByteArray::fromStdString(id + "\n");
      for (const auto& rival : rivals) rival->write(line);
      for (const auto& rival : rivals) rival->waitForBytesWritten();
      int won = 0, refused = 0;
      for (const auto& rival : rivals) {
        const int code = Workplace::wait(*rival).exit_code;
        won += code == 0;
        refused += code == 2;
      }
      // A late one may come after the run is finished: refused as well.
      QCOMPARE(won, 1);
      QCOMPARE(refused, 2);
      Log log = place.open_log();
      int starts = 0;
      for (const Event& event : log.events(log.find(id).id)) {
        starts += event.text.starts_with("starting");
      }
      QCOMPARE(starts, 1);
      QCOMPARE(log.find(id).provenance.at("attempts").size(), std::size_t{1});
    }
  }

  void eight_runs_at_once_lose_nothing() {
    Workplace place;
    std::vector<std::unique_ptr<QProcess>> runs;
    for (int i = 1; i <= 8; ++i) {
      runs.push_back(place.start({"run", "sample.descent", "--json", "--seed", std::to_string(i),
                                  "--set", "steps=300", "--set", "delay_ms=2"}));
    }
    for (const auto& run : runs) {
      const Ended ended = Workplace::wait(*run);
      QVERIFY2(ended.exit_code == 0, ended.err.c_str());
      QVERIFY(ended.err.find("locked") == std::string::npos);
      Log log = place.open_log();
      const Run row = log.find(ended.json().at("run"));
      for (const char* key : {"loss", "best_loss", "x/0", "x/1", "x/2"}) {
        QCOMPARE(log.curve(row.id, key).size(), std::size_t{300});
      }
    }
  }
};

QTEST_GUILESS_MAIN(ControlTest)
#include "control_test.moc"
