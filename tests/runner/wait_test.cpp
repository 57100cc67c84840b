// wait: the warm runner is silent, runs what it is told, and ends with its input.
#include <QtTest>
#include <fstream>
#include <sstream>

#include "core/base/process.h"
#include "runner/harness.h"

using namespace assay;
using namespace assay::test;

namespace {

Run queue(const Workplace& place, int threads, std::uint64_t seed = 3) {
  NewRun run;
  run.plugin = "sample";
  run.experiment = "descent";
  run.version = 2;
  run.preset = "quick";
  run.seed = seed;
  run.threads = threads;
  return place.open_log().insert(run);
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

bool loaded(const QProcess& process) {
  return text_of("/proc/" + std::to_string(process.processId()) + "/maps").find("libsample.so") !=
         std::string::npos;
}

}  // namespace

class WaitTest : public QObject {
  Q_OBJECT

 private slots:
  void ends_with_its_input() {
    Workplace place;
    const Ended ended = place.call({"wait"});
    QCOMPARE(ended.exit_code, 0);
    QVERIFY(ended.out.empty());
    QVERIFY2(ended.err.empty(), ended.err.c_str());
    QVERIFY(!std::filesystem::exists(place.log_path()));
  }

  void loads_the_libraries_before_it_is_asked() {
    Workplace place;
    const auto warm = place.start({"wait"});
    QVERIFY(until([&] { return loaded(*warm); }));
    warm->closeWriteChannel();
    QCOMPARE(Workplace::wait(*warm).exit_code, 0);
  }

  void runs_what_it_is_told_with_the_bits_of_a_cold_run() {
    Workplace place;
    const Json cold = place.call({"run", "sample.descent", "--seed", "3", "--json"}).json();
    const Run run = queue(place, 0);
    const Ended warm = place.call({"wait", "--json"}, run.public_id + "\n");
    QCOMPARE(warm.exit_code, 0);
    QVERIFY(warm.out.empty() && warm.err.empty());
    const Json shown = place.call({"show", run.public_id, "--json"}).json();
    QCOMPARE(shown.at("state").get<std::string>(), std::string("finished"));
    QCOMPARE(shown.at("state_sha256"), cold.at("state_sha256"));
    QCOMPARE(shown.at("threads"), cold.at("threads"));
    QCOMPARE(metric_table(place.log_path(), run.public_id),
             metric_table(place.log_path(), cold.at("run")));
    const std::string output = text_of(place.log_path() + "/runs/" + run.public_id + "/log.txt");
    QVERIFY2(output.find("step 40") != std::string::npos, output.c_str());
  }

  void another_number_of_threads_gets_a_cold_process() {
    Workplace place;
    const int threads = core_count() + 1;
    const Run run = queue(place, threads);
    QCOMPARE(place.call({"wait"}, run.public_id + "\n").exit_code, 0);
    const Json shown = place.call({"show", run.public_id, "--json"}).json();
    QCOMPARE(shown.at("threads").get<int>(), threads);
    QCOMPARE(shown.at("provenance").at("libraries").at("sample_threads").get<int>(), threads);
  }

  void one_run_only() {
    Workplace place;
    const Run first = queue(place, 0, 1), second = queue(place, 0, 2);
    const Ended ended = place.call({"wait"}, first.public_id + "\n" + second.public_id + "\n");
    QCOMPARE(ended.exit_code, 0);
    QVERIFY(place.open_log().find(second.public_id).state == RunState::queued);
  }

  void an_unknown_run_is_bad_input() {
    Workplace place;
    queue(place, 0);
    const Ended ended = place.call({"wait"}, "zzzzzzzzzz\n");
    QCOMPARE(ended.exit_code, 2);
    QVERIFY(ended.err.find("zzzzzzzzzz") != std::string::npos);
  }

  void outlives_who_started_it() {
    Workplace place;
    NewRun request;
    request.plugin = "sample";
    request.experiment = "descent";
    request.version = 2;
    request.preset = "quick";
    request.parameters.set("steps", std::int64_t{100}, Origin::set);
    request.parameters.set("delay_ms", std::int64_t{5}, Origin::set);
    const Run run = place.open_log().insert(request);
    const auto warm = place.start({"wait"});
    warm->write(QByteArray::fromStdString(run.public_id + "\n"));
    QVERIFY(warm->waitForBytesWritten());
    QVERIFY(place.wait_for_step(run.public_id, "loss", 5));
    warm->closeWriteChannel();  // the window is gone: the run is not
    QVERIFY(place.wait_for_state(run.public_id, RunState::finished));
    Workplace::wait(*warm);
  }
};

QTEST_GUILESS_MAIN(WaitTest)
#include "wait_test.moc"
