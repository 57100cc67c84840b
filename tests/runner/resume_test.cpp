// Killed, stopped, paused, and gone on: the same bits as if nothing had happened.
#include <signal.h>

#include <QtTest>
#include <set>

#include "runner/harness.h"

using namespace assay;
using namespace assay::test;

namespace {

const Words long_run = {"run",         "sample.descent", "--seed",         "11",
                        "--json",      "--set",          "steps=150",      "--set",
                        "delay_ms=10", "--set",          "method=momentum"};

// What an uninterrupted run with these settings leaves, made once.
struct Reference {
  std::string metrics, artifacts, digest, lines;
};

std::string lines_of(const std::string& log_path, const std::string& id) {
  Log log(log_path);
  std::string lines;
  for (const Event& event : log.events(log.find(id).id)) {
    if (event.text.starts_with("step ") || event.text.starts_with("starting")) {
      lines += event.text + "\n";
    }
  }
  return lines;
}

Reference reference_of(const std::string& log_path, const Json& run) {
  const std::string id = run.at("run");
  return {metric_table(log_path, id), artifact_table(log_path, id), run.at("state_sha256"),
          lines_of(log_path, id)};
}

int resumed_from(const Json& shown) {
  int step = -1;
  for (const Json& event : shown.at("events")) {
    const std::string text = event.at("text");
    if (text.starts_with("resumed from step ")) step = std::stoi(text.substr(18));
  }
  return step;
}

std::set<std::string> lines_in(const std::string& table) {
  std::set<std::string> lines;
  std::istringstream text(table);
  for (std::string line; std::getline(text, line);) {
    if (line.find(" last ") == std::string::npos) lines.insert(line);
  }
  return lines;
}

}  // namespace

class ResumeTest : public QObject {
  Q_OBJECT

  Reference reference_;

  void expect_reference(const Workplace& place, const Json& run) {
    QCOMPARE(run.at("state").get<std::string>(), std::string("finished"));
    const Reference got = reference_of(place.log_path(), run);
    QCOMPARE(got.digest, reference_.digest);
    QCOMPARE(got.metrics, reference_.metrics);
    QCOMPARE(got.artifacts, reference_.artifacts);
    QCOMPARE(got.lines, reference_.lines);
  }

 private slots:
  void initTestCase() {
    Workplace place;
    Words words = long_run;
    words[8] = "delay_ms=0";
    const Ended ended = place.call(words);
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    reference_ = reference_of(place.log_path(), ended.json());
  }

  void a_killed_run_crashed_and_goes_on_to_the_same_bits() {
    Workplace place;
    const auto process = place.start(long_run);
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_checkpoint(id));
    QVERIFY(place.wait_for_step(id, "loss", 60));
    const std::set<std::string> committed = lines_in(metric_table(place.log_path(), id));
    process->kill();
    QCOMPARE(Workplace::wait(*process).exit_code, -1);

    const Json shown = place.call({"show", id, "--json"}).json();
    QCOMPARE(shown.at("state").get<std::string>(), std::string("crashed"));
    QVERIFY(!shown.at("reason").get<std::string>().empty());
    const std::set<std::string> kept = lines_in(metric_table(place.log_path(), id));
    QVERIFY(std::includes(kept.begin(), kept.end(), committed.begin(), committed.end()));

