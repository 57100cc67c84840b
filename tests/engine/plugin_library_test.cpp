// Opening a plugin's library, and the ways in which that fails.
#include "core/engine/plugin_library.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "core/base/error.h"

using namespace assay;

namespace {

Manifest manifest(const std::string& id, const std::filesystem::path& folder) {
  Manifest manifest;
  manifest.id = id;
  manifest.abi = plugin_abi;
  manifest.folder = folder;
  return manifest;
}

std::string fault_of(const Manifest& manifest) {
  try {
    load_plugin(manifest);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

const std::filesystem::path plugins = ASSAY_TEST_BUILD_DIR "/tests/plugins";

}  // namespace

class PluginLibraryTest : public QObject {
  Q_OBJECT

 private slots:
  void opens_and_makes_experiments() {
    Plugin& plugin = load_plugin(manifest("sample", plugins / "sample"));
    QCOMPARE(plugin.abi(), plugin_abi);
    QVERIFY(plugin.make_experiment("descent") != nullptr);
    QVERIFY(plugin.make_experiment("nothing") == nullptr);
    QVERIFY(plugin.make_explorable("parabola") != nullptr);
    QCOMPARE(&load_plugin(manifest("sample", plugins / "sample")), &plugin);
  }

  void another_interface_is_refused() {
    const std::string fault = fault_of(manifest("mismatched", plugins / "mismatched"));
    QVERIFY2(
        fault.find("version 2 of the plugin interface, this is version 1") != std::string::npos,
        fault.c_str());
  }

  void a_missing_library_is_named() {
    const std::string fault = fault_of(manifest("absent", "/nowhere"));
    QVERIFY2(fault.find("/nowhere/libabsent.so") != std::string::npos, fault.c_str());
  }

  void a_file_that_is_no_library_is_named() {
    QTemporaryDir folder;
    std::ofstream(folder.filePath("libfake.so").toStdString()) << "not ELF";
    const std::string fault = fault_of(manifest("fake", folder.path().toStdString()));
    QVERIFY2(fault.find("libfake.so") != std::string::npos, fault.c_str());
  }

  void a_library_without_a_plugin_is_named() {
    QTemporaryDir folder;
    std::filesystem::copy(ASSAY_TEST_BUILD_DIR "/lib/libassay_core.so",
                          folder.filePath("libplain.so").toStdString());
    const std::string fault = fault_of(manifest("plain", folder.path().toStdString()));
    QVERIFY2(fault.find("assay_plugin_v1") != std::string::npos, fault.c_str());
  }

  void a_fault_of_the_manifest_is_told() {
    Manifest broken = manifest("sample", plugins / "sample");
    broken.fault = "plugin.json: bad";
    QVERIFY(fault_of(broken).find("plugin.json: bad") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(PluginLibraryTest)
#include "plugin_library_test.moc"
