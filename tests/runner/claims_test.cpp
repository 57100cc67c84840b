// claims: needed runs are made once and reused, one that aborts costs nothing but itself.
#include <QtTest>

#include "runner/harness.h"

using namespace assay;
using namespace assay::test;

namespace {

// As the sample's claims set them.
const std::string coordinates = "curvatures=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1";

const Json& claim(const Json& result, const std::string& id) {
  for (const Json& candidate : result.at("claims")) {
    if (candidate.at("claim") == id) return candidate;
  }
  throw std::runtime_error("no claim " + id);
}

int reused(const Json& result) {
  int count = 0;
  for (const Json& run : result.at("runs")) count += run.at("reused").get<bool>();
  return count;
}

}  // namespace

class ClaimsTest : public QObject {
  Q_OBJECT

 private slots:
  void decides_stores_and_reuses() {
    Workplace place;
    const Ended ended = place.call({"claims", "sample", "--seeds", "5", "--json"});
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    const Json result = ended.json();
    // 5 seeds with noise, 5 without, shared by three claims; one that aborts.
    QCOMPARE(result.at("runs").size(), std::size_t{11});
    QCOMPARE(reused(result), 0);
    QCOMPARE(claim(result, "noise_hurts").at("verdict").get<std::string>(),
             std::string("reproduced"));
    QCOMPARE(claim(result, "noise_hurts").at("pairs").size(), std::size_t{5});
    QCOMPARE(claim(result, "noise_rises").at("verdict").get<std::string>(),
             std::string("not reproduced"));
    QCOMPARE(claim(result, "dimension").at("verdict").get<std::string>(),
             std::string("reproduced"));
    const Json& aborted = claim(result, "aborts");
    QCOMPARE(aborted.at("verdict").get<std::string>(), std::string("undecided"));
    QVERIFY2(aborted.at("reason").get<std::string>().find("crashed") != std::string::npos,
             aborted.dump().c_str());

    Log log = place.open_log();
    QCOMPARE(log.count({}), std::int64_t{11});
    QCOMPARE(log.claims("sample").size(), std::size_t{4});

    const Json again = place.call({"claims", "sample", "--seeds", "5", "--json"}).json();
    QCOMPARE(reused(again), 10);
    QCOMPARE(claim(again, "noise_hurts").dump(), claim(result, "noise_hurts").dump());
    QCOMPARE(log.count({}), std::int64_t{11});  // the aborted one was tried again, not made anew
  }

  void a_run_by_hand_counts_too() {
    Workplace place;
    const Json run = place
                         .call({"run", "sample.descent", "--json", "--set", "noise=0", "--set",
                                coordinates, "--seed", "1"})
                         .json();
    const Json result = place.call({"claims", "sample", "--seeds", "1", "--json"}).json();
    QCOMPARE(reused(result), 1);
    QCOMPARE(result.at("runs").size(), std::size_t{3});
    const Json& few = claim(result, "noise_hurts");
    QCOMPARE(few.at("verdict").get<std::string>(), std::string("undecided"));
    QCOMPARE(few.at("pairs").at(0).at("right_run"), run.at("run"));
  }

  void an_interrupted_run_goes_on() {
    Workplace place;
    const auto process =
        place.start({"run", "sample.descent", "--set", "noise=0", "--set", coordinates, "--set",
                     "steps=400", "--set", "delay_ms=10", "--preset", "long"});
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 20));
    process->kill();
    Workplace::wait(*process);
    const Ended ended =
        place.call({"claims", "sample", "--seeds", "1", "--preset", "long", "--json"});
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    const Json shown = place.call({"show", id, "--json"}).json();
    QCOMPARE(shown.at("state").get<std::string>(), std::string("finished"));
  }

  void a_table_for_people() {
    Workplace place;
    const Ended ended = place.call({"claims", "sample", "--seeds", "1"});
    QCOMPARE(ended.exit_code, 0);
    QVERIFY2(ended.out.find("Noise hurts") != std::string::npos, ended.out.c_str());
    QVERIFY(ended.out.find("verdict") != std::string::npos);
  }

  void bad_input_is_told() {
    Workplace place;
    const Ended plugin = place.call({"claims", "smaple"});
    QCOMPARE(plugin.exit_code, 2);
    QVERIFY(plugin.err.find("sample") != std::string::npos);
    const Ended preset = place.call({"claims", "sample", "--preset", "huge"});
    QCOMPARE(preset.exit_code, 2);
    QVERIFY2(preset.err.find("huge") != std::string::npos, preset.err.c_str());
    QCOMPARE(place.call({"claims", "sample", "--seeds", "0"}).exit_code, 2);
    QVERIFY(!std::filesystem::exists(place.log_path()));
  }
};

QTEST_GUILESS_MAIN(ClaimsTest)
#include "claims_test.moc"
