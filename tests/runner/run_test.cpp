// run: the same bits twice, what is printed, what is stored, and how a run fails.
#include <QtTest>
#include <set>

#include "core/base/sha256.h"
#include "core/formats/tensors.h"
#include "runner/harness.h"

using namespace assay;
using namespace assay::test;

class RunTest : public QObject {
  Q_OBJECT

 private slots:
  void twice_the_same_bits() {
    Workplace place;
    const Json first = place.call({"run", "sample.descent", "--seed", "3", "--json"}).json();
    const Json second = place.call({"run", "sample.descent", "--seed", "3", "--json"}).json();
    const Json other = place.call({"run", "sample.descent", "--seed", "4", "--json"}).json();
    QCOMPARE(first.at("state").get<std::string>(), std::string("finished"));
    QCOMPARE(first.at("metrics").dump(), second.at("metrics").dump());
    QCOMPARE(first.at("state_sha256").get<std::string>().size(), std::size_t{64});
    QCOMPARE(first.at("state_sha256"), second.at("state_sha256"));
    QVERIFY(first.at("state_sha256") != other.at("state_sha256"));
    QCOMPARE(metric_table(place.log_path(), first.at("run")),
             metric_table(place.log_path(), second.at("run")));
    QCOMPARE(artifact_table(place.log_path(), first.at("run")),
             artifact_table(place.log_path(), second.at("run")));
  }

  void prints_one_object_and_talks_on_standard_error() {
    Workplace place;
    const Ended ended = place.call({"run", "sample.descent", "--json", "--name", "mine", "--tag",
                                    "a", "--tag", "b", "--set", "steps=12", "--threads", "1"});
    QCOMPARE(ended.exit_code, 0);
    const Json json = ended.json();
    QVERIFY(json.is_object());
    QCOMPARE(json.at("metrics").at("loss").at("step").get<int>(), 12);
    QVERIFY(json.at("metrics").at("loss").at("best").is_number());
    QVERIFY(json.at("metrics").at("dimension").at("best").is_null());
    QVERIFY(json.at("seconds").is_number());
    QVERIFY(json.at("timings").contains("prepare"));
    QCOMPARE(json.at("log").get<std::string>(), place.log_path());
    QVERIFY(ended.err.find("step 10") != std::string::npos);
    Log log = place.open_log();
    const Run run = log.find("mine");
    QVERIFY(run.tags == std::vector<std::string>({"a", "b"}));
    QCOMPARE(run.threads, 1);
    QCOMPARE(run.exit_code.value_or(-1), 0);
    QCOMPARE(run.progress_done, std::int64_t{12});
  }

  void show_tells_everything() {
    Workplace place;
    const std::string data = place.write("pictures.bin", "abc");
    const Json run =
        place.call({"run", "sample.gallery", "--json", "--seed", "5", "--set", "data=" + data})
            .json();
    const Json shown = place.call({"show", run.at("run"), "--json"}).json();
    for (const auto& [key, value] : run.items()) QCOMPARE(shown.at(key).dump(), value.dump());
    QCOMPARE(shown.at("parameters").at("kilobytes").get<int>(), 1);
    const Json& provenance = shown.at("provenance");
    QCOMPARE(provenance.at("data").at(0).at("sha256").get<std::string>(), sha256_of("abc"));
    QCOMPARE(provenance.at("data").at(0).at("licence").get<std::string>(),
             std::string("BSD-3-Clause"));
    QCOMPARE(provenance.at("libraries").at("sample").get<std::string>(), std::string("1.0"));
    QCOMPARE(provenance.at("seed").get<int>(), 5);
    QVERIFY(provenance.at("attempts").size() == 1);
    bool finished = false;
    for (const Json& event : shown.at("events")) {
      finished |= event.at("text").get<std::string>().starts_with("finished after 3 steps");
    }
    QVERIFY(finished);
  }

  void seeds_are_recorded_by_name() {
    Workplace place;
    const Json run = place.call({"run", "sample.descent", "--json"}).json();
    const Json shown = place.call({"show", run.at("run"), "--json"}).json();
    const Json& seeds = shown.at("provenance").at("seeds");
    QVERIFY(seeds.contains("noise") && seeds.contains("start"));
    QVERIFY(seeds.at("noise") != seeds.at("start"));
  }

  void artifacts_are_files_with_their_digest() {
    Workplace place;
    const Json run = place.call({"run", "sample.gallery", "--json"}).json();
    const Json shown = place.call({"show", run.at("run"), "--json"}).json();
    QCOMPARE(shown.at("artifacts").size(), std::size_t{12});
    std::set<std::string> kinds;
    for (const Json& artifact : shown.at("artifacts")) {
      kinds.insert(artifact.at("kind"));
      const std::filesystem::path path = artifact.at("path").get<std::string>();
      QVERIFY(path.is_relative());
      const auto file = std::filesystem::path(place.log_path()) / path;
      QCOMPARE(std::filesystem::file_size(file), artifact.at("bytes").get<std::uintmax_t>());
      QCOMPARE(sha256_of_file(file), artifact.at("sha256").get<std::string>());
    }
    QVERIFY(kinds == std::set<std::string>({"image", "table", "tensor", "text"}));
  }

