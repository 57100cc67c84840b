// A full disk, a log that can't be written, a newer one, a damaged one: told, and nothing lost.
#include <sqlite3.h>

#include <QtTest>
#include <fstream>
#include <sstream>

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "runner/harness.h"
#include "runner/private_mounts.h"

using namespace assay;
using namespace assay::test;

namespace {

namespace fs = std::filesystem;

void fill(const std::string& file, std::uint64_t leave) {
  std::ofstream out(file, std::ios::binary);
  const std::string block(4096, 'x');
  while (free_bytes(fs::path(file).parent_path()) > leave &&
         out.write(block.data(), 4096).flush()) {
  }
}

}  // namespace

class StorageTest : public QObject {
  Q_OBJECT

 private slots:
  void a_disk_that_fills_up_during_a_run() {
    Workplace reference;
    const Words words = {"run",   "sample.gallery", "--json", "--set",      "kilobytes=16",
                         "--set", "steps=150",      "--set",  "delay_ms=10"};
    const Json whole = reference.call(words).json();

    Workplace place;
    const std::string disk = place.path("disk");
    QCOMPARE(mount_small(disk, 16 * 1024), std::string());
    place.use_log(disk + "/log");
    const auto process = place.start(words);
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 10));
    QVERIFY(place.wait_for_checkpoint(id));
    fill(disk + "/ballast", 200 * 1024);
    const Ended ended = Workplace::wait(*process);
    QCOMPARE(ended.exit_code, 3);
    QVERIFY2(ended.err.find("No space left on device") != std::string::npos ||
                 ended.err.find("full") != std::string::npos,
             ended.err.c_str());

    fs::remove(disk + "/ballast");
    const Json shown = place.call({"show", id, "--json"}).json();
    const std::string state = shown.at("state");
    QVERIFY2(state == "failed" || state == "crashed", state.c_str());
    QVERIFY(shown.at("metrics").at("loss").at("step").get<int>() >= 10);
    const Ended resumed = place.call({"resume", id, "--json"});
    QVERIFY2(resumed.exit_code == 0, resumed.err.c_str());
    QCOMPARE(resumed.json().at("metrics").dump(), whole.at("metrics").dump());
    QCOMPARE(resumed.json().at("state_sha256"), whole.at("state_sha256"));
    QCOMPARE(metric_table(place.log_path(), id),
             metric_table(reference.log_path(), whole.at("run")));
    QCOMPARE(artifact_table(place.log_path(), id),
             artifact_table(reference.log_path(), whole.at("run")));
    for (const auto& entry : fs::recursive_directory_iterator(disk)) {
      QVERIFY2(!entry.path().string().ends_with(".partial"), entry.path().c_str());
    }
    QCOMPARE(unmount(disk), std::string());
  }

  // Not even the log's last row fits.
  void a_disk_without_a_single_free_byte() {
    Workplace place;
    const std::string disk = place.path("disk");
    QCOMPARE(mount_small(disk, 8 * 1024), std::string());
    place.use_log(disk + "/log");
    const auto process =
        place.start({"run", "sample.descent", "--set", "steps=100000", "--set", "delay_ms=2"});
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 20));
    QVERIFY(place.wait_for_checkpoint(id));
    fill(disk + "/ballast", 0);
    const Ended ended = Workplace::wait(*process);
    QCOMPARE(ended.exit_code, 3);
    QVERIFY2(!ended.err.empty() && ended.err.find("assay-run: ") != std::string::npos,
             ended.err.c_str());
    fs::remove(disk + "/ballast");
    const Json shown = place.call({"show", id, "--json"}).json();
    QVERIFY(shown.at("metrics").at("loss").at("step").get<int>() >= 20);
    QVERIFY(shown.at("state") == "failed" || shown.at("state") == "crashed");
    const auto again = place.start({"resume", id});
    const std::int64_t step = shown.at("metrics").at("loss").at("step").get<std::int64_t>();
    QVERIFY(place.wait_for_step(id, "loss", step + 5));
    QCOMPARE(place.call({"stop", id}).exit_code, 0);
    QCOMPARE(Workplace::wait(*again).exit_code, 130);
    QCOMPARE(unmount(disk), std::string());
  }

  void a_full_disk_before_a_run() {
    Workplace place;
    const std::string disk = place.path("disk");
    QCOMPARE(mount_small(disk, 512), std::string());
    fill(disk + "/ballast", 0);
    place.use_log(disk + "/log");
    const Ended ended = place.call({"run", "sample.descent"});
    QCOMPARE(ended.exit_code, 3);
    QVERIFY2(ended.err.find(disk) != std::string::npos, ended.err.c_str());
    QCOMPARE(ended.error_lines().size(), std::size_t{1});
    QCOMPARE(unmount(disk), std::string());
  }

  void a_read_only_log_directory() {
    Workplace place;
    const Json run = place.call({"run", "sample.descent", "--json"}).json();
    QCOMPARE(mount_read_only(place.log_path()), std::string());
    for (const Words& words : {Words{"run", "sample.descent"}, Words{"resume", run.at("run")},
                               Words{"stop", run.at("run")}}) {
      const Ended ended = place.call(words);
      QCOMPARE(ended.exit_code, 3);
      QVERIFY2(ended.err.find(place.log_path()) != std::string::npos, ended.err.c_str());
      QCOMPARE(ended.error_lines().size(), std::size_t{1});
    }
    const Ended shown = place.call({"show", run.at("run"), "--json"});
    QVERIFY2(shown.exit_code == 0, shown.err.c_str());
    QCOMPARE(shown.json().at("state_sha256"), run.at("state_sha256"));
    QCOMPARE(unmount(place.log_path()), std::string());
  }

  void a_log_of_a_newer_version_is_left_alone() {
    Workplace place;
    QCOMPARE(place.call({"run", "sample.descent"}).exit_code, 0);
    const std::string file = place.log_path() + "/assay.sqlite";
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    QCOMPARE(sqlite3_exec(database, "PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)",
                          nullptr, nullptr, nullptr),
             SQLITE_OK);
    sqlite3_close(database);
    const std::string before = sha256_of_file(file);
    for (const Words& words : {Words{"run", "sample.descent"}, Words{"show", "descent"}}) {
      const Ended ended = place.call(words);
      QCOMPARE(ended.exit_code, 3);
      QVERIFY2(ended.err.find("newer") != std::string::npos, ended.err.c_str());
      QCOMPARE(ended.error_lines().size(), std::size_t{1});
    }
    QCOMPARE(sha256_of_file(file), before);
  }

  void a_damaged_log_is_left_alone() {
    Workplace place;
    fs::create_directories(place.log_path());
    const std::string file = place.log_path() + "/assay.sqlite";
    std::ofstream(file) << std::string(20000, 'x');
    const std::string before = sha256_of_file(file);
    for (const Words& words : {Words{"run", "sample.descent"}, Words{"show", "descent"}}) {
      const Ended ended = place.call(words);
      QVERIFY(ended.exit_code == 2 || ended.exit_code == 3);
      QVERIFY2(ended.err.find("assay.sqlite") != std::string::npos, ended.err.c_str());
      QCOMPARE(ended.error_lines().size(), std::size_t{1});
    }
    QCOMPARE(sha256_of_file(file), before);
  }

  void a_log_directory_that_is_a_file() {
    Workplace place;
    place.use_log(place.write("file", "x"));
    const Ended ended = place.call({"run", "sample.descent"});
    QCOMPARE(ended.exit_code, 3);
    QVERIFY2(ended.err.find(place.log_path()) != std::string::npos, ended.err.c_str());
  }
};

int main(int argc, char** argv) {
  const std::string fault = enter_private_mounts();
  if (!fault.empty()) {
    std::fprintf(stderr, "this test needs file systems of its own: %s\n", fault.c_str());
    return 1;
  }
  QCoreApplication application(argc, argv);
  StorageTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "storage_test.moc"
