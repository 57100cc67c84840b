// Build, machine and library facts are there and true; the seed tree's numbers never change.
#include "core/provenance/provenance.h"

#include <QtTest>
#include <set>

#include "core/base/process.h"

using namespace assay;

class ProvenanceTest : public QObject {
  Q_OBJECT
 private slots:
  // Written with Python's integers: SplitMix64(root ^ FNV-1a(name)). A change would make every
  // earlier run irreproducible.
  void seeds_are_what_they_always_were() {
    QCOMPARE(derive_seed(0, ""), std::uint64_t{14087677454934409008U});
    QCOMPARE(derive_seed(1, "model"), std::uint64_t{3375096475980545297U});
    QCOMPARE(derive_seed(18446744073709551615U, "data order"), std::uint64_t{739826007187665993U});
  }

  void names_and_roots_give_different_seeds() {
    std::set<std::uint64_t> seeds;
    for (std::uint64_t root = 0; root < 200; ++root)
      for (const char* name : {"model", "data", "dropout", "attack", "split"})
        seeds.insert(derive_seed(root, name));
    QCOMPARE(seeds.size(), std::size_t{1000});
  }

  void says_how_it_was_built() {
    const Json build = build_provenance();
    const auto commit = build.at("commit").get<std::string>();
    QVERIFY(commit == "unknown" || commit.size() == 40);
    QCOMPARE(build.at("dirty").is_null(), commit == "unknown");
    QVERIFY(build.at("compiler").get<std::string>().find_first_of("0123456789") !=
            std::string::npos);
    QVERIFY(build.at("flags").get<std::string>().find("-ffp-contract=off") != std::string::npos);
    QVERIFY(!build.at("version").get<std::string>().empty());
    QVERIFY(!build.at("build_type").get<std::string>().empty());
    if (build.at("dirty") == Json(true))
      QCOMPARE(build.at("patch_sha256").get<std::string>().size(), std::size_t{64});
  }

  void says_where_it_runs() {
    const Json machine = machine_provenance();
    QCOMPARE(machine.at("cores").get<int>(), core_count());
    QVERIFY(machine.at("memory_bytes").get<std::int64_t>() > (1 << 26));
    QCOMPARE(machine.at("boot_id").get<std::string>().size(), std::size_t{36});
    for (const char* key : {"host", "kernel", "architecture", "distribution"})
      QVERIFY2(!machine.at(key).get<std::string>().empty(), key);
    QVERIFY(machine.at("kernel").get<std::string>().starts_with("Linux "));
  }

  void names_the_libraries() {
    const Json libraries = library_provenance();
    for (const char* key : {"SQLite", "zlib", "libpng", "OpenSSL", "glibc", "fmt"})
      QVERIFY2(libraries.at(key).get<std::string>().find('.') != std::string::npos, key);
  }

  void gathers_everything_as_storable_json() {
    qputenv("OMP_NUM_THREADS", "3");
    const Json all = provenance(2);
    QCOMPARE(all.at("threads").get<int>(), 2);
    QCOMPARE(all.at("environment").at("OMP_NUM_THREADS").get<std::string>(), std::string("3"));
    QVERIFY(all.at("command_line").at(0).get<std::string>().find("test_provenance") !=
            std::string::npos);
    QVERIFY(QDateTime::fromString(QString::fromStdString(all.at("time").get<std::string>()),
                                  Qt::ISODate)
                .isValid());
    QVERIFY(Json::parse(all.dump()) == all);  // dump() throws on bytes that are no UTF-8
  }
};

QTEST_APPLESS_MAIN(ProvenanceTest)
#include "provenance_test.moc"
