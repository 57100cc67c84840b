// Finding plugins, broken ones among them, and experiments by their address.
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files.h"
#include "study/sample.h"
#include "support/error_message.h"

namespace fs = std::filesystem;
using namespace assay;

class PluginsTest : public QObject {
  Q_OBJECT

 private slots:
  void lists_all_and_says_what_is_wrong();
  void the_first_of_two_wins();
  void finds_an_experiment_by_its_address();

 private:
  void add(const std::string& where, const std::string& id, const Json& json, bool library = true) {
    const fs::path folder = root() / where / id;
    fs::create_directories(folder);
    write_atomically(folder / "plugin.json", json.dump());
    if (library) write_atomically(folder / ("lib" + id + ".so"), "library");
  }
  fs::path root() const { return folder_.path().toStdString(); }
  QTemporaryDir folder_;
};

void PluginsTest::lists_all_and_says_what_is_wrong() {
  add("all", "sample", sample::json());
  Json other = sample::changed("/id", "no_library");
  other["title"] = "A title that comes first";
  add("all", "no_library", other, false);
  add("all", "newer", [] {
    Json json = sample::changed("/id", "newer");
    json["abi"] = 99;
    return json;
  }());
  add("all", "broken", sample::changed("/id", 5));
  fs::create_directories(root() / "all" / "no_plugin_at_all");
  write_atomically(root() / "all" / "a file", "x");

  const std::vector<Manifest> plugins = find_plugins({root() / "all", root() / "missing"});
  QCOMPARE(plugins.size(), std::size_t{4});
  QCOMPARE(plugins[0].id, std::string("no_library"));
  VERIFY_HOLDS(plugins[0].fault, "libno_library.so is missing");
  for (const Manifest& plugin : plugins) {
    if (plugin.id == "sample") QCOMPARE(plugin.fault, std::string());
    if (plugin.id == "newer") VERIFY_HOLDS(plugin.fault, "plugin interface 99");
    if (plugin.id == "broken") {
      VERIFY_HOLDS(plugin.fault, "broken/plugin.json: id: must be a text that is not empty, not 5");
      QCOMPARE(to_json(plugin)["fault"].get<std::string>(), plugin.fault);
    }
  }
}

void PluginsTest::the_first_of_two_wins() {
  add("own", "sample", sample::changed("/title", "My own"));
  add("system", "sample", sample::changed("/title", "The system's"));
  const std::vector<Manifest> plugins = find_plugins({root() / "own", root() / "system"});
  QCOMPARE(plugins.size(), std::size_t{1});
  QCOMPARE(plugins[0].title, std::string("My own"));
}

void PluginsTest::finds_an_experiment_by_its_address() {
  Json two = sample::changed("/id", "two");
  two["experiments"].push_back(two["experiments"][0]);
  two["experiments"][1]["id"] = "ascent";
  std::vector<Manifest> plugins = {sample::manifest(), parse_manifest(two, "two/plugin.json")};
  const auto message = [&](const std::string& address) {
    return error_message([&] { find_experiment(plugins, address); });
  };
  QVERIFY(find_experiment(plugins, "sample.descent").experiment == &plugins[0].experiments[0]);
  QVERIFY(find_experiment(plugins, "sample").experiment == &plugins[0].experiments[0]);
  QVERIFY(find_experiment(plugins, "two.ascent").experiment == &plugins[1].experiments[1]);
  QCOMPARE(message("two"), std::string("experiment: 'two' has several experiments; allowed: "
                                       "two.descent, two.ascent"));
  QCOMPARE(message("two.asent"),
           std::string("experiment: 'two.asent' does not exist (did you mean 'two.ascent'?); "
                       "allowed: two.descent, two.ascent"));
  VERIFY_HOLDS(message("sampel.descent"), "did you mean 'sample.descent'?");
  VERIFY_HOLDS(message(""), "allowed: sample.descent, two.descent, two.ascent");
  VERIFY_HOLDS(error_message([] { find_experiment({}, "x.y"); }), "none (no plugin was found)");
  QCOMPARE(error_exit_code([&] { find_experiment(plugins, "x"); }), 2);
  plugins[0].fault = "the reason";
  QCOMPARE(message("sample.descent"), std::string("plugin 'sample' can't be used: the reason"));
}

QTEST_APPLESS_MAIN(PluginsTest)
#include "plugins_test.moc"
