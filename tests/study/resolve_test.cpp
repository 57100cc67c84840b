// Default, preset, file and command line over one another; older configurations; the set itself.
#include <QTest>

#include "core/study/parameters.h"
#include "study/sample.h"
#include "support/error_message.h"

using namespace assay;

namespace {

ExperimentSpec experiment() {
  return sample::manifest().experiments.front();
}

std::string messages(const Resolved& resolved) {
  std::string text;
  for (const Problem& problem : resolved.problems) text += problem.message() + "\n";
  return text;
}

std::string notes(const Resolved& resolved) {
  std::string text;
  for (const std::string& repair : resolved.repairs) text += repair + "\n";
  return text;
}

// Three versions: names that move on twice, change places, vanish and collide.
ExperimentSpec much_changed() {
  ExperimentSpec changed = experiment();
  changed.version = 4;
  changed.repairs.clear();
  changed.repairs.push_back({1, {{"rate", "lr"}}, {"momentum"}, {}});
  changed.repairs.push_back(
      {2, {{"lr", "learning_rate"}, {"steps", "note"}, {"note", "steps"}}, {}, {}});
  changed.repairs.push_back({3, {{"method", "optimiser"}}, {}, {{"optimiser", {{"gd", "sgd"}}}}});
  return changed;
}

}  // namespace

class ResolveTest : public QObject {
  Q_OBJECT

 private slots:
  void later_beats_earlier();
  void every_key_and_nothing_else();
  void all_problems_at_once();
  void the_last_of_two_counts();
  void unknown_presets();
  void seeds();
  void paths_become_absolute();
  void repairs_older_configurations();
  void repairs_over_several_versions();
  void an_old_name_gets_a_hint();
  void a_wrong_type_is_a_programmers_error();
  void json_both_ways();
};

void ResolveTest::later_beats_earlier() {
  Configuration given;
  given.preset = "paper";
  given.file_values = {{"learning_rate", 0.01}, {"optimiser", std::string("adam")}};
  given.set = {{"learning_rate", "0.5"}};
  const Resolved resolved = resolve(experiment(), given);
  QCOMPARE(messages(resolved), std::string());
  QCOMPARE(resolved.preset, std::string("paper"));
  const auto& all = resolved.parameters.all();
  QCOMPARE(all.at("shuffle").origin, Origin::default_value);
  QCOMPARE(all.at("steps").origin, Origin::preset);
  QCOMPARE(all.at("optimiser").origin, Origin::file);
  QCOMPARE(all.at("learning_rate").origin, Origin::set);
  QCOMPARE(resolved.parameters.boolean("shuffle"), true);
  QCOMPARE(resolved.parameters.integer("steps"), std::int64_t{1000});
  QCOMPARE(resolved.parameters.real("steps"), 1000.0);
  QCOMPARE(resolved.parameters.text("optimiser"), std::string("adam"));
  QVERIFY(resolved.parameters.real("learning_rate") == 0.5);
  QCOMPARE(resolved.parameters.reals("betas"), (std::vector<double>{0.5, 0.75}));
  QCOMPARE(to_string(Origin::default_value), std::string("default"));
  QCOMPARE(to_string(Origin::set), std::string("set"));
}

void ResolveTest::every_key_and_nothing_else() {
  const Resolved resolved = resolve(experiment(), {});
  QCOMPARE(messages(resolved), std::string());
  QCOMPARE(resolved.preset, std::string("quick"));
  QCOMPARE(resolved.parameters.all().size(), experiment().parameters.size());
  for (const ParameterSpec& spec : experiment().parameters) {
    QVERIFY(resolved.parameters.all().contains(spec.key));
  }
}

