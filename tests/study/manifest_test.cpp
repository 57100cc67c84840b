// plugin.json: what is read, and the exact place in every refusal.
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files.h"
#include "study/sample.h"
#include "support/error_message.h"

namespace fs = std::filesystem;
using namespace assay;

namespace {

const Json removed = Json(Json::value_t::discarded);

// The text of a JSON value with its keys in the order of the alphabet.
std::string sorted(const Json& json) {
  return nlohmann::json::parse(json.dump()).dump(1);
}

std::string refusal(const std::string& pointer, const Json& value) {
  return error_message(
      [&] { parse_manifest(sample::changed(pointer, value), "sample/plugin.json"); });
}

}  // namespace

class ManifestTest : public QObject {
  Q_OBJECT

 private slots:
  void reads_everything();
  void writes_what_it_read();
  void finds_metrics_by_key_and_beginning();
  void refuses_with_the_place_data();
  void refuses_with_the_place();
  void another_interface_is_a_fault_not_an_error();
  void refuses_text_that_is_no_manifest();
};

void ManifestTest::reads_everything() {
  const Manifest manifest = sample::manifest();
  QCOMPARE(manifest.id, std::string("sample"));
  QCOMPARE(manifest.abi, plugin_abi);
  QCOMPARE(manifest.fault, std::string());
  QCOMPARE(manifest.folder.string(), std::string("sample"));
  QCOMPARE(manifest.paper.authors, (std::vector<std::string>{"Ada Author", "Ben Writer"}));
  QCOMPARE(manifest.paper.year, 2025);
  QCOMPARE(manifest.explanation.size(), std::size_t{2});
  QCOMPARE(manifest.try_it, std::string("descent"));
  QVERIFY(manifest.experiment("ascent") == nullptr);
  const ExperimentSpec* experiment = manifest.experiment("descent");
  QVERIFY(experiment != nullptr);
  QCOMPARE(experiment->version, 2);
  QCOMPARE(experiment->parameters.size(), std::size_t{9});
  QVERIFY(experiment->parameter("nothing") == nullptr);

  const ParameterSpec* steps = experiment->parameter("steps");
  QVERIFY(steps != nullptr);
  QCOMPARE(steps->type, ParameterType::integer);
  QVERIFY(steps->default_value == Value(std::int64_t{100}));
  QCOMPARE(steps->minimum.value(), 1.0);
  QCOMPARE(steps->maximum.value(), 100000.0);
  QCOMPARE(steps->step.value(), 10.0);
  QCOMPARE(steps->unit, std::string("steps"));
  QCOMPARE(steps->paper, std::string("1000 (section 4.1)"));
  QCOMPARE(experiment->parameter("learning_rate")->scale, Scale::log);
  QVERIFY(experiment->parameter("shuffle")->advanced);
  QCOMPARE(experiment->parameter("optimiser")->choices.at(1).label, std::string("Adam"));
  QCOMPARE(experiment->parameter("data")->path_kind, std::string("folder"));
  const ParameterSpec* betas = experiment->parameter("betas");
  QVERIFY(betas->default_value == Value(std::vector<double>{0.7, 0.8, 0.9}));
  QCOMPARE(betas->maximum_length.value(), std::size_t{20});
  // A list of integers is held in doubles; one of texts in texts.
  QVERIFY(experiment->parameter("widths")->default_value == Value(std::vector<double>{16, 16}));
  QVERIFY(experiment->parameter("classes")->default_value ==
          Value(std::vector<std::string>{"cat", "dog"}));

  QVERIFY(experiment->preset("quick")->values.at("steps") == Value(std::int64_t{20}));
  QCOMPARE(experiment->repairs.at(0).renamed.at("lr"), std::string("learning_rate"));
  QCOMPARE(experiment->repairs.at(0).renamed_choices.at("optimiser").at("gd"), std::string("sgd"));
  QCOMPARE(manifest.claims.at(0).comparison, ClaimSpec::Comparison::greater);
  QVERIFY(manifest.claims.at(0).right.parameters.at("optimiser") == Value(std::string("adam")));
  QCOMPARE(manifest.claims.at(1).constant.value(), 0.0);
  QCOMPARE(manifest.claims.at(1).tolerance, 1e-6);
}

