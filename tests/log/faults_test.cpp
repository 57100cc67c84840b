// What goes wrong outside: damaged files, folders that can't be written, full disks.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/core.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <QTest>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "core/base/files.h"
#include "log/temporary_log.h"
#include "support/error_message.h"
#include "support/small_disk.h"

namespace fs = std::filesystem;
using namespace assay;
using namespace assay::test;
using namespace std::chrono_literals;

namespace {

// A log of several pages of everything; closed, so that the file holds all of it.
void fill(const fs::path& directory) {
  Log log(directory);
  std::vector<NewRun> wanted;
  for (std::uint64_t seed = 0; seed < 20; ++seed) wanted.push_back(new_run(seed));
  log.insert(wanted);
  const Run run = running(log);
  log.add_tag({run.id}, "tag");
  log.set_notes(run.id, "some notes");
  RunWriter writer(directory, run.id, directions());
  for (std::int64_t step = 0; step < 2000; ++step) writer.metric("loss", step, 1.0, 0.0);
  for (int i = 0; i < 100; ++i) writer.event(EventLevel::info, "line " + std::to_string(i), i);
  Artifact artifact;
  artifact.key = "image";
  artifact.meta = Json{{"a", 1}};
  writer.artifact(artifact);
  writer.provenance(Json{{"commit", "abc"}});
  writer.close();
  log.store_claim({"sample", "claim", "quick", 1.0, Json::object()});
}

// Whatever a window asks of a log.
void read_all(Log& log) {
  RunQuery query;
  query.parameters = {"learning_rate"};
  query.metrics = {"loss"};
  for (const RunRow& row : log.runs(query)) {
    log.run(row.run.id);
    log.parameter_set(row.run.id);
    for (const MetricSummary& metric : log.metrics(row.run.id)) log.curve(row.run.id, metric.key);
    log.events(row.run.id);
    log.artifacts(row.run.id);
    log.timings(row.run.id);
  }
  log.count(filtered("loss<2 note"));
  log.metric_keys();
  log.parameter_keys();
  log.state_counts();
  log.runs_per_plugin();
  log.all_tags();
  log.search("line");
  log.claims("sample");
  log.next_queued();
}

void overwrite(const fs::path& file, std::uint64_t offset, const std::string& bytes) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(offset));
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// As somebody whom permissions stop: root drops to nobody.
void become_ordinary() {
  if (::geteuid() != 0) return;
  if (::setgid(65534) != 0 || ::setuid(65534) != 0) throw std::runtime_error("can't become nobody");
}

// The message that `work` fails with in a process that permissions stop.
std::string message_of_ordinary_user(const fs::path& report_folder,
                                     const std::function<void()>& work) {
  const fs::path report = report_folder / "message";
  fs::remove(report);
  fs::permissions(report_folder, fs::perms::all);
  const pid_t child = in_child([&] {
    become_ordinary();
    write_atomically(report, error_message(work));
    return 0;
  });
  if (ended(child) != 0) return "(the child failed)";
  return read_text(report);
}

}  // namespace

class FaultsTest : public QObject {
  Q_OBJECT

 private slots:
  void a_file_of_something_else();
  void an_sqlite_file_of_something_else();
  void a_folder_in_place_of_the_file();
  void a_truncated_file();
  void an_emptied_file();
  void a_flipped_page_is_reported();
  void no_mutation_crashes();
  void a_missing_log_is_not_made_by_a_reader();
  void a_folder_that_cant_be_written();
  void a_folder_that_cant_be_written_is_readable();
  void rows_in_the_log_of_a_killed_writer_are_readable();
  void a_full_disk_while_writing();
  void a_full_disk_while_opening();
  void a_reader_refuses_to_write();
};

void FaultsTest::a_file_of_something_else() {
  const TemporaryLog place;
  fs::create_directories(place.path());
  for (const std::string& content : {std::string("hello"), std::string(5000, 'x'),
                                     std::string("SQLite format 3"), std::string(4096, '\0')}) {
    write_atomically(place.file(), content);
    for (const Log::Mode mode : {Log::Mode::read_write, Log::Mode::read_only}) {
      const std::string message = error_message([&] { place.open(mode); });
      VERIFY_HOLDS(message, place.file().string());
      VERIFY_HOLDS(message, "does not begin like an SQLite file");
      VERIFY_HOLDS(message, "copy the folder");
      QCOMPARE(error_exit_code([&] { place.open(mode); }), 2);
    }
    QCOMPARE(read_text(place.file()), content);
  }
}