  void numbers_beyond_the_reals_are_words() {
    Workplace place;
    const Ended ended = place.call({"run", "sample.divergent", "--json"});
    QCOMPARE(ended.exit_code, 0);  // what a loss means is the experiment's matter
    const Json json = ended.json();
    QCOMPARE(json.at("metrics").at("loss").at("last").get<std::string>(), std::string("nan"));
    QCOMPARE(json.at("metrics").at("loss").at("best").get<double>(), 1e100);
    Log log = place.open_log();
    const auto curve = log.curve(log.find(json.at("run")).id, "loss");
    QCOMPARE(curve.size(), std::size_t{8});
    QVERIFY(std::isinf(curve[3].value) && curve[3].value > 0);
    QVERIFY(std::isnan(curve[7].value));
  }

  void failures_have_reason_and_code_data() {
    QTest::addColumn<QString>("when");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("reason");
    QTest::newRow("prepare_input") << "prepare_input" << 2 << "data.idx: there is no such file";
    QTest::newRow("prepare") << "prepare" << 3 << "no device of that name";
    QTest::newRow("step") << "step" << 3 << "shapes [2, 3] and [4] don't match";
    QTest::newRow("step_input") << "step_input" << 3 << "batch 3: truncated image";
    QTest::newRow("memory") << "memory" << 3 << "out of memory";
    QTest::newRow("logic") << "logic" << 3 << "no_such_key";
    QTest::newRow("number") << "number" << 3 << "no exception";
    QTest::newRow("finish") << "finish" << 3 << "nothing to evaluate";
  }

  void failures_have_reason_and_code() {
    QFETCH(QString, when);
    QFETCH(int, code);
    QFETCH(QString, reason);
    Workplace place;
    const Ended ended =
        place.call({"run", "sample.fault", "--json", "--set", "when=" + when.toStdString()});
    QCOMPARE(ended.exit_code, code);
    QVERIFY2(QString::fromStdString(ended.err).contains(reason), ended.err.c_str());
    QVERIFY(ended.err.find("frame #0") == std::string::npos);
    const Json json = ended.json();
    QCOMPARE(json.at("state").get<std::string>(), std::string("failed"));
    QCOMPARE(json.at("exit_code").get<int>(), code);
    QVERIFY(QString::fromStdString(json.at("reason")).contains(reason));
    const bool began = when != "prepare" && when != "prepare_input";
    QCOMPARE(json.at("metrics").contains("loss"), began);
    if (began) QCOMPARE(json.at("metrics").at("loss").at("step").get<int>(), 3);
  }

  void an_abort_shows_as_crashed() {
    Workplace place;
    const Ended ended = place.call({"run", "sample.fault", "--set", "when=abort"});
    QCOMPARE(ended.exit_code, -1);
    const Json shown = place.call({"show", place.wait_for_run(), "--json"}).json();
    QCOMPARE(shown.at("state").get<std::string>(), std::string("crashed"));
  }

  void a_library_of_another_interface_fails_the_run() {
    Workplace place;
    const Ended ended = place.call({"run", "mismatched.nothing", "--json"});
    QCOMPARE(ended.exit_code, 3);
    QVERIFY2(ended.err.find("plugin interface") != std::string::npos, ended.err.c_str());
    QCOMPARE(ended.json().at("state").get<std::string>(), std::string("failed"));
  }

  void a_file_sets_everything_and_the_command_line_beats_it() {
    Workplace place;
    const std::string file =
        place.write("mine.toml",
                    "experiment = \"sample.descent\"\npreset = \"quick\"\nseed = 9\n"
                    "[parameters]\nsteps = 5\nmethod = \"momentum\"\n");
    const Json json = place.call({"run", file, "--set", "steps=6", "--json"}).json();
    QCOMPARE(json.at("seed").get<int>(), 9);
    QCOMPARE(json.at("metrics").at("loss").at("step").get<int>(), 6);
    Log log = place.open_log();
    const ParameterSet set = log.parameter_set(log.find(json.at("run")).id);
    QVERIFY(set.all().at("steps").origin == Origin::set);
    QVERIFY(set.all().at("method").origin == Origin::file);
    QVERIFY(set.all().at("noise").origin == Origin::default_value);
  }

  void relative_paths_are_stored_whole() {
    Workplace place;
    place.write("pictures.bin", "abc");
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("ASSAY_PLUGINS", ASSAY_TEST_BUILD_DIR "/tests/plugins");
    environment.insert("ASSAY_LOG", QString::fromStdString(place.log_path()));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(QString::fromStdString(place.path("")));
    process.start(QStringLiteral(ASSAY_TEST_BUILD_DIR "/bin/assay-run"),
                  {"run", "sample.gallery", "--set", "data=pictures.bin", "--json"});
    const Json json = Workplace::wait(process).json();
    Log log = place.open_log();
    const std::string stored = log.parameter_set(log.find(json.at("run")).id).text("data");
    QVERIFY2(std::filesystem::path(stored).is_absolute(), stored.c_str());
    QVERIFY(std::filesystem::exists(stored));
  }
};

QTEST_GUILESS_MAIN(RunTest)
#include "run_test.moc"
