// Rates, estimates and the rate limit of progress.
#include "core/engine/progress_meter.h"

#include <QtTest>

using assay::ProgressMeter;

class ProgressMeterTest : public QObject {
  Q_OBJECT

 private slots:
  void tells_rate_and_what_is_left() {
    ProgressMeter meter;
    for (int step = 0; step <= 100; ++step) meter.update(step, 1000, "x", 0.05 * step);
    const auto latest = meter.latest();
    QVERIFY(std::abs(latest->per_second - 20.0) < 1e-9);
    QVERIFY(std::abs(*latest->eta_seconds - 45.0) < 1e-9);
  }

  void reports_at_most_every_200_ms_and_the_end_at_once() {
    ProgressMeter meter;
    int reports = 0;
    for (int step = 0; step < 1000; ++step) {
      reports += meter.update(step, 1000, {}, 0.001 * step).has_value();
    }
    QCOMPARE(reports, 5);  // at 0, 0.2, 0.4, 0.6, 0.8 s
    QVERIFY(meter.update(1000, 1000, {}, 1.0).has_value());
    QVERIFY(meter.update(1000, 1000, {}, 1.0001).has_value());
  }

  void a_resumed_run_counts_only_its_own_work() {
    ProgressMeter meter;
    meter.update(5000, 6000, {}, 0.0);
    meter.update(5010, 6000, {}, 1.0);
    QVERIFY(std::abs(meter.latest()->per_second - 10.0) < 1e-9);
    QVERIFY(std::abs(*meter.latest()->eta_seconds - 99.0) < 1e-9);
  }

  void follows_a_change_of_speed_within_15_s() {
    ProgressMeter meter;
    double time = 0.0;
    std::int64_t done = 0;
    for (; time < 100.0; time += 1.0) meter.update(done++, 100000, {}, time);
    for (int i = 0; i < 16; ++i, time += 1.0) meter.update(done += 10, 100000, {}, time);
    QVERIFY(meter.latest()->per_second > 9.0);
  }

  void another_phase_starts_anew() {
    ProgressMeter meter;
    for (int step = 0; step <= 100; ++step) meter.update(step, 100, "train", 0.1 * step);
    meter.update(0, 10, "evaluate", 10.1);
    QCOMPARE(meter.latest()->per_second, 0.0);
    QVERIFY(!meter.latest()->eta_seconds);
  }

  void no_total_no_estimate() {
    ProgressMeter meter;
    for (int step = 0; step <= 50; ++step) meter.update(step, 0, {}, 0.1 * step);
    QVERIFY(!meter.latest()->eta_seconds);
    QVERIFY(meter.latest()->per_second > 9.9);
  }
};

QTEST_APPLESS_MAIN(ProgressMeterTest)
#include "progress_meter_test.moc"
