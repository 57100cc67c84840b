// Whole-file reads, atomic writes, folders and digests.
#include "core/base/files.h"

#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "support/error_message.h"
#include "support/small_disk.h"

namespace fs = std::filesystem;
using namespace assay;

class FilesTest : public QObject {
  Q_OBJECT

 private slots:
  void reads_what_was_written();
  void refuses_to_read_what_is_no_file();
  void keeps_to_the_limit();
  void reads_files_without_a_size();
  void a_failed_write_leaves_the_old_file();
  void a_full_disk_leaves_the_old_file();
  void free_bytes_of_a_folder_to_come();
  void log_directory_by_the_rules();
  void plugin_directories_that_exist();
  void digests_of_the_standard();
  void numbers_that_json_has_not();

 private:
  fs::path folder() const { return fs::path(folder_.path().toStdString()); }
  QTemporaryDir folder_;
};

void FilesTest::reads_what_was_written() {
  const fs::path path = folder() / "some file";
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i % 256);
  write_atomically(path, bytes);
  QCOMPARE(read_text(path), bytes);
  const std::vector<std::uint8_t> raw = read_file(path);
  QVERIFY(std::equal(raw.begin(), raw.end(), bytes.begin(), bytes.end(),
                     [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }));
  write_atomically(path, std::vector<std::uint8_t>{1, 2, 3});
  QCOMPARE(read_file(path), (std::vector<std::uint8_t>{1, 2, 3}));
  write_atomically(path, "");
  QCOMPARE(read_text(path), std::string());
  QVERIFY(!fs::exists(folder() / "some file.partial"));
}

void FilesTest::refuses_to_read_what_is_no_file() {
  const fs::path missing = folder() / "missing";
  QCOMPARE(error_message([&] { read_text(missing); }), missing.string() + ": no such file");
  QCOMPARE(error_exit_code([&] { read_text(missing); }), 2);
  QCOMPARE(error_message([&] { read_text(folder() / "missing" / "deep"); }),
           (missing / "deep").string() + ": no such file");
  VERIFY_HOLDS(error_message([&] { read_text(folder()); }), "is a folder, not a file");
  // Nobody writes into this pipe: a reader that waited would wait for ever.
  const fs::path pipe = folder() / "pipe";
  QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
  VERIFY_HOLDS(error_message([&] { read_text(pipe); }), "is no regular file");
  VERIFY_HOLDS(error_message([&] { sha256_of_file(pipe); }), "is no regular file");
  VERIFY_HOLDS(error_message([&] { sha256_of_file(missing); }), "no such file");
}

void FilesTest::keeps_to_the_limit() {
  const fs::path path = folder() / "ten";
  write_atomically(path, "0123456789");
  QCOMPARE(read_text(path, 10), std::string("0123456789"));
  VERIFY_HOLDS(error_message([&] { read_text(path, 9); }), "larger than the limit of 9 bytes");
  QCOMPARE(error_exit_code([&] { read_text(path, 9); }), 2);
}

void FilesTest::reads_files_without_a_size() {
  // The kernel says 0 bytes for all of /proc.
  QVERIFY(read_text("/proc/self/status").find("Pid:") != std::string::npos);
  VERIFY_HOLDS(error_message([&] { read_text("/proc/self/status", 10); }), "larger than the limit");
}

void FilesTest::a_failed_write_leaves_the_old_file() {
  const fs::path path = folder() / "nowhere" / "file";
  const std::string message = error_message([&] { write_atomically(path, "x"); });
  VERIFY_HOLDS(message, path.string());
  VERIFY_HOLDS(message, "No such file or directory");
  QCOMPARE(error_exit_code([&] { write_atomically(path, "x"); }), 3);

  // The rename fails after the bytes are written: the name is a folder's.
  const fs::path taken = folder() / "taken";
  fs::create_directories(taken / "inside");
  VERIFY_HOLDS(error_message([&] { write_atomically(taken, "x"); }), "can't be written");
  QVERIFY(fs::is_directory(taken / "inside"));
  QVERIFY(!fs::exists(folder() / "taken.partial"));
}

