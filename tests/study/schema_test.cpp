// resources/plugin.schema.json, the manifests of the tree and parse_manifest agree.
#include <QTest>
#include <filesystem>

#include "core/base/files.h"
#include "study/sample.h"
#include "study/schema_check.h"
#include "support/error_message.h"

namespace fs = std::filesystem;
using namespace assay;

class SchemaTest : public QObject {
  Q_OBJECT

 private slots:
  void the_example_is_valid();
  void every_manifest_of_the_tree_is_valid();
  void what_the_reader_writes_is_valid();
  void both_refuse_what_is_wrong();
  void every_key_of_the_schema_is_read();

 private:
  const Json schema_ =
      Json::parse(read_text(std::string(ASSAY_TEST_PROJECT_DIR) + "/resources/plugin.schema.json"));
};

void SchemaTest::the_example_is_valid() {
  QCOMPARE(schema_fault(schema_, sample::json()), std::string());
}

void SchemaTest::every_manifest_of_the_tree_is_valid() {
  const fs::path project = ASSAY_TEST_PROJECT_DIR;
  int count = 0;
  for (const fs::path& folder : {project / "plugins", project / "tests" / "plugins"}) {
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const fs::path file = entry.path() / "plugin.json";
      if (!fs::exists(file)) continue;
      const Json json = Json::parse(read_text(file));
      const std::string fault = schema_fault(schema_, json);
      QVERIFY2(fault.empty(), (file.string() + fault).c_str());
      // Throws when the reader does not agree.
      QCOMPARE(error_message([&] { read_manifest(file); }), std::string("(no error)"));
      ++count;
    }
  }
  QVERIFY(count > 0);
}

void SchemaTest::what_the_reader_writes_is_valid() {
  Json written = to_json(sample::manifest());
  written.erase("folder");
  QCOMPARE(schema_fault(schema_, written), std::string());
}

void SchemaTest::both_refuse_what_is_wrong() {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"/id", "\"Sample\""},
      {"/abi", "0"},
      {"/abi", "\"1\""},
      {"/extra", "1"},
      {"/paper", "null"},
      {"/paper/year", "25"},
      {"/paper/authors", "[]"},
      {"/paper/url", "\"ftp://x\""},
      {"/experiments", "[]"},
      {"/experiments/0/title", "\"\""},
      {"/experiments/0/version", "0"},
      {"/experiments/0/parameters/0/type", "\"float\""},
      {"/experiments/0/parameters/0/key", "\"preset\""},
      {"/experiments/0/parameters/0/default", "0.5"},
      {"/experiments/0/parameters/0/minimum", "0.5"},
      {"/experiments/0/parameters/0/minimum_length", "1"},
      {"/experiments/0/parameters/0/choices", "[{\"value\": \"a\"}]"},
      {"/experiments/0/parameters/0/path_kind", "\"file\""},
      {"/experiments/0/parameters/0/step", "0"},
      {"/experiments/0/parameters/1/minimum", "0"},
      {"/experiments/0/parameters/1/scale", "\"cubic\""},
      {"/experiments/0/parameters/2/default", "\"true\""},
      {"/experiments/0/parameters/2/minimum", "0"},
      {"/experiments/0/parameters/3/choices", "[]"},
      {"/experiments/0/parameters/3/choices/0/value", "\"a,b\""},
      {"/experiments/0/parameters/4/default", "3"},
      {"/experiments/0/parameters/6/default", "0.7"},
      {"/experiments/0/parameters/6/default", "[true]"},
      {"/experiments/0/parameters/6/scale", "\"log\""},
      {"/experiments/0/parameters/6/element", "\"boolean\""},
      {"/experiments/0/presets/0/values", "[]"},
      {"/experiments/0/presets/0/values/steps", "{}"},
      {"/experiments/0/metrics/0/key", "\"/absolute\""},
      {"/experiments/0/metrics/0/key", "\"*\""},
      {"/experiments/0/metrics/0/shown", "1"},
      {"/experiments/0/artifacts/0/kind", "\"film\""},
      {"/experiments/0/repairs/0/renamed/lr", "1"},
      {"/explorables/0/summary", "1"},
      {"/data/0/id", "\"Two words\""},
      {"/data/0/path", "7"},
      {"/data/0/size", "7"},
      {"/claims/0/comparison", "\"less\""},
      {"/claims/0/tolerance", "0.1"},
      {"/claims/0/constant", "0.1"},
      {"/claims/1/tolerance", "-0.1"},
      {"/claims/1/margin", "0.1"},
  };
  for (const auto& [pointer, value] : changes) {
    const Json json = sample::changed(pointer, Json::parse(value));
    const std::string what = pointer + " = " + value;
    QVERIFY2(!schema_fault(schema_, json).empty(), (what + ": the schema takes it").c_str());
    QVERIFY2(error_message([&] { parse_manifest(json, "sample/plugin.json"); }) != "(no error)",
             (what + ": the reader takes it").c_str());
  }
}

// Each property of the schema in its place with a value of no sensible type: the reader must not
// pass over it, and must not call it unknown.
void SchemaTest::every_key_of_the_schema_is_read() {
  const std::vector<std::pair<std::string, std::string>> places = {
      {"/properties", ""},
      {"/properties/paper/properties", "/paper"},
      {"/$defs/experiment/properties", "/experiments/0"},
      {"/$defs/parameter/properties", "/experiments/0/parameters/0"},
      {"/$defs/choice/properties", "/experiments/0/parameters/3/choices/0"},
      {"/$defs/preset/properties", "/experiments/0/presets/0"},
      {"/$defs/metric/properties", "/experiments/0/metrics/0"},
      {"/$defs/artifact/properties", "/experiments/0/artifacts/0"},
      {"/$defs/repair/properties", "/experiments/0/repairs/0"},
      {"/$defs/explorable/properties", "/explorables/0"},
      {"/$defs/data/properties", "/data/0"},
      {"/$defs/side/properties", "/claims/0/left"},
      {"/$defs/claim/properties", "/claims/0"},
  };
  for (const auto& [properties, place] : places) {
    for (const auto& [key, schema] : schema_.at(Json::json_pointer(properties)).items()) {
      if (key == "$schema") continue;
      const Json json = sample::changed(place + "/" + key, Json::parse("[[{}]]"));
      const std::string message =
          error_message([&] { parse_manifest(json, "sample/plugin.json"); });
      QVERIFY2(message != "(no error)", (place + "/" + key).c_str());
      QVERIFY2(message.find("unknown key") == std::string::npos, message.c_str());
    }
  }
}

QTEST_APPLESS_MAIN(SchemaTest)
#include "schema_test.moc"
