// The writer of a run: round trips, last and best, replay after a resume, requests, heartbeat.
#include "core/log/writer.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <thread>

#include "log/temporary_log.h"
#include "support/error_message.h"

using namespace assay;
using namespace assay::test;
using namespace std::chrono_literals;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// What the final rows say, worked out the plain way.
MetricSummary summary_of(const std::map<std::int64_t, double>& rows, double sign) {
  MetricSummary summary;
  summary.first_step = rows.begin()->first;
  summary.step = rows.rbegin()->first;
  summary.last = rows.rbegin()->second;
  for (const auto& [step, value] : rows) {
    if (!std::isfinite(value) || sign == 0.0) continue;
    if (summary.best && value * sign <= *summary.best * sign) continue;
    summary.best = value;
    summary.best_step = step;
  }
  return summary;
}

MetricSummary summary_named(Log& log, std::int64_t run, const std::string& key) {
  for (const MetricSummary& metric : log.metrics(run)) {
    if (metric.key == key) return metric;
  }
  throw std::runtime_error("no metric " + key);
}

#define COMPARE_SUMMARY(actual, expected)                                    \
  do {                                                                       \
    QCOMPARE((actual).step, (expected).step);                                \
    QVERIFY(same((actual).last, (expected).last));                           \
    QCOMPARE((actual).first_step, (expected).first_step);                    \
    QCOMPARE((actual).best.has_value(), (expected).best.has_value());        \
    if ((expected).best) QCOMPARE(*(actual).best, *(expected).best);         \
    if ((expected).best) QCOMPARE((actual).best_step, (expected).best_step); \
  } while (false)

}  // namespace

class WriterTest : public QObject {
  Q_OBJECT

 private slots:
  void everything_comes_back();
  void values_without_a_number_are_kept();
  void the_first_row_goes_at_once();
  void rows_arrive_while_the_run_works();
  void last_and_best_follow_the_final_rows();
  void a_replay_leaves_the_log_of_an_uninterrupted_run();
  void a_worse_value_in_place_of_the_best();
  void another_direction_after_an_update();
  void lines_of_the_experiment_are_replaced();
  void a_replaced_artifact_is_new_to_followers();
  void requests_are_seen();
  void the_heart_beats();
  void many_threads_write();
};

void WriterTest::everything_comes_back() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  {
    RunWriter writer(place.path(), run.id, directions());
    writer.metric("loss", 0, 1.5, 0.25);
    writer.metric("loss", std::numeric_limits<std::int64_t>::max(), 1e-300, 1e9);
    writer.metric("größe/µ", -3, -0.0, 0.0);
    writer.event(EventLevel::warning, "careful: 'quotes', \"more\"; -- and ünïcode", 0);
    writer.event(EventLevel::error, "");
    Artifact artifact;
    artifact.key = "boundary/beta";
    artifact.kind = "image";
    artifact.step = 7;
    artifact.path = "runs/" + run.public_id + "/artifacts/boundary/beta/7.png";
    artifact.bytes = 1U << 31;
    artifact.sha256 = std::string(64, 'a');
    artifact.meta = Json{{"extent", {-1.0, 1.0}}, {"colors", "signed"}};
    writer.artifact(artifact);
    writer.timing("prepare", 0.125);
    writer.progress(3, 10, "epoch 3", 2.5, 2.8);
    writer.provenance(Json{{"commit", "abc"}, {"seeds", {{"data", 12}}}});
    writer.work_seconds(4.5);
    writer.close();
  }
  const auto loss = log.curve(run.id, "loss");
  QCOMPARE(loss.size(), std::size_t{2});
  QCOMPARE(loss[0].value, 1.5);
  QCOMPARE(loss[0].seconds, 0.25);
  QCOMPARE(loss[1].step, std::numeric_limits<std::int64_t>::max());
  QCOMPARE(loss[1].value, 1e-300);
  QCOMPARE(log.curve(run.id, "loss", 0).size(), std::size_t{1});
  const auto size = log.curve(run.id, "größe/µ");
  QCOMPARE(size.at(0).step, std::int64_t{-3});
  QCOMPARE(size.at(0).value, 0.0);  // SQLite keeps no sign of zero
  const auto events = log.events(run.id);
  QCOMPARE(events.size(), std::size_t{2});
  QCOMPARE(events[0].text, std::string("careful: 'quotes', \"more\"; -- and ünïcode"));
  QCOMPARE(events[0].level, EventLevel::warning);
  QCOMPARE(events[1].level, EventLevel::error);
  QCOMPARE(log.events(run.id, events[0].id).size(), std::size_t{1});
  QCOMPARE(log.events(run.id, 0, 1).size(), std::size_t{1});
  const auto artifacts = log.artifacts(run.id);
  QCOMPARE(artifacts.size(), std::size_t{1});
  QCOMPARE(artifacts[0].key, std::string("boundary/beta"));
  QCOMPARE(artifacts[0].bytes, std::uint64_t{1U << 31});
  QCOMPARE(artifacts[0].meta["extent"][1].get<double>(), 1.0);
  QCOMPARE(log.timings(run.id).at("prepare"), 0.125);
  const Run after = log.run(run.id);
  QCOMPARE(after.progress_done, std::int64_t{3});
  QCOMPARE(after.progress_total, std::int64_t{10});
  QCOMPARE(after.progress_text, std::string("epoch 3"));
  QCOMPARE(after.steps_per_second, 2.5);
  QCOMPARE(after.eta_seconds.value_or(0.0), 2.8);
  QCOMPARE(after.seconds, 4.5);
  QCOMPARE(after.provenance["seeds"]["data"].get<int>(), 12);
}