void ManifestTest::writes_what_it_read() {
  Json written = to_json(sample::manifest());
  written.erase("folder");
  const Manifest again = parse_manifest(written, "sample/plugin.json");
  Json twice = to_json(again);
  twice.erase("folder");
  QCOMPARE(twice.dump(2), written.dump(2));
  // Nothing of the example is lost (defaults are written out, so there may be more).
  const Json given = sample::json();
  QCOMPARE(sorted(written["experiments"][0]["parameters"]),
           sorted(given["experiments"][0]["parameters"]));
  QCOMPARE(sorted(written["experiments"][0]["repairs"]),
           sorted(given["experiments"][0]["repairs"]));
  QCOMPARE(sorted(written["paper"]), sorted(given["paper"]));
  QCOMPARE(sorted(written["data"]), sorted(given["data"]));
  QCOMPARE(sorted(written["claims"][0]), sorted(given["claims"][0]));
}

void ManifestTest::finds_metrics_by_key_and_beginning() {
  ExperimentSpec experiment;
  for (const char* key : {"loss", "beta/*", "beta/fine/*", "beta/last"}) {
    MetricSpec metric;
    metric.key = key;
    experiment.metrics.push_back(metric);
  }
  QCOMPARE(experiment.metric("loss")->key, std::string("loss"));
  QVERIFY(experiment.metric("los") == nullptr);
  QVERIFY(experiment.metric("loss/a") == nullptr);
  QCOMPARE(experiment.metric("beta/0.7")->key, std::string("beta/*"));
  QCOMPARE(experiment.metric("beta/fine/1")->key, std::string("beta/fine/*"));
  QCOMPARE(experiment.metric("beta/last")->key, std::string("beta/last"));
  QVERIFY(experiment.metric("bet") == nullptr);
}