void FilesTest::a_full_disk_leaves_the_old_file() {
  const std::string report = on_small_disk(128U << 10, [](const fs::path& disk) -> std::string {
    const fs::path path = disk / "weights";
    write_atomically(path, "the old content");
    const std::string message =
        error_message([&] { write_atomically(path, std::string(std::size_t{1} << 20, 'x')); });
    if (message != path.string() + ": can't be written: No space left on device") return message;
    if (read_text(path) != "the old content") return "the old file is not whole";
    if (fs::exists(disk / "weights.partial")) return "the partial file is still there";
    write_atomically(path, "room again");
    return read_text(path);
  });
  QCOMPARE(report, std::string("room again"));
}

void FilesTest::free_bytes_of_a_folder_to_come() {
  QVERIFY(free_bytes(folder()) > 0);
  QVERIFY(free_bytes(folder() / "not" / "yet" / "there") > 0);
  const std::string report = on_small_disk(128U << 10, [](const fs::path& disk) {
    return std::to_string(free_bytes(disk / "not" / "yet"));
  });
  QCOMPARE(report, std::to_string(128U << 10));
}

void FilesTest::log_directory_by_the_rules() {
  qputenv("HOME", "/home/somebody");
  qunsetenv("ASSAY_LOG");
  qunsetenv("XDG_DATA_HOME");
  QCOMPARE(log_directory().string(), std::string("/home/somebody/.local/share/assay"));
  qputenv("XDG_DATA_HOME", "relative/is/invalid");
  QCOMPARE(log_directory().string(), std::string("/home/somebody/.local/share/assay"));
  qputenv("XDG_DATA_HOME", "/data");
  QCOMPARE(log_directory().string(), std::string("/data/assay"));
  QCOMPARE(user_plugin_directory().string(), std::string("/data/assay/plugins"));
  qputenv("ASSAY_LOG", "/elsewhere/log");
  QCOMPARE(log_directory().string(), std::string("/elsewhere/log"));
  QCOMPARE(log_directory("/given").string(), std::string("/given"));
  QCOMPARE(log_directory("given/../log"), fs::current_path() / "log");
  qunsetenv("ASSAY_LOG");
}

void FilesTest::plugin_directories_that_exist() {
  fs::create_directories(folder() / "first");
  fs::create_directories(folder() / "second");
  fs::create_directories(folder() / "data" / "assay" / "plugins");
  const std::string first = (folder() / "first").string();
  const std::string second = (folder() / "second").string();
  qputenv("ASSAY_PLUGINS", (first + "::" + (folder() / "missing").string() + ":" + second).c_str());
  qputenv("XDG_DATA_HOME", (folder() / "data").c_str());
  const std::vector<fs::path> found = plugin_directories();
  QVERIFY(found.size() >= 3);
  QCOMPARE(found[0].string(), first);
  QCOMPARE(found[1].string(), second);
  QCOMPARE(found.back(), folder() / "data" / "assay" / "plugins");
  qunsetenv("ASSAY_PLUGINS");
}

void FilesTest::digests_of_the_standard() {
  // FIPS 180-4's examples, as published by NIST (SHA256.pdf, and the million letters "a").
  QCOMPARE(sha256_of("abc"),
           std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  QCOMPARE(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
           std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
  QCOMPARE(sha256_of(""),
           std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
  const std::string million(1'000'000, 'a');
  const std::string expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
  Sha256 pieces;
  for (int i = 0; i < 1000; ++i) pieces.update(std::string_view(million).substr(0, 1000));
  QCOMPARE(pieces.hex(), expected);
  // Larger than the piece that is read at a time.
  const fs::path path = folder() / "million";
  write_atomically(path, million + million);
  QCOMPARE(sha256_of_file(path), sha256_of(million + million));
}

void FilesTest::numbers_that_json_has_not() {
  QCOMPARE(number_to_json(0.1).dump(), std::string("0.1"));
  QCOMPARE(number_to_json(std::nan("")).dump(), std::string("\"nan\""));
  QCOMPARE(number_to_json(HUGE_VAL).dump(), std::string("\"inf\""));
  QCOMPARE(number_to_json(-HUGE_VAL).dump(), std::string("\"-inf\""));
}

QTEST_APPLESS_MAIN(FilesTest)
#include "files_test.moc"