void WriterTest::values_without_a_number_are_kept() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  RunWriter writer(place.path(), run.id, directions());
  const std::vector<double> values{not_a_number, infinity, -infinity, 3.0, 2.0, not_a_number};
  for (std::size_t i = 0; i < values.size(); ++i) {
    writer.metric("loss", static_cast<std::int64_t>(i), values[i], 0.0);
    writer.metric("only_nan", static_cast<std::int64_t>(i), not_a_number, 0.0);
    writer.metric("accuracy", static_cast<std::int64_t>(i), infinity, 0.0);
  }
  writer.close();
  const auto curve = log.curve(run.id, "loss");
  QCOMPARE(curve.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) QVERIFY(same(curve[i].value, values[i]));
  const MetricSummary loss = summary_named(log, run.id, "loss");
  QVERIFY(std::isnan(loss.last));
  QCOMPARE(*loss.best, 2.0);
  QCOMPARE(loss.best_step, std::int64_t{4});
  QVERIFY(!summary_named(log, run.id, "only_nan").best);
  QVERIFY(!summary_named(log, run.id, "accuracy").best);
  QCOMPARE(summary_named(log, run.id, "accuracy").last, infinity);
}

void WriterTest::the_first_row_goes_at_once() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  RunWriter writer(place.path(), run.id, directions());
  // Between two of the thread's regular looks, which are 200 ms apart.
  std::this_thread::sleep_for(20ms);
  const auto begin = std::chrono::steady_clock::now();
  writer.metric("loss", 0, 1.0, 0.0);
  while (log.curve(run.id, "loss").empty()) {
    QVERIFY(std::chrono::steady_clock::now() - begin < 10s);
    std::this_thread::sleep_for(1ms);
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  QVERIFY2(took < 150ms, std::to_string(took / 1ms).c_str());
}

void WriterTest::rows_arrive_while_the_run_works() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  RunWriter writer(place.path(), run.id, directions());
  std::this_thread::sleep_for(10ms);
  writer.metric("loss", 0, 1.0, 0.0);
  std::this_thread::sleep_for(10ms);
  writer.metric("loss", 1, 1.0, 0.0);
  QTRY_COMPARE_WITH_TIMEOUT(log.curve(run.id, "loss").size(), std::size_t{2}, 5000);
  writer.metric("loss", 2, 1.0, 0.0);
  writer.flush();
  QCOMPARE(log.curve(run.id, "loss").size(), std::size_t{3});
}