void ResolveTest::all_problems_at_once() {
  Configuration given;
  given.file_values = {{"steps", std::int64_t{0}}, {"nothing", 1.0}};
  given.set = {
      {"learning_rate", "2"}, {"lerning_rate", "0.1"}, {"betas", "0.5,1.5"}, {"nothing", "2"}};
  const Resolved resolved = resolve(experiment(), given);
  const std::string keys =
      "steps, learning_rate, shuffle, optimiser, note, data, betas, widths, classes";
  QCOMPARE(
      QString::fromStdString(messages(resolved)),
      QString::fromStdString(
          "nothing: 1 is given to an unknown parameter; allowed: " + keys + "\n" +
          "steps: 0 is out of range; allowed: whole numbers from 1 to 100000 steps\n"
          "learning_rate: 2 is out of range; allowed: 1e-06 to 1.0\n"
          "lerning_rate: 0.1 is given to an unknown parameter (did you mean 'learning_rate'?); "
          "allowed: " +
          keys + "\n" +
          "betas: 1.5 is out of range; allowed: each between 0.0 and 1.0, separated by commas; "
          "1 to 20 of them\n"));
}

void ResolveTest::the_last_of_two_counts() {
  Configuration given;
  given.file_values = {{"steps", std::int64_t{-1}}};
  given.set = {{"steps", "wrong"}, {"steps", "7"}};
  const Resolved resolved = resolve(experiment(), given);
  QCOMPARE(messages(resolved), std::string());
  QCOMPARE(resolved.parameters.integer("steps"), std::int64_t{7});
}

void ResolveTest::unknown_presets() {
  Configuration given;
  given.preset = "papr";
  QCOMPARE(messages(resolve(experiment(), given)),
           std::string("preset: papr is no preset of 'descent' (did you mean 'paper'?); allowed: "
                       "quick, paper\n"));
  // Without a preset called quick nobody who asked for none is refused.
  ExperimentSpec plain = experiment();
  plain.presets.erase(plain.presets.begin());
  QCOMPARE(resolve(plain, {}).preset, std::string("paper"));
  plain.presets.clear();
  QCOMPARE(resolve(plain, {}).preset, std::string());
  QCOMPARE(messages(resolve(plain, {})), std::string());
  QCOMPARE(messages(resolve(plain, given)),
           std::string("preset: papr is no preset of 'descent'; allowed: none\n"));
}

void ResolveTest::seeds() {
  Configuration given;
  QCOMPARE(resolve(experiment(), given).seeds, std::vector<std::uint64_t>{1});
  given.sweep["seed"] = {std::int64_t{4}, std::int64_t{2}, std::int64_t{4}};
  QCOMPARE(resolve(experiment(), given).seeds, (std::vector<std::uint64_t>{4, 2}));
  QCOMPARE(resolve(experiment(), given).seed, std::uint64_t{4});
  given.seed = 9;
  QCOMPARE(resolve(experiment(), given).seeds, std::vector<std::uint64_t>{9});
  given.sweep["seed"] = {std::int64_t{-1}, 0.5};
  given.sweep["steps"] = {std::int64_t{1}};
  const std::string text = messages(resolve(experiment(), given));
  VERIFY_HOLDS(text, "sweep.seed: -1 is no seed; allowed: whole numbers, at least 0");
  VERIFY_HOLDS(text, "sweep.seed: 0.5 is no seed");
  VERIFY_HOLDS(text, "sweep.steps: 1 values can't be swept over; allowed: seed");
}

void ResolveTest::paths_become_absolute() {
  Configuration given;
  given.set = {{"data", "."}};
  const Resolved resolved = resolve(experiment(), given);
  QCOMPARE(messages(resolved), std::string());
  QVERIFY(std::filesystem::path(resolved.parameters.text("data")).is_absolute());
  // "Not set" stays so.
  QCOMPARE(resolve(experiment(), {}).parameters.text("data"), std::string());
}

