// Formats of the log's file: older ones are brought up to date after a backup, newer ones refused.
#include <SQLiteCpp/SQLiteCpp.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/files.h"
#include "log/temporary_log.h"
#include "support/error_message.h"
#include "support/small_disk.h"

namespace fs = std::filesystem;
using namespace assay;
using namespace assay::test;

namespace {

void make_format_1(const fs::path& directory) {
  fs::create_directories(directory);
  SQLite::Database old((directory / "assay.sqlite").string(),
                       SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  old.exec(read_text(fs::path(ASSAY_TEST_SOURCE_DIR) / "data" / "log" / "format-1.sql"));
}

int version_of(const fs::path& file) {
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
  return database.execAndGet("PRAGMA user_version").getInt();
}

std::string tables_of(const fs::path& file) {
  SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
  SQLite::Statement select(database,
                           "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM "
                           "sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name");
  std::string text;
  while (select.executeStep()) text += select.getColumn(0).getString() + "\n";
  return text;
}

std::vector<std::string> files_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

class MigrationTest : public QObject {
  Q_OBJECT

 private slots:
  void an_older_log_keeps_everything();
  void it_is_like_a_new_one();
  void the_backup_is_the_old_log();
  void an_older_log_is_not_changed_by_a_reader();
  void a_failed_migration_changes_nothing();
  void processes_race_for_it();
  void a_newer_log_is_refused_untouched();
  void a_new_log_has_no_backup();
  void opening_again_changes_nothing();
};

void MigrationTest::an_older_log_keeps_everything() {
  const TemporaryLog place;
  make_format_1(place.path());
  Log log = place.open();
  const Run run = log.find("first");
  QCOMPARE(run.public_id, std::string("aaaaaaaaaa"));
  QCOMPARE(run.state, RunState::finished);
  QCOMPARE(run.seconds, 10.0);
  QCOMPARE(run.created, 1764547200.5);
  QCOMPARE(run.notes, std::string("compare with the baseline"));
  QCOMPARE(run.tags, (std::vector<std::string>{"baseline"}));
  QCOMPARE(run.provenance["commit"].get<std::string>(), std::string("abc"));
  QVERIFY(run.starred);
  QCOMPARE(std::get<double>(log.parameters(run.id).at("learning_rate")), 0.1);
  QCOMPARE(std::get<std::int64_t>(log.parameters(run.id).at("epochs")), std::int64_t{5});
  const auto curve = log.curve(run.id, "loss");
  QCOMPARE(curve.size(), std::size_t{3});
  QVERIFY(std::isnan(curve[1].value));
  QCOMPARE(curve[2].value, 0.5);
  QCOMPARE(log.curve(run.id, "accuracy").at(0).value, HUGE_VAL);
  QCOMPARE(log.metrics(run.id).size(), std::size_t{2});
  QCOMPARE(log.timings(run.id).at("prepare"), 0.25);
  QCOMPARE(log.artifacts(run.id).at(0).bytes, std::uint64_t{1234});
  QCOMPARE(log.events(run.id).size(), std::size_t{2});
  QCOMPARE(log.next_queued()->name, std::string("second"));
  QCOMPARE(log.take_requests(2).size(), std::size_t{1});
  QVERIFY(log.run(5).trashed.has_value());
  QCOMPARE(log.claims("sample").size(), std::size_t{1});
  // What the newer format adds knows the old rows.
  QCOMPARE(log.search("baseline"), (std::vector<std::string>{"aaaaaaaaaa"}));
  QCOMPARE(log.search("optimiser ready"), (std::vector<std::string>{"aaaaaaaaaa"}));
  // And the log lives on.
  QVERIFY(log.insert(new_run()).id > 5);
  log.purge({5});
  QVERIFY(log.claim(2, {RunState::queued}, this_process(), 1));
  RunWriter writer(place.path(), 2, directions());
  writer.metric("loss", 0, 1.0, 0.0);
  writer.event(EventLevel::info, "later words", 0);
  writer.close();
  QCOMPARE(log.search("later"), (std::vector<std::string>{"bbbbbbbbbb"}));
}

void MigrationTest::it_is_like_a_new_one() {
  const TemporaryLog migrated, fresh;
  make_format_1(migrated.path());
  migrated.open();
  fresh.open();
  QCOMPARE(tables_of(migrated.file()), tables_of(fresh.file()));
  QCOMPARE(version_of(migrated.file()), Log::schema_version);
}

void MigrationTest::the_backup_is_the_old_log() {
  const TemporaryLog place;
  make_format_1(place.path());
  const std::string before = tables_of(place.file());
  place.open();
  const fs::path backup = place.path() / "assay.sqlite.backup-v1";
  QVERIFY(fs::exists(backup));
  QCOMPARE(version_of(backup), 1);
  QCOMPARE(tables_of(backup), before);
  SQLite::Database database(backup.string(), SQLite::OPEN_READONLY);
  QCOMPARE(database.execAndGet("SELECT count(*) FROM metric").getInt(), 4);
  QCOMPARE(database.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
  QVERIFY(!fs::exists(backup.string() + ".partial"));
}

void MigrationTest::an_older_log_is_not_changed_by_a_reader() {
  const TemporaryLog place;
  make_format_1(place.path());
  const std::string before = read_text(place.file());
  const std::string message = error_message([&] { place.open(Log::Mode::read_only); });
  VERIFY_HOLDS(message, "was written by an older Assay (format 1, ours is 2)");
  QCOMPARE(read_text(place.file()), before);
}

// No room for the backup: the old log stays as it is, and later it works.
void MigrationTest::a_failed_migration_changes_nothing() {
  const std::string report = on_small_disk(1U << 20, [](const fs::path& disk) -> std::string {
    make_format_1(disk);
    {
      SQLite::Database old((disk / "assay.sqlite").string(), SQLite::OPEN_READWRITE);
      old.exec("UPDATE run SET notes = hex(zeroblob(150000)) WHERE id = 1");
    }
    const fs::path ballast = disk / "ballast";
    std::ofstream(ballast) << std::string(free_bytes(disk) - 200'000, 'x');
    const std::string message = error_message([&] { Log log(disk); });
    if (version_of(disk / "assay.sqlite") != 1) return "the old log was changed: " + message;
    if (fs::exists(disk / "assay.sqlite.backup-v1.partial")) return "a partial backup is left";
    fs::remove(ballast);
    Log log(disk);
    return log.run(1).notes.size() == 300'000 ? message : "notes are lost";
  });
  VERIFY_HOLDS(report, "the backup before bringing the log up to date failed, nothing was changed");
  VERIFY_HOLDS(report, "no space left");
}

void MigrationTest::processes_race_for_it() {
  for (int round = 0; round < 3; ++round) {
    const TemporaryLog place;
    make_format_1(place.path());
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
      children.push_back(in_child([&place] {
        Log log = place.open();
        return log.search("baseline").size() == 1 && log.runs({}).size() == 2 ? 0 : 1;
      }));
    }
    for (const pid_t child : children) QCOMPARE(ended(child), 0);
    QCOMPARE(version_of(place.file()), Log::schema_version);
    QCOMPARE(version_of(place.path() / "assay.sqlite.backup-v1"), 1);
  }
}

void MigrationTest::a_newer_log_is_refused_untouched() {
  const TemporaryLog place;
  place.open();
  {
    SQLite::Database newer(place.file().string(), SQLite::OPEN_READWRITE);
    newer.exec("PRAGMA user_version = 999");
  }
  const std::string before = read_text(place.file());
  const auto files = files_in(place.path());
  for (const Log::Mode mode : {Log::Mode::read_write, Log::Mode::read_only}) {
    const std::string message = error_message([&] { place.open(mode); });
    VERIFY_HOLDS(message, place.file().string() +
                              ": was written by a newer Assay (format 999, this "
                              "one knows up to 2)");
    VERIFY_HOLDS(message, "update Assay");
    QCOMPARE(error_exit_code([&] { place.open(mode); }), 3);
  }
  QCOMPARE(read_text(place.file()), before);
  QCOMPARE(files_in(place.path()), files);
  // The same while the newer program is running: its version may stand in the WAL only.
  const TemporaryLog live;
  live.open();
  SQLite::Database newer(live.file().string(), SQLite::OPEN_READWRITE);
  newer.exec("PRAGMA user_version = 999");
  VERIFY_HOLDS(error_message([&] { live.open(); }), "newer Assay");
  QCOMPARE(newer.execAndGet("PRAGMA user_version").getInt(), 999);
}

void MigrationTest::a_new_log_has_no_backup() {
  const TemporaryLog place;
  place.open();
  QCOMPARE(files_in(place.path()), (std::vector<std::string>{"assay.sqlite"}));
  SQLite::Database database(place.file().string(), SQLite::OPEN_READONLY);
  QCOMPARE(database.execAndGet("PRAGMA journal_mode").getString(), std::string("wal"));
}

void MigrationTest::opening_again_changes_nothing() {
  const TemporaryLog place;
  place.open();
  const std::string before = read_text(place.file());
  place.open();
  place.open(Log::Mode::read_only);
  QCOMPARE(read_text(place.file()), before);
}

QTEST_APPLESS_MAIN(MigrationTest)
#include "migration_test.moc"
