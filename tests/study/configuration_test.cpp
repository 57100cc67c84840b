// Configuration files: what is read, the line of what is wrong, and the same settings written out.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files.h"
#include "core/study/parameters.h"
#include "study/sample.h"
#include "support/error_message.h"

namespace fs = std::filesystem;
using namespace assay;

class ConfigurationTest : public QObject {
  Q_OBJECT

 private slots:
  void reads_a_file();
  void refuses_with_the_line_data();
  void refuses_with_the_line();
  void says_all_that_is_wrong();
  void written_and_read_again();
  void only_what_differs_is_written();
  void the_command_line_survives_a_shell();

 private:
  fs::path file() const { return fs::path(folder_.path().toStdString()) / "run.toml"; }
  Configuration read(const std::string& text) {
    write_atomically(file(), text);
    return read_configuration(file());
  }
  QTemporaryDir folder_;
};

void ConfigurationTest::reads_a_file() {
  const Configuration given = read(R"(
experiment = "sample.descent"
preset = "paper"
seed = 7
version = 2
[parameters]
steps = 12
learning_rate = 1e-3
shuffle = false
note = "a \"quoted\" note"
betas = [0.7, 0.8, 1]
classes = ["a", "b"]
widths = []
[sweep]
seed = [1, 2, 3]
)");
  QCOMPARE(given.experiment, std::string("sample.descent"));
  QCOMPARE(given.preset, std::string("paper"));
  QCOMPARE(given.seed.value(), std::uint64_t{7});
  QCOMPARE(given.version, 2);
  QVERIFY(given.file_values.at("steps") == Value(std::int64_t{12}));
  QVERIFY(given.file_values.at("learning_rate") == Value(0.001));
  QVERIFY(given.file_values.at("shuffle") == Value(false));
  QVERIFY(given.file_values.at("note") == Value(std::string("a \"quoted\" note")));
  QVERIFY(given.file_values.at("betas") == Value(std::vector<double>{0.7, 0.8, 1.0}));
  QVERIFY(given.file_values.at("classes") == Value(std::vector<std::string>{"a", "b"}));
  QVERIFY(given.file_values.at("widths") == Value(std::vector<double>{}));
  QCOMPARE(given.sweep.at("seed").size(), std::size_t{3});
  const Configuration least = read("experiment = 'sample'");
  QCOMPARE(least.version, 0);
  QVERIFY(!least.seed && least.preset.empty() && least.file_values.empty());
}

void ConfigurationTest::refuses_with_the_line_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<int>("line");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* name, const char* text, int line, const char* message) {
    QTest::newRow(name) << QString("experiment = 'sample'\n") + text << line << QString(message);
  };
  row("syntax", "seed = = 1", 2, "");
  row("open text", "\n\npreset = \"quick", 4, "");
  row("twice", "seed = 1\nseed = 2", 3, "");
  row("unknown", "sed = 1", 2,
      "sed: unknown key (did you mean 'seed'?); allowed: experiment, preset, seed, version, "
      "parameters, sweep");
  row("parameter at the top", "steps = 1", 2, "a parameter belongs below [parameters]");
  row("preset", "preset = 3", 2, "preset: must be a text in quotes, not 3");
  row("seed sign", "seed = -1", 2, "seed: must be a whole number, at least 0, not -1");
  row("seed type", "\nseed = \"1\"", 3, "seed: must be a whole number, at least 0, not \"1\"");
  row("seed date", "seed = 1979-05-27", 2,
      "seed: must be a whole number, at least 0, not a date or time");
  row("version", "version = 0", 2, "version: must be a whole number, at least 1, not 0");
  row("parameters", "parameters = 1", 2, "parameters: must be a table, not 1");
  row("nested", "[parameters]\nsteps = {a = 1}", 3,
      "steps: must be a number, text, true, false or a list");
  row("date", "[parameters]\n\nsteps = 07:32:00", 4, "not a date or time");
  row("mixed list", "[parameters]\nbetas = [1, 'a']", 3,
      "betas: must be a number, text, true, false or a list");
  row("deep list", "[parameters]\nbetas = [[1]]", 3, "not this list");
  row("inexact list", "[parameters]\nwidths = [9007199254740993]", 3, "widths: must be");
  row("sweep", "[sweep]\nseed = 1", 3,
      "sweep.seed: must be a list of values that is not empty, not 1");
  row("empty sweep", "[sweep]\nseed = []", 3, "sweep.seed: must be a list");
  row("sweep over dates", "[sweep]\nseed = [1979-05-27]", 3,
      "sweep.seed: can't hold a date or time");
}