void ManifestTest::refuses_with_the_place_data() {
  QTest::addColumn<QString>("pointer");
  QTest::addColumn<QString>("value");  // JSON, or empty: removed
  QTest::addColumn<QString>("message");
  const QString one = "/experiments/0/parameters/";
  const auto row = [](const char* name, const QString& pointer, const char* value,
                      const char* message) {
    QTest::newRow(name) << pointer << QString(value) << QString(message);
  };
  row("id", "/id", "\"Sample Plugin\"",
      "id: must be lower-case letters, digits and underscores, not 'Sample Plugin'");
  row("missing", "/idea", "", "idea: is missing");
  row("empty", "/idea", "\"\"", "idea: must be a text that is not empty, not \"\"");
  row("abi", "/abi", "\"1\"", "abi: must be a whole number from 1 to 1000000, not \"1\"");
  row("huge", "/abi", "18446744073709551615", "not 18446744073709551615");
  row("unknown", "/experimets", "[]",
      "experimets: unknown key (did you mean 'experiments'?); allowed: ");
  row("year", "/paper/year", "20255",
      "paper.year: must be a whole number from 1900 to 2200, not 20255");
  row("authors", "/paper/authors", "[]", "paper.authors: must name at least one author");
  row("author", "/paper/authors/1", "7", "paper.authors[1]: must be a text, not 7");
  row("url", "/paper/url", "\"file:///etc\"", "paper.url: must begin with https:// or http://");
  row("paper", "/paper", "[]", "paper: must be an object, not a list");
  row("explanation", "/explanation/0", "{}", "explanation[0]: must be a text, not an object");
  row("no experiments", "/experiments", "[]", "experiments: must hold at least one experiment");
  row("no list", "/experiments", "{}", "experiments: must be a list, not an object");
  row("try_it", "/try_it", "\"ascent\"", "try_it: must be one of: descent; not \"ascent\"");
  row("type", one + "3/type", "\"enum\"",
      "experiments[0].parameters[3].type: must be one of: integer, real, boolean, choice, text, "
      "path, list; not \"enum\"");
  row("minimum", one + "3/minimum", "0",
      "experiments[0].parameters[3].minimum: is only for type integer, real or a list of them");
  row("number", one + "1/minimum", "\"0\"",
      "experiments[0].parameters[1].minimum: must be a number, not \"0\"");
  row("log", one + "1/minimum", "0",
      "experiments[0].parameters[1].scale: log needs a minimum above 0");
  row("turned", one + "0/minimum", "200000",
      "experiments[0].parameters[0].minimum: 200000 is above the maximum 100000");
  row("whole", one + "0/maximum", "10.5",
      "experiments[0].parameters[0].maximum: must be a whole number");
  row("step", one + "0/step", "0", "experiments[0].parameters[0].step: must be above 0");
  row("default range", one + "0/default", "0",
      "experiments[0].parameters[0].default: 0 is out of range; allowed: whole numbers from 1 to "
      "100000 steps");
  row("default type", one + "2/default", "1",
      "experiments[0].parameters[2].default: 1 is neither true nor false; allowed: true or false");
  row("default choice", one + "3/default", "\"rmsprop\"",
      "\"rmsprop\" is none of the choices; allowed: one of: sgd, adam");
  row("default list", one + "6/default", "[0.5, 1.5]",
      "a list is out of range; allowed: each between 0.0 and 1.0");
  row("default length", one + "6/default", "[]", "has too few values");
  row("no default", one + "6/default", "null",
      "default: must be a value or a plain list, not null");
  row("choices", one + "3/choices", "",
      "experiments[0].parameters[3].choices: must name at least one choice");
  row("choices twice", one + "3/choices/1/value", "\"sgd\"",
      "experiments[0].parameters[3].choices: 'sgd' is there twice");
  row("choice blank", one + "3/choices/1/value", "\"a b\"",
      "choices[1].value: must be without blanks, commas and quotes");
  row("path_kind", one + "5/path_kind", "\"dir\"",
      "path_kind: must be one of: file, folder, any; not \"dir\"");
  row("element", one + "0/element", "\"real\"",
      "experiments[0].parameters[0].element: is only for type list");
  row("length", one + "6/minimum_length", "30", "minimum_length: is above maximum_length");
  row("length type", one + "6/minimum_length", "-1",
      "minimum_length: must be a whole number from 0 to 1000000, not -1");
  row("key twice", one + "1/key", "\"steps\"", "experiments[0].parameters: 'steps' is there twice");
  row("reserved", one + "1/key", "\"seed\"",
      "experiments[0].parameters[1].key: 'seed' is a name of Assay's own");
  row("advanced", one + "1/advanced", "\"yes\"", "advanced: must be true or false, not \"yes\"");
  row("unknown parameter key", one + "1/maximun", "2",
      "experiments[0].parameters[1].maximun: unknown key (did you mean 'maximum'?)");
  row("preset key", "/experiments/0/presets/0/values/stepps", "1",
      "experiments[0].presets[0].values.stepps: unknown parameter (did you mean 'steps'?)");
  row("preset value", "/experiments/0/presets/0/values/steps", "0",
      "experiments[0].presets[0].values.steps: 0 is out of range");
  row("preset null", "/experiments/0/presets/0/values/steps", "null",
      "presets[0].values.steps: must be a value or a plain list, not null");
  row("preset twice", "/experiments/0/presets/1/id", "\"quick\"",
      "experiments[0].presets: 'quick' is there twice");
  row("metric key", "/experiments/0/metrics/0/key", "\"a b\"",
      "experiments[0].metrics[0].key: must be letters, digits");
  row("metric star", "/experiments/0/metrics/0/key", "\"a*b\"",
      "with '*' at the end only, not 'a*b'");
  row("metric climbs", "/experiments/0/metrics/0/key", "\"../../x\"",
      "experiments[0].metrics[0].key: must be");
  row("better", "/experiments/0/metrics/0/better", "\"up\"",
      "metrics[0].better: must be one of: lower, higher, neither; not \"up\"");
  row("kind", "/experiments/0/artifacts/0/kind", "\"video\"",
      "artifacts[0].kind: must be one of: image, table, tensor, text, volume, molecules; not "
      "\"video\"");
  row("repair version", "/experiments/0/repairs/0/from", "2",
      "repairs[0].from: must be a whole number from 1 to 1, not 2");
  row("repair name", "/experiments/0/repairs/0/renamed/lr", "\"rate\"",
      "repairs[0].renamed.lr: 'rate' is no parameter");
  row("repair type", "/experiments/0/repairs/0/renamed", "[]",
      "repairs[0].renamed: must be an object, not a list");
  row("explorable", "/explorables/0/parameters/0/default", "2",
      "explorables[0].parameters[0].default: 2 is out of range; allowed: 0.0 to 1.0");
  row("claim experiment", "/claims/0/experiment", "\"ascent\"",
      "claims[0].experiment: must be one of: descent; not \"ascent\"");
  row("claim metric", "/claims/0/left/metric", "\"train/los\"",
      "claims[0].left.metric: 'train/los' is no metric of 'descent' (did you mean 'train/loss'?)");
  row("claim star", "/claims/0/left/metric", "\"beta/*\"",
      "claims[0].left.metric: 'beta/*' is no metric");
  row("claim parameter", "/claims/0/right/parameters/optimiser", "\"lion\"",
      "claims[0].right.parameters.optimiser: \"lion\" is none of the choices");
  row("claim value", "/claims/0/left/value", "\"mean\"",
      "claims[0].left.value: must be one of: last, best, first; not \"mean\"");
  row("claim both", "/claims/0/constant", "1.0",
      "claims[0].right: exactly one of \"right\" and \"constant\" must be given");
  row("claim neither", "/claims/0/right", "", "claims[0].right: exactly one of");
  row("claim margin", "/claims/1/margin", "1", "claims[1].margin: is only for comparison greater");
  row("claim tolerance", "/claims/1/tolerance", "-1",
      "claims[1].tolerance: must be at least 0, not -1");
  row("data", "/data/0/title", "", "data[0].title: is missing");
  row("claim twice", "/claims/1/id", "\"adam_beats_sgd\"",
      "claims: 'adam_beats_sgd' is there twice");
}