// Random writes, replacements and restarts of the writer, against the plain rule.
void WriterTest::last_and_best_follow_the_final_rows() {
  std::mt19937 random(20261201);
  const std::map<std::string, double> signs{{"loss", -1.0}, {"accuracy/top1", 1.0}, {"norm", 0.0}};
  const std::vector<double> values{0.0, 1.0, 2.0, 3.0, infinity, -infinity, not_a_number};
  for (int round = 0; round < 25; ++round) {
    const TemporaryLog place;
    Log log = place.open();
    const Run run = running(log);
    std::map<std::string, std::map<std::int64_t, double>> rows;
    for (int attempt = 0; attempt < 3; ++attempt) {
      RunWriter writer(place.path(), run.id, directions());
      for (int i = 0; i < 12; ++i) {
        const auto key =
            std::next(signs.begin(), static_cast<long>(random() % signs.size()))->first;
        const auto step = static_cast<std::int64_t>(random() % 8);
        const double value = values[random() % values.size()];
        writer.metric(key, step, value, 0.0);
        rows[key][step] = value;
        if (random() % 4 == 0) writer.flush();
      }
      writer.close();
    }
    QCOMPARE(log.metrics(run.id).size(), rows.size());
    for (const auto& [key, final_rows] : rows) {
      QCOMPARE(log.curve(run.id, key).size(), final_rows.size());
      COMPARE_SUMMARY(summary_named(log, run.id, key), summary_of(final_rows, signs.at(key)));
    }
  }
}

void WriterTest::a_replay_leaves_the_log_of_an_uninterrupted_run() {
  const TemporaryLog place;
  Log log = place.open();
  const auto value = [](std::int64_t step) { return std::cos(static_cast<double>(step) * 0.37); };
  const auto write = [&](const Run& run, std::int64_t from, std::int64_t to) {
    RunWriter writer(place.path(), run.id, directions());
    for (std::int64_t step = from; step < to; ++step) {
      writer.metric("loss", step, value(step), static_cast<double>(step));
      writer.metric("accuracy", step, value(step), static_cast<double>(step));
      writer.event(EventLevel::info, "step " + std::to_string(step), step);
    }
    writer.close();
  };
  const Run whole = running(log), broken = running(log);
  write(whole, 0, 5000);
  write(broken, 0, 3100);  // killed here
  QCOMPARE(log.curve(broken.id, "loss").size(), std::size_t{3100});
  write(broken, 2000, 5000);  // its checkpoint was at 2000
  for (const char* key : {"loss", "accuracy"}) {
    const auto expected = log.curve(whole.id, key), actual = log.curve(broken.id, key);
    QCOMPARE(actual.size(), expected.size());
    QVERIFY(std::equal(expected.begin(), expected.end(), actual.begin(),
                       [](const MetricPoint& a, const MetricPoint& b) {
                         return a.step == b.step && a.value == b.value && a.seconds == b.seconds;
                       }));
    COMPARE_SUMMARY(summary_named(log, broken.id, key), summary_named(log, whole.id, key));
  }
  const auto expected = log.events(whole.id), actual = log.events(broken.id);
  QCOMPARE(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(actual[i].text, expected[i].text);
}

void WriterTest::a_worse_value_in_place_of_the_best() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  RunWriter writer(place.path(), run.id, directions());
  for (std::int64_t step = 0; step < 10; ++step) {
    writer.metric("loss", step, std::abs(static_cast<double>(step) - 6.0), 0.0);
  }
  writer.flush();
  QCOMPARE(summary_named(log, run.id, "loss").best_step, std::int64_t{6});
  writer.metric("loss", 6, 100.0, 0.0);
  writer.flush();
  QCOMPARE(*summary_named(log, run.id, "loss").best, 1.0);
  QCOMPARE(summary_named(log, run.id, "loss").best_step, std::int64_t{5});  // of 5 and 7
  for (std::int64_t step = 0; step < 10; ++step) writer.metric("loss", step, not_a_number, 0.0);
  writer.close();
  QVERIFY(!summary_named(log, run.id, "loss").best);
}