    const Ended resumed = place.call({"resume", id, "--json"});
    QVERIFY2(resumed.exit_code == 0, resumed.err.c_str());
    expect_reference(place, resumed.json());
    const Json after = place.call({"show", id, "--json"}).json();
    QVERIFY2(resumed_from(after) > 10, qPrintable(QString::number(resumed_from(after))));
    QCOMPARE(after.at("provenance").at("attempts").size(), std::size_t{2});
    const std::set<std::string> last = lines_in(metric_table(place.log_path(), id));
    QVERIFY(std::includes(last.begin(), last.end(), committed.begin(), committed.end()));
  }

  void several_kills_in_a_row() {
    Workplace place;
    auto process = place.start(long_run);
    const std::string id = place.wait_for_run();
    for (const std::int64_t step : {5, 30, 31, 80, 120}) {
      QVERIFY(place.wait_for_step(id, "loss", step));
      process->kill();
      Workplace::wait(*process);
      process = place.start({"resume", id, "--json"});
    }
    const Ended last = Workplace::wait(*process);
    QVERIFY2(last.exit_code == 0, last.err.c_str());
    expect_reference(place, last.json());
  }

  void killed_before_the_first_checkpoint_begins_again() {
    Workplace place;
    place.set("ASSAY_CHECKPOINT_SECONDS", "1000");
    const auto process = place.start(long_run);
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 20));
    process->kill();
    Workplace::wait(*process);
    const Json resumed = place.call({"resume", id, "--json"}).json();
    expect_reference(place, resumed);
    QCOMPARE(resumed_from(place.call({"show", id, "--json"}).json()), -1);
  }

  void a_stop_exits_130_and_resumes() {
    Workplace place;
    const auto process = place.start(long_run);
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 30));
    const Ended stop = place.call({"stop", id, "--json"});
    QCOMPARE(stop.exit_code, 0);
    QCOMPARE(stop.json().at("state").get<std::string>(), std::string("stopped"));
    const Ended ended = Workplace::wait(*process);
    QCOMPARE(ended.exit_code, 130);
    QCOMPARE(ended.json().at("state").get<std::string>(), std::string("stopped"));
    QVERIFY(ended.json().at("metrics").at("loss").at("step").get<int>() < 150);
    expect_reference(place, place.call({"resume", id, "--json"}).json());
  }

  void a_pause_exits_0_and_resumes() {
    Workplace place;
    const auto process = place.start(long_run);
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 30));
    const Ended pause = place.call({"pause", id, "--json"});
    QCOMPARE(pause.json().at("state").get<std::string>(), std::string("paused"));
    const Ended ended = Workplace::wait(*process);
    QCOMPARE(ended.exit_code, 0);
    QCOMPARE(ended.json().at("state").get<std::string>(), std::string("paused"));
    expect_reference(place, place.call({"resume", id, "--json"}).json());
  }

  void signals_stop_at_the_next_step() {
    for (const int number : {SIGINT, SIGTERM}) {
      Workplace place;
      const auto process = place.start(long_run);
      const std::string id = place.wait_for_run();
      QVERIFY(place.wait_for_step(id, "loss", 20));
      kill(static_cast<pid_t>(process->processId()), number);
      const Ended ended = Workplace::wait(*process);
      QCOMPARE(ended.exit_code, 130);
      QCOMPARE(ended.json().at("state").get<std::string>(), std::string("stopped"));
      expect_reference(place, place.call({"resume", id, "--json"}).json());
    }
  }

  void a_second_signal_exits_at_once() {
    Workplace place;
    const auto process = place.start({"run", "sample.stubborn"});
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 2));
    const auto pid = static_cast<pid_t>(process->processId());
    kill(pid, SIGINT);
    QVERIFY(!process->waitForFinished(300));  // the first one is only noted
    kill(pid, SIGINT);
    QVERIFY(process->waitForFinished(5000));
    QVERIFY(place.wait_for_state(id, RunState::crashed));
  }

  void a_failed_run_can_be_tried_again() {
    Workplace place;
    const Ended ended = place.call({"run", "sample.fault", "--json"});
    QCOMPARE(ended.exit_code, 3);
    const Ended again = place.call({"resume", ended.json().at("run"), "--json"});
    QCOMPARE(again.exit_code, 3);
    QVERIFY(again.err.find("don't match") != std::string::npos);
  }

  void a_finished_run_is_only_printed() {
    Workplace place;
    const Json run = place.call({"run", "sample.descent", "--json"}).json();
    const Ended again = place.call({"resume", run.at("run"), "--json"});
    QCOMPARE(again.exit_code, 0);
    QCOMPARE(again.json().dump(), run.dump());
  }

  void a_running_run_is_refused() {
    Workplace place;
    const auto process = place.start(long_run);
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 5));
    const Ended refused = place.call({"resume", id});
    QCOMPARE(refused.exit_code, 2);
    QVERIFY2(refused.err.find("is running") != std::string::npos, refused.err.c_str());
    QCOMPARE(Workplace::wait(*process).exit_code, 0);
  }

  void a_damaged_checkpoint_is_told_and_kept() {
    Workplace place;
    const auto process = place.start(long_run);
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 20));
    QCOMPARE(place.call({"stop", id}).exit_code, 0);
    Workplace::wait(*process);
    const auto file =
        std::filesystem::path(place.log_path()) / "runs" / id / "checkpoint" / "state.safetensors";
    std::filesystem::resize_file(file, 30);
    const Ended ended = place.call({"resume", id, "--json"});
    QCOMPARE(ended.exit_code, 2);
    QVERIFY2(ended.err.find("state.safetensors") != std::string::npos, ended.err.c_str());
    QCOMPARE(ended.json().at("state").get<std::string>(), std::string("failed"));
    QVERIFY(ended.json().at("metrics").at("loss").at("step").get<int>() >= 20);
    std::filesystem::remove(file);  // as the message says: from the beginning
    expect_reference(place, place.call({"resume", id, "--json"}).json());
  }
};

QTEST_GUILESS_MAIN(ResumeTest)
#include "resume_test.moc"