void FaultsTest::an_sqlite_file_of_something_else() {
  const TemporaryLog place;
  fs::create_directories(place.path());
  {
    SQLite::Database other(place.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("CREATE TABLE bookmark(url TEXT)");
  }
  std::string before = read_text(place.file());
  VERIFY_HOLDS(error_message([&] { place.open(); }), "an SQLite file with other contents");
  QCOMPARE(read_text(place.file()), before);
  {
    SQLite::Database other(place.file().string(), SQLite::OPEN_READWRITE);
    other.exec("PRAGMA application_id=7");
  }
  before = read_text(place.file());
  VERIFY_HOLDS(error_message([&] { place.open(); }), "belongs to another program");
  QCOMPARE(read_text(place.file()), before);
}

void FaultsTest::a_folder_in_place_of_the_file() {
  const TemporaryLog place;
  fs::create_directories(place.file());
  VERIFY_HOLDS(error_message([&] { place.open(); }), "it is no regular file");
  write_atomically(place.root() / "plain", "a file");
  const std::string message = error_message([&] { Log(place.root() / "plain" / "log"); });
  VERIFY_HOLDS(message, "can't be created");
  VERIFY_HOLDS(message, "choose another folder with --log");
}

void FaultsTest::a_truncated_file() {
  const TemporaryLog place;
  fill(place.path());
  const std::uintmax_t whole = fs::file_size(place.file());
  for (const std::uintmax_t size :
       {whole - 1, whole / 2, std::uintmax_t{4096}, std::uintmax_t{600}, std::uintmax_t{99}}) {
    fs::resize_file(place.file(), size);
    for (const Log::Mode mode : {Log::Mode::read_write, Log::Mode::read_only}) {
      const std::string message = error_message([&] {
        Log log = place.open(mode);
        read_all(log);
      });
      VERIFY_HOLDS(message, "is damaged or no experiment log");
      VERIFY_HOLDS(message, ".recover");
    }
    QCOMPARE(fs::file_size(place.file()), size);
  }
}

void FaultsTest::an_emptied_file() {
  const TemporaryLog place;
  fill(place.path());
  fs::resize_file(place.file(), 0);
  VERIFY_HOLDS(error_message([&] { place.open(); }),
               "it is empty although there are runs beside it");
}

void FaultsTest::a_flipped_page_is_reported() {
  const TemporaryLog place;
  fill(place.path());
  const std::uintmax_t pages = fs::file_size(place.file()) / 4096;
  for (std::uintmax_t page = 1; page < pages; ++page) {
    overwrite(place.file(), page * 4096, std::string(4096, '\xa5'));
  }
  const std::string message = error_message([&] {
    Log log = place.open();
    read_all(log);
  });
  VERIFY_HOLDS(message, place.file().string());
  VERIFY_HOLDS(message, "is damaged");
  VERIFY_HOLDS(message, "malformed");
}

// Bytes changed anywhere: the log is read, or refused as unreadable. Nothing else.
void FaultsTest::no_mutation_crashes() {
  const TemporaryLog place;
  fill(place.path());
  const std::string whole = read_text(place.file());
  std::mt19937 random(42);
  int refused = 0;
  for (int round = 0; round < 150; ++round) {
    const TemporaryLog copy;
    fs::create_directories(copy.path());
    std::string damaged = whole;
    const int changes = 1 << (random() % 7);
    for (int i = 0; i < changes; ++i) {
      // Half of them in the first pages: header, schema, roots.
      const std::size_t range = random() % 2 == 0 ? whole.size() : std::size_t{16384};
      damaged[random() % range] = static_cast<char>(random());
    }
    std::ofstream(copy.file(), std::ios::binary) << damaged;
    try {
      Log log = copy.open(round % 2 == 0 ? Log::Mode::read_only : Log::Mode::read_write);
      read_all(log);
    } catch (const Error& fault) {
      ++refused;
      const bool known = fault.kind() == ErrorKind::unreadable ||
                         fault.kind() == ErrorKind::newer_version ||
                         fault.kind() == ErrorKind::storage || fault.kind() == ErrorKind::not_found;
      QVERIFY2(known, fault.what());
    }
  }
  QVERIFY(refused > 30);
}

void FaultsTest::a_missing_log_is_not_made_by_a_reader() {
  const TemporaryLog place;
  VERIFY_HOLDS(error_message([&] { place.open(Log::Mode::read_only); }),
               "there is no experiment log");
  QVERIFY(!fs::exists(place.path()));
}

void FaultsTest::a_folder_that_cant_be_written() {
  const TemporaryLog place;
  fill(place.path());
  fs::permissions(place.path(),
                  fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  ::chmod(place.path().c_str(), 0555);
  ::chmod(place.file().c_str(), 0444);
  const std::string message =
      message_of_ordinary_user(place.root(), [&] { Log log = place.open(); });
  VERIFY_HOLDS(message, place.file().string());
  VERIFY_HOLDS(message, "can't be written");
  VERIFY_HOLDS(message, "choose another one with --log");
  const fs::path locked = place.root() / "locked";
  fs::create_directories(locked);
  ::chmod(locked.c_str(), 0555);
  VERIFY_HOLDS(message_of_ordinary_user(place.root(), [&] { Log log(locked / "log"); }),
               "can't be created (Permission denied)");
  VERIFY_HOLDS(message_of_ordinary_user(place.root(), [&] { Log log(locked); }),
               "can't be written");
  ::chmod(place.path().c_str(), 0755);
  ::chmod(locked.c_str(), 0755);
}

void FaultsTest::a_folder_that_cant_be_written_is_readable() {
  const TemporaryLog place;
  fill(place.path());
  QVERIFY(!fs::exists(place.file().string() + "-wal"));
  ::chmod(place.path().c_str(), 0555);
  ::chmod(place.file().c_str(), 0444);
  const std::string message = message_of_ordinary_user(place.root(), [&] {
    Log log = place.open(Log::Mode::read_only);
    read_all(log);
    const Run run = log.runs(filtered("state:running")).at(0).run;
    if (log.curve(run.id, "loss").size() != 2000) throw std::runtime_error("rows are missing");
    log.reap();
  });
  // Its process is alive as long as this test is: there is nothing to mark.
  QCOMPARE(message, std::string("(no error)"));
  ::chmod(place.path().c_str(), 0755);
}

// Rows of a killed writer stand in assay.sqlite-wal; a reader that can't write must still see them.
void FaultsTest::rows_in_the_log_of_a_killed_writer_are_readable() {
  const TemporaryLog place;
  const pid_t child = in_child([&] {
    Log log = place.open();
    const Run run = running(log);
    RunWriter writer(place.path(), run.id, directions());
    writer.metric("loss", 0, 1.0, 0.0);
    writer.flush();
    ::raise(SIGKILL);
    return 0;
  });
  QCOMPARE(ended(child), -SIGKILL);
  QVERIFY(fs::file_size(place.file().string() + "-wal") > 0);
  ::chmod(place.path().c_str(), 0555);
  for (const auto& entry : fs::directory_iterator(place.path())) {
    if (entry.is_regular_file()) ::chmod(entry.path().c_str(), 0444);
  }
  const auto read = [&] {
    Log log = place.open(Log::Mode::read_only);
    const Run run = log.runs({}).at(0).run;
    if (log.curve(run.id, "loss").size() != 1) throw std::runtime_error("the row is missing");
  };
  QCOMPARE(message_of_ordinary_user(place.root(), read), std::string("(no error)"));
  ::chmod(place.path().c_str(), 0755);
  fs::remove(place.file().string() + "-shm");
  ::chmod(place.path().c_str(), 0555);
  // Without the shared index only a copy can be read; nothing is shown as if it were all.
  VERIFY_HOLDS(message_of_ordinary_user(place.root(), read), "copy the folder to a writable place");
  ::chmod(place.path().c_str(), 0755);
}

void FaultsTest::a_full_disk_while_writing() {
  const std::string report = on_small_disk(4U << 20, [](const fs::path& disk) -> std::string {
    Log log(disk);
    const Run run = running(log);
    const fs::path ballast = disk / "ballast";
    std::size_t written = 0;
    std::string message = "(no error)";
    try {
      RunWriter writer(disk, run.id, directions());
      for (std::int64_t step = 0; step < 200; ++step) writer.metric("loss", step, 1.0, 0.0);
      writer.flush();
      written = 200;
      std::ofstream(ballast) << std::string(free_bytes(disk), 'x');
      for (std::int64_t step = 200; step < 400'000; ++step) writer.metric("loss", step, 1.0, 0.0);
      writer.close();
    } catch (const Error& fault) {
      if (fault.kind() != ErrorKind::storage) return "wrong kind";
      message = fault.what();
    }
    const std::size_t kept = log.curve(run.id, "loss").size();
    if (kept < written) return fmt::format("only {} of {} rows are left", kept, written);
    fs::remove(ballast);
    RunWriter writer(disk, run.id, directions());
    for (std::int64_t step = 200; step < 1000; ++step) writer.metric("loss", step, 1.0, 0.0);
    writer.close();
    log.end(run.id, RunState::finished, "", 0, std::nullopt);
    if (log.curve(run.id, "loss").size() < 1000) return "can't go on after space was freed";
    const std::string check = log.database().execAndGet("PRAGMA integrity_check").getString();
    return check == "ok" ? message : check;
  });
  VERIFY_HOLDS(report, "assay.sqlite: no space left on the device");
  VERIFY_HOLDS(report, "what was committed is kept");
}

void FaultsTest::a_full_disk_while_opening() {
  const std::string report = on_small_disk(
      64U << 10, [](const fs::path& disk) { return error_message([&] { Log log(disk); }); });
  VERIFY_HOLDS(report, "assay.sqlite: no space left on the device");
}

void FaultsTest::a_reader_refuses_to_write() {
  const TemporaryLog place;
  fill(place.path());
  Log log = place.open(Log::Mode::read_only);
  const std::int64_t id = log.runs({}).at(0).run.id;
  const std::string message = error_message([&] { log.set_notes(id, "x"); });
  VERIFY_HOLDS(message, "can't be written");
  QCOMPARE(error_exit_code([&] { log.insert(new_run()); }), 3);
}

QTEST_APPLESS_MAIN(FaultsTest)
#include "faults_test.moc"