void WriterTest::another_direction_after_an_update() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  const auto write = [&](Better better, std::int64_t step) {
    RunWriter::MetricDirections all;
    all.better["score"] = better;
    RunWriter writer(place.path(), run.id, all);
    writer.metric("score", step, static_cast<double>(step), 0.0);
    writer.close();
  };
  write(Better::lower, 1);
  write(Better::lower, 2);
  QCOMPARE(*summary_named(log, run.id, "score").best, 1.0);
  write(Better::higher, 0);
  QCOMPARE(*summary_named(log, run.id, "score").best, 2.0);
  write(Better::neither, 3);
  QVERIFY(!summary_named(log, run.id, "score").best);
}

void WriterTest::lines_of_the_experiment_are_replaced() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  RunWriter writer(place.path(), run.id, directions());
  for (int i = 0; i < 3; ++i) writer.event(EventLevel::info, "line " + std::to_string(i), i);
  writer.event(EventLevel::info, "resumed from step 1");
  writer.event(EventLevel::info, "resumed from step 1");
  writer.event(EventLevel::info, "line 1", 1);
  writer.event(EventLevel::warning, "line 2, but different", 2);
  writer.close();
  std::vector<std::string> texts;
  for (const Event& event : log.events(run.id)) texts.push_back(event.text);
  const std::vector<std::string> expected{"line 0", "line 1", "line 2, but different",
                                          "resumed from step 1", "resumed from step 1"};
  QCOMPARE(texts, expected);
}

void WriterTest::a_replaced_artifact_is_new_to_followers() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  RunWriter writer(place.path(), run.id, directions());
  Artifact artifact;
  artifact.key = "image";
  artifact.kind = "image";
  artifact.sha256 = "first";
  writer.artifact(artifact);
  writer.flush();
  const std::int64_t seen = log.artifacts(run.id).at(0).id;
  artifact.sha256 = "second";
  writer.artifact(artifact);
  writer.close();
  QCOMPARE(log.artifacts(run.id).size(), std::size_t{1});
  QCOMPARE(log.artifacts(run.id, seen).size(), std::size_t{1});
  QCOMPARE(log.artifacts(run.id).at(0).sha256, std::string("second"));
}

void WriterTest::requests_are_seen() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  RunWriter writer(place.path(), run.id, directions());
  QVERIFY(!writer.pause_requested());
  log.request(run.id, Request::Kind::pause);
  QTRY_VERIFY_WITH_TIMEOUT(writer.pause_requested(), 5000);
  QVERIFY(!writer.stop_requested());
  log.request(run.id, Request::Kind::stop);
  QTRY_VERIFY_WITH_TIMEOUT(writer.stop_requested(), 5000);
}

void WriterTest::the_heart_beats() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  const RunWriter writer(place.path(), run.id, directions());
  const double first = log.run(run.id).heartbeat;
  QVERIFY(std::abs(first - now_seconds()) < 5.0);
  QTRY_VERIFY_WITH_TIMEOUT(log.run(run.id).heartbeat > first + 1.5, 8000);
  QVERIFY(!log.run(run.id).heartbeat_late(now_seconds()));
}

void WriterTest::many_threads_write() {
  const TemporaryLog place;
  Log log = place.open();
  const Run run = running(log);
  RunWriter writer(place.path(), run.id, directions());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&writer, t] {
      for (std::int64_t step = 0; step < 5000; ++step) {
        writer.metric("loss/" + std::to_string(t), step, static_cast<double>(step), 0.0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  writer.close();
  for (int t = 0; t < 4; ++t) {
    const std::string key = "loss/" + std::to_string(t);
    QCOMPARE(log.curve(run.id, key).size(), std::size_t{5000});
    QCOMPARE(*summary_named(log, run.id, key).best, 0.0);
    QCOMPARE(summary_named(log, run.id, key).last, 4999.0);
  }
}

QTEST_APPLESS_MAIN(WriterTest)
#include "writer_test.moc"