void ManifestTest::refuses_with_the_place() {
  QFETCH(QString, pointer);
  QFETCH(QString, value);
  QFETCH(QString, message);
  const Json json = value.isEmpty() ? removed : Json::parse(value.toStdString());
  const std::string text = refusal(pointer.toStdString(), json);
  VERIFY_HOLDS(text, message.toStdString());
  QCOMPARE(text.find("sample/plugin.json: "), std::size_t{0});
}

void ManifestTest::another_interface_is_a_fault_not_an_error() {
  // Its layout may be another as well: an unknown key is no reason.
  Json json = sample::changed("/abi", plugin_abi + 1);
  json["from_the_future"] = 1;
  const Manifest manifest = parse_manifest(json, "sample/plugin.json");
  QCOMPARE(manifest.id, std::string("sample"));
  QCOMPARE(manifest.title, std::string("Sample"));
  VERIFY_HOLDS(manifest.fault, "made for plugin interface 2, this Assay has 1");
}

void ManifestTest::refuses_text_that_is_no_manifest() {
  QTemporaryDir temporary;
  const fs::path folder = fs::path(temporary.path().toStdString()) / "sample";
  const fs::path file = folder / "plugin.json";
  fs::create_directories(folder);
  const auto message = [&](const std::string& text) {
    write_atomically(file, text);
    return error_message([&] { read_manifest(file); });
  };
  QCOMPARE(message(sample::json_text()), std::string("(no error)"));
  VERIFY_HOLDS(message("{\n  \"id\": \"sample\",\n}"),
               file.string() + ": parse error at line 3, column 1");
  VERIFY_HOLDS(message(""), file.string() + ": parse error at line 1");
  VERIFY_HOLDS(message("[]"), "the top: must be an object, not a list");
  VERIFY_HOLDS(message("{\"id\": \"a\", \"id\": \"b\"}"), "the key \"id\" is there twice");
  VERIFY_HOLDS(message("{\"id\": \"\xff\xfe\"}"), "parse error at line 1");
  VERIFY_HOLDS(message("{\"id\": 1e999}"), "1e999");
  VERIFY_HOLDS(message(std::string(9U << 20, ' ')), "larger than the limit of 8 MiB");
  VERIFY_HOLDS(message(std::string(1U << 20, '[')), "parse error");
  Json renamed = sample::json();
  renamed["id"] = "other";
  VERIFY_HOLDS(message(renamed.dump()), "id: must be the folder's name 'sample', not 'other'");
  fs::remove(file);
  VERIFY_HOLDS(error_message([&] { read_manifest(file); }), file.string() + ": no such file");
}

QTEST_APPLESS_MAIN(ManifestTest)
#include "manifest_test.moc"