void ConfigurationTest::refuses_with_the_line() {
  QFETCH(QString, text);
  QFETCH(int, line);
  QFETCH(QString, message);
  const std::string said = error_message([&] { read(text.toStdString()); });
  VERIFY_HOLDS(said, file().string() + ":" + std::to_string(line) + ": ");
  VERIFY_HOLDS(said, message.toStdString());
  QCOMPARE(error_exit_code([&] { read(text.toStdString()); }), 2);
}

void ConfigurationTest::says_all_that_is_wrong() {
  const std::string name = file().string();
  QCOMPARE(error_message([&] { read("seed = -1\npreset = 1\n"); }),
           name + ":2: preset: must be a text in quotes, not 1\n" + name +
               ":1: seed: must be a whole number, at least 0, not -1");
  QCOMPARE(error_message([&] { read("seed = 1\n"); }),
           name + ": experiment: is missing; allowed: the address of one, \"plugin.experiment\"");
  VERIFY_HOLDS(error_message([&] { read(std::string(2U << 20, '#')); }), "larger than the limit");
  VERIFY_HOLDS(error_message([] { read_configuration("/no/such.toml"); }), "no such file");
}

void ConfigurationTest::written_and_read_again() {
  const Manifest plugin = sample::manifest();
  const ExperimentSpec& experiment = plugin.experiments.front();
  Configuration given;
  given.preset = "paper";
  given.seed = 42;
  given.set = {{"learning_rate", "0.1234567890123456789"},
               {"note", "tabs\t, \"quotes\", \\ and \n\u00e9\x7f"},
               {"betas", "1,0.30000000000000004,1e-5"},
               {"widths", "8"},
               {"classes", "a b,c"},
               {"shuffle", "false"},
               {"data", "/tmp"},
               {"optimiser", "adam"}};
  const Resolved resolved = resolve(experiment, given);
  QVERIFY(resolved.problems.empty());
  const Configuration back = read(as_toml(plugin, experiment, resolved));
  QCOMPARE(back.experiment, std::string("sample.descent"));
  QCOMPARE(back.version, 2);
  const Resolved again = resolve(experiment, back);
  QVERIFY(again.problems.empty() && again.repairs.empty());
  QCOMPARE(again.seed, std::uint64_t{42});
  QCOMPARE(again.preset, std::string("paper"));
  QCOMPARE(again.parameters.to_json().dump(), resolved.parameters.to_json().dump());
}

void ConfigurationTest::only_what_differs_is_written() {
  const Manifest plugin = sample::manifest();
  const ExperimentSpec& experiment = plugin.experiments.front();
  Configuration given;
  given.set = {{"steps", "20"}, {"learning_rate", "1"}};  // 20 is the preset's own
  Resolved resolved = resolve(experiment, given);
  QCOMPARE(
      as_toml(plugin, experiment, resolved),
      std::string("experiment = \"sample.descent\"\npreset = \"quick\"\nseed = 1\nversion = 2\n"
                  "\n[parameters]\nlearning_rate = 1.0\n"));
  QCOMPARE(
      as_command_line(plugin, experiment, resolved),
      std::string("assay-run run sample.descent --preset quick --seed 1 --set learning_rate=1"));
  // Back to the default against the preset is a difference, too.
  given.set = {{"steps", "100"}};
  resolved = resolve(experiment, given);
  VERIFY_HOLDS(as_toml(plugin, experiment, resolved), "steps = 100\n");
  resolved.seeds = {1, 2, 3};
  const Configuration back = read(as_toml(plugin, experiment, resolved));
  QCOMPARE(resolve(experiment, back).seeds, (std::vector<std::uint64_t>{1, 2, 3}));
}

void ConfigurationTest::the_command_line_survives_a_shell() {
  const Manifest plugin = sample::manifest();
  const ExperimentSpec& experiment = plugin.experiments.front();
  const std::string note = "it's \"$HOME\" `date` \\ * ; & \u00e9\n end";
  Configuration given;
  given.set = {{"note", note}};
  const std::string line = as_command_line(plugin, experiment, resolve(experiment, given));
  // The shell takes the line apart; printf shows what the program would get.
  QProcess shell;
  const std::string words = line.substr(std::string("assay-run run").size());
  shell.start("/bin/sh", {"-c", QString::fromStdString("printf '<%s>'" + words)});
  QVERIFY(shell.waitForFinished(20'000));
  QCOMPARE(shell.readAllStandardOutput().toStdString(),
           "<sample.descent><--preset><quick><--seed><1><--set><note=" + note + ">");
}

QTEST_GUILESS_MAIN(ConfigurationTest)
#include "configuration_test.moc"
