// list, describe, show, --version, --help: facts on standard output, fast, without LibTorch.
#include <sys/resource.h>

#include <QtTest>

#include "runner/harness.h"

using namespace assay;
using namespace assay::test;

namespace {

double children_milliseconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto milliseconds = [](const timeval& time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
}

}  // namespace

class InformationTest : public QObject {
  Q_OBJECT

 private slots:
  void lists_plugins() {
    Workplace place;
    const Ended text = place.call({"list"});
    QCOMPARE(text.exit_code, 0);
    QVERIFY(text.out.find("sample.descent") != std::string::npos);
    const Json json = place.call({"list", "--json"}).json();
    QVERIFY(json.is_object());
    bool found = false;
    for (const Json& plugin : json.at("plugins")) {
      if (plugin.at("id") != "sample") continue;
      found = true;
      QCOMPARE(plugin.at("experiments").size(), std::size_t{5});
      QCOMPARE(plugin.at("experiments").at(0).at("id").get<std::string>(),
               std::string("sample.descent"));
    }
    QVERIFY(found);
    QVERIFY(!std::filesystem::exists(place.log_path()));  // asking makes nothing
  }

  void describes_a_plugin_and_an_experiment() {
    Workplace place;
    const Json plugin = place.call({"describe", "sample", "--json"}).json();
    QCOMPARE(plugin.at("title").get<std::string>(), std::string("Sample"));
    QCOMPARE(plugin.at("claims").size(), std::size_t{4});
    const Json experiment = place.call({"describe", "sample.descent", "--json"}).json();
    QCOMPARE(experiment.at("parameters").size(), std::size_t{7});
    const Ended text = place.call({"describe", "sample.descent"});
    QVERIFY(text.out.find("learning_rate") != std::string::npos);
    const Ended unknown = place.call({"describe", "smaple"});
    QCOMPARE(unknown.exit_code, 2);
    QVERIFY2(unknown.err.find("sample") != std::string::npos, unknown.err.c_str());
  }

  void answers_at_once() {
    Workplace place;
    QCOMPARE(place.call({"run", "sample.descent"}).exit_code, 0);
    const std::string id = place.wait_for_run();
    for (const Words& words : {Words{"list"}, Words{"describe", "sample"}, Words{"show", id}}) {
      double best = 1e9;
      for (int i = 0; i < 5; ++i) {
        const double before = children_milliseconds();
        QCOMPARE(place.call(words).exit_code, 0);
        best = std::min(best, children_milliseconds() - before);
      }
      // Of work, not by the clock: the machine may be busy with other tests.
      QVERIFY2(best < 50.0, qPrintable(QString("%1 ms").arg(best)));
    }
  }

  void tells_its_version_and_helps() {
    Workplace place;
    QVERIFY(place.call({"--version"}).out.starts_with("assay-run 0."));
    const Ended help = place.call({"--help"});
    QCOMPARE(help.exit_code, 0);
    for (const char* command : {"list", "describe", "run", "resume", "stop", "pause", "show",
                                "claims", "serve", "wait"}) {
      QVERIFY2(help.out.find(command) != std::string::npos, command);
    }
  }
};

QTEST_GUILESS_MAIN(InformationTest)
#include "information_test.moc"
