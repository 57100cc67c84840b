// Bad input: exit code 2, one clear line per problem, nothing in the log.
#include <QtTest>

#include "runner/harness.h"

using namespace assay;
using namespace assay::test;

class InputTest : public QObject {
  Q_OBJECT

 private slots:
  void is_refused_by_one_line_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("parts");  // that the line holds
    using L = QStringList;
    QTest::newRow("unknown key") << L{"sample.descent", "--set", "lerning_rate=0.1"}
                                 << L{"lerning_rate", "learning_rate"};
    QTest::newRow("out of range") << L{"sample.descent", "--set", "learning_rate=7"}
                                  << L{"learning_rate: 7 is out of range", "allowed"};
    QTest::newRow("in a list") << L{"sample.descent", "--set", "curvatures=1,11"}
                               << L{"curvatures", "11", "allowed"};
    QTest::newRow("wrong type") << L{"sample.descent", "--set", "steps=many"}
                                << L{"steps: many", "allowed"};
    QTest::newRow("not whole") << L{"sample.descent", "--set", "steps=1.5"} << L{"steps: 1.5"};
    QTest::newRow("no choice") << L{"sample.descent", "--set", "method=adam"}
                               << L{"method: adam", "plain", "momentum"};
    QTest::newRow("missing file") << L{"sample.gallery", "--set", "data=/no/such/file"}
                                  << L{"data", "/no/such/file"};
    QTest::newRow("no equals sign")
        << L{"sample.descent", "--set", "steps"} << L{"--set steps", "KEY=VALUE"};
    QTest::newRow("unknown preset")
        << L{"sample.descent", "--preset", "huge"} << L{"preset", "huge", "quick", "long"};
    QTest::newRow("unknown experiment") << L{"sample.decent"} << L{"decent", "sample.descent"};
    QTest::newRow("unknown plugin") << L{"smaple.descent"} << L{"smaple", "sample"};
    QTest::newRow("experiment missing") << L{"sample"} << L{"sample", "descent"};
    QTest::newRow("seed") << L{"sample.descent", "--seed", "-1"} << L{"seed: -1", "allowed"};
    QTest::newRow("threads") << L{"sample.descent", "--threads", "0"} << L{"threads: 0", "allowed"};
    QTest::newRow("missing toml") << L{"nothing.toml"} << L{"nothing.toml"};
    QTest::newRow("unknown option") << L{"sample.descent", "--sed", "3"} << L{"--sed"};
  }

  void is_refused_by_one_line() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, parts);
    Workplace place;
    Words line = {"run"};
    for (const QString& word : words) line.push_back(word.toStdString());
    const Ended ended = place.call(line);
    QCOMPARE(ended.exit_code, 2);
    QVERIFY(ended.out.empty());
    QVERIFY2(ended.error_lines().size() == 1, ended.err.c_str());
    QVERIFY2(ended.err.starts_with("assay-run: "), ended.err.c_str());
    for (const QString& part : parts) {
      QVERIFY2(ended.err.find(part.toStdString()) != std::string::npos, ended.err.c_str());
    }
    QVERIFY(!std::filesystem::exists(place.log_path()));
  }

  void every_problem_has_its_line() {
    Workplace place;
    const Ended ended = place.call({"run", "sample.descent", "--set", "steps=0", "--set",
                                    "noise=-1", "--set", "colour=red", "--threads", "x"});
    QCOMPARE(ended.exit_code, 2);
    QVERIFY2(ended.error_lines().size() == 4, ended.err.c_str());
  }

  void toml_faults_name_file_and_line() {
    Workplace place;
    const std::string file = place.write(
        "bad.toml", "experiment = \"sample.descent\"\nseed = 3\n[parameters\nsteps = 1\n");
    const Ended ended = place.call({"run", file});
    QCOMPARE(ended.exit_code, 2);
    QVERIFY2(ended.error_lines().size() == 1, ended.err.c_str());
    QVERIFY2(ended.err.find("bad.toml") != std::string::npos, ended.err.c_str());
    QVERIFY2(ended.err.find('3') != std::string::npos, ended.err.c_str());
  }

  void toml_values_are_checked_too() {
    Workplace place;
    const std::string file =
        place.write("high.toml",
                    "experiment = \"sample.descent\"\n[parameters]\nnoise = 99.0\nsteps = \"x\"\n");
    const Ended ended = place.call({"run", file});
    QCOMPARE(ended.exit_code, 2);
    QVERIFY2(ended.error_lines().size() == 2, ended.err.c_str());
  }

  void runs_that_do_not_exist() {
    Workplace place;
    for (const char* command : {"show", "resume", "stop", "pause"}) {
      const Ended no_log = place.call({command, "abcdef"});
      QCOMPARE(no_log.exit_code, 2);
      QVERIFY2(no_log.err.find("no experiment log") != std::string::npos, no_log.err.c_str());
    }
    QVERIFY(!std::filesystem::exists(place.log_path()));
    QCOMPARE(place.call({"run", "sample.descent"}).exit_code, 0);
    for (const char* command : {"show", "resume", "stop", "pause"}) {
      const Ended ended = place.call({command, "abcdef"});
      QCOMPARE(ended.exit_code, 2);
      QVERIFY2(ended.err.find("abcdef") != std::string::npos, ended.err.c_str());
      QCOMPARE(ended.error_lines().size(), std::size_t{1});
    }
  }

  void no_command_is_bad_input() {
    Workplace place;
    QProcess bare;
    bare.start(QStringLiteral(ASSAY_TEST_BUILD_DIR "/bin/assay-run"), QStringList());
    QCOMPARE(Workplace::wait(bare).exit_code, 2);
    QCOMPARE(place.call({"dance"}).exit_code, 2);
  }
};

QTEST_GUILESS_MAIN(InputTest)
#include "input_test.moc"