void ResolveTest::repairs_older_configurations() {
  Configuration given;
  given.version = 1;
  given.file_values = {{"lr", 0.25}, {"momentum", 0.9}, {"optimiser", std::string("gd")}};
  Resolved resolved = resolve(experiment(), given);
  QCOMPARE(messages(resolved), std::string());
  QVERIFY(resolved.parameters.real("learning_rate") == 0.25);
  QCOMPARE(resolved.parameters.text("optimiser"), std::string("sgd"));
  QCOMPARE(notes(resolved), std::string("removed 'momentum' (version 1 to 2)\n"
                                        "'optimiser': changed 'gd' to 'sgd' (version 1 to 2)\n"
                                        "renamed 'lr' to 'learning_rate' (version 1 to 2)\n"));
  // The current version needs none.
  given.version = 2;
  given.file_values = {{"learning_rate", 0.25}};
  resolved = resolve(experiment(), given);
  QCOMPARE(messages(resolved) + notes(resolved), std::string());
  given.version = 3;
  QCOMPARE(messages(resolve(experiment(), given)),
           std::string("version: 3 is newer than this program; allowed: 1 to 2\n"));
  given.version = -1;
  VERIFY_HOLDS(messages(resolve(experiment(), given)),
               "version: -1 is out of range; allowed: 1 to 2");
}

void ResolveTest::repairs_over_several_versions() {
  Configuration given;
  given.version = 1;
  given.file_values = {{"rate", 0.25},
                       {"momentum", 0.9},
                       {"note", std::int64_t{12}},
                       {"steps", std::string("a remark")},
                       {"method", std::string("gd")}};
  const Resolved resolved = resolve(much_changed(), given);
  QCOMPARE(messages(resolved), std::string());
  QVERIFY(resolved.parameters.real("learning_rate") == 0.25);
  QCOMPARE(resolved.parameters.integer("steps"), std::int64_t{12});
  QCOMPARE(resolved.parameters.text("note"), std::string("a remark"));
  QCOMPARE(resolved.parameters.text("optimiser"), std::string("sgd"));
  VERIFY_HOLDS(notes(resolved), "renamed 'rate' to 'lr' (version 1 to 2)");
  VERIFY_HOLDS(notes(resolved), "renamed 'lr' to 'learning_rate' (version 2 to 3)");
  // Given under both names: the new one stays, and it is said.
  given.version = 2;
  given.file_values = {{"lr", 0.25}, {"learning_rate", 0.5}};
  const Resolved both = resolve(much_changed(), given);
  QVERIFY(both.parameters.real("learning_rate") == 0.5);
  QCOMPARE(notes(both),
           std::string("dropped 'lr': 'learning_rate' is given as well (version 2 to 3)\n"));
}

void ResolveTest::an_old_name_gets_a_hint() {
  Configuration given;
  given.set = {{"lr", "0.1"}, {"momentum", "0.9"}};
  const std::string text = messages(resolve(experiment(), given));
  VERIFY_HOLDS(text,
               "lr: 0.1 is given to an unknown parameter (it was renamed to 'learning_rate' "
               "in version 2)");
  VERIFY_HOLDS(text,
               "momentum: 0.9 is given to an unknown parameter (it was removed in version 2)");
}

void ResolveTest::a_wrong_type_is_a_programmers_error() {
  const ParameterSet set = resolve(experiment(), {}).parameters;
  QVERIFY_EXCEPTION_THROWN(set.real("nothing"), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(set.real("optimiser"), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(set.integer("learning_rate"), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(set.boolean("steps"), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(set.text("betas"), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(set.reals("classes"), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(set.integers("betas"), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(set.texts("betas"), std::logic_error);
  QCOMPARE(set.integers("widths"), (std::vector<std::int64_t>{16, 16}));
  QCOMPARE(set.texts("classes"), (std::vector<std::string>{"cat", "dog"}));
}

void ResolveTest::json_both_ways() {
  const ParameterSet set = resolve(experiment(), {}).parameters;
  const ParameterSet back = ParameterSet::from_json(Json::parse(set.to_json().dump()));
  QCOMPARE(back.all().size(), set.all().size());
  for (const auto& [key, parameter] : set.all()) {
    QVERIFY2(back.all().at(key).value == parameter.value, key.c_str());
  }
  VERIFY_HOLDS(error_message([] { ParameterSet::from_json(Json::array()); }), "no JSON object");
  VERIFY_HOLDS(error_message([] {
                 ParameterSet::from_json({{"a", nullptr}});
               }),
               "the stored parameter 'a' is of no known type");
}

QTEST_APPLESS_MAIN(ResolveTest)
#include "resolve_test.moc"
