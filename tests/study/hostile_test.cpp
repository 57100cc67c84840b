// Hostile manifests, configurations and values: an Error or a result, never anything else. The
// mutations are the same in every run; the time is bounded.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <random>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/study/parameters.h"
#include "study/sample.h"

namespace fs = std::filesystem;
using namespace assay;

namespace {

constexpr qint64 budget_ms = 2000;

// A few bytes changed, dropped, doubled or put in; pieces that parsers stumble over among them.
std::string mutated(const std::string& text, std::mt19937& generator) {
  static const std::vector<std::string> pieces = {
      "[",       "]",       "{",     "}",        "\"",
      "'",       ",",       "=",     ":",        "\n",
      "\\u0000", "\\ud800", "1e999", "-0",       "nan",
      "inf",     "null",    "\xff",  "\xf0\x9f", "99999999999999999999",
      "\"\"\"",  "#",       ".",     "0x"};
  std::string result = text;
  const unsigned changes = 1 + generator() % 4;
  for (unsigned i = 0; i < changes && !result.empty(); ++i) {
    const std::size_t at = generator() % result.size();
    switch (generator() % 5) {
      case 0:
        result[at] = static_cast<char>(generator() % 256);
        break;
      case 1:
        result.erase(at, 1 + generator() % 20);
        break;
      case 2:
        result.insert(at, pieces[generator() % pieces.size()]);
        break;
      case 3:
        result.insert(at, result.substr(generator() % result.size(), generator() % 60));
        break;
      default:
        result.resize(at);
        break;
    }
  }
  return result;
}

// A JSON value anywhere in the document replaced by one of another kind, or removed.
void mutate_value(Json& json, std::mt19937& generator) {
  static const Json values = Json::parse(R"([null, true, 0, -1, 1e300, 18446744073709551615, "",
      "x", "../..", [], [1, "a"], [[]], {}, {"a": {}}, 0.5, "\u0000", [1e-320]])");
  Json* place = &json;
  while (place->is_structured() && !place->empty() && generator() % 6 != 0) {
    auto child = place->begin();
    std::advance(child, static_cast<std::ptrdiff_t>(generator() % place->size()));
    place = &*child;
  }
  *place = values[generator() % values.size()];
}

}  // namespace

class HostileTest : public QObject {
  Q_OBJECT

 private slots:
  void manifest_text();
  void manifest_values();
  void configuration_text();
  void deep_nesting();
  void parameter_text();

 private:
  QTemporaryDir folder_;
};

void HostileTest::manifest_text() {
  const fs::path folder = fs::path(folder_.path().toStdString()) / "sample";
  fs::create_directories(folder);
  const std::string text = sample::json_text();
  std::mt19937 generator(1);
  QElapsedTimer timer;
  timer.start();
  int refused = 0;
  for (int i = 0; i < 3000 && timer.elapsed() < budget_ms; ++i) {
    // Not write_atomically: its fsync costs more than the reading.
    std::ofstream(folder / "plugin.json") << mutated(text, generator);
    try {
      // Whatever is taken can be written as JSON again.
      static_cast<void>(to_json(read_manifest(folder / "plugin.json")).dump());
    } catch (const Error& error) {
      ++refused;
      QVERIFY(std::string(error.what()).find("plugin.json") != std::string::npos);
    }
  }
  QVERIFY(refused > 0);
}

void HostileTest::manifest_values() {
  const Json json = sample::json();
  std::mt19937 generator(2);
  QElapsedTimer timer;
  timer.start();
  int refused = 0;
  int taken = 0;
  for (int i = 0; i < 20'000 && timer.elapsed() < budget_ms; ++i) {
    Json changed = json;
    mutate_value(changed, generator);
    try {
      const Manifest manifest = parse_manifest(changed, "sample/plugin.json");
      ++taken;
      if (!manifest.fault.empty()) continue;
      // What is taken is usable: its defaults and presets are valid values.
      for (const ExperimentSpec& experiment : manifest.experiments) {
        const Resolved resolved = resolve(experiment, {});
        for (const Problem& problem : resolved.problems) QFAIL(problem.message().c_str());
      }
    } catch (const Error& error) {
      ++refused;
      QVERIFY(std::string(error.what()).starts_with("sample/plugin.json: "));
    }
  }
  QVERIFY(refused > 0 && taken > 0);
}

void HostileTest::configuration_text() {
  const fs::path file = fs::path(folder_.path().toStdString()) / "run.toml";
  const std::string text =
      "experiment = \"sample.descent\"\npreset = 'paper'\nseed = 3\nversion = 1\n\n[parameters]\n"
      "lr = 1e-3\nsteps = 0x10\nbetas = [0.7, 0.8]\nnote = \"\"\"long\ntext\"\"\"\n"
      "classes = ['a', 'b']\n[sweep]\nseed = [1, 2, 3]\n";
  const ExperimentSpec experiment = sample::manifest().experiments.front();
  std::mt19937 generator(3);
  QElapsedTimer timer;
  timer.start();
  int refused = 0;
  int taken = 0;
  for (int i = 0; i < 20'000 && timer.elapsed() < budget_ms; ++i) {
    std::ofstream(file) << mutated(text, generator);
    try {
      const Resolved resolved = resolve(experiment, read_configuration(file));
      ++taken;
      QVERIFY(!resolved.seeds.empty());
      for (const Problem& problem : resolved.problems) {
        QVERIFY(!problem.fault.empty() && !problem.allowed.empty());
      }
      static_cast<void>(resolved.parameters.to_json().dump());
    } catch (const Error& error) {
      ++refused;
      QVERIFY(std::string(error.what()).find("run.toml:") != std::string::npos);
    }
  }
  QVERIFY(refused > 0 && taken > 0);
}

void HostileTest::deep_nesting() {
  // A recursive reader would leave its stack here.
  const fs::path folder = fs::path(folder_.path().toStdString()) / "sample";
  fs::create_directories(folder);
  for (const std::string open : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += open;
    std::ofstream(folder / "plugin.json") << "{\"id\": " << text;
    QVERIFY_EXCEPTION_THROWN(read_manifest(folder / "plugin.json"), Error);
  }
  const fs::path file = folder / "deep.toml";
  std::ofstream(file) << "experiment = " << std::string(200'000, '[');
  QVERIFY_EXCEPTION_THROWN(read_configuration(file), Error);
  std::string keys = "experiment = 'sample'\n[parameters]\na";
  for (int i = 0; i < 100'000; ++i) keys += ".a";
  std::ofstream(file) << keys << " = 1\n";
  QVERIFY_EXCEPTION_THROWN(read_configuration(file), Error);
}

void HostileTest::parameter_text() {
  const ExperimentSpec experiment = sample::manifest().experiments.front();
  std::mt19937 generator(4);
  const std::string text = "-1.5e3,0.7 true /tmp/x";
  for (int i = 0; i < 20'000; ++i) {
    const std::string given = mutated(text, generator);
    for (const ParameterSpec& spec : experiment.parameters) {
      const Checked checked = check_text(spec, given);
      QVERIFY(checked.value.has_value() != checked.problem.has_value());
      if (!checked.value) continue;
      // What is taken keeps its value through its own text, and fits into JSON.
      const Checked again = check_text(spec, to_text(*checked.value));
      QVERIFY(again.value && *again.value == *checked.value);
      static_cast<void>(to_json(*checked.value).dump());
    }
  }
}

QTEST_APPLESS_MAIN(HostileTest)
#include "hostile_test.moc"
