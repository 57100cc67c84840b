// cmake/AssayWriteSourceState.cmake on repositories made here: what it says, and that it writes
// only when something changed.
#include <QtTest>

#include "core/base/files.h"

using namespace assay;

class SourceStateTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString tree_, output_;

  static bool run(const QString& program, const QStringList& arguments, const QString& in = {}) {
    QProcess process;
    if (!in.isEmpty()) process.setWorkingDirectory(in);
    process.start(program, arguments);
    return process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit &&
           process.exitCode() == 0;
  }
  bool git(const QStringList& arguments) const {
    return run("git",
               QStringList{"-C", tree_, "-c", "user.name=t", "-c", "user.email=t@example.org"} +
                   arguments);
  }
  std::string written(const QString& tree) {
    const bool done =
        run("cmake", {"-DSOURCE_DIR=" + tree, "-DOUTPUT=" + output_, "-P",
                      QStringLiteral(ASSAY_TEST_PROJECT_DIR "/cmake/AssayWriteSourceState.cmake")});
    return done ? read_text(output_.toStdString()) : "the script failed";
  }
  void put(const QString& name, const QByteArray& text) const {
    QFile file(tree_ + "/" + name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

 private slots:
  void initTestCase() {
    tree_ = folder_.filePath("tree");
    output_ = folder_.filePath("state.cpp");
    QVERIFY(QDir().mkdir(tree_));
    put("a.txt", "one\n");
    QVERIFY(git({"init", "-q"}));
    QVERIFY(git({"add", "a.txt"}));
    QVERIFY(git({"commit", "-q", "-m", "first"}));
  }

  void a_clean_tree_has_its_commit_alone() {
    const std::string text = written(tree_);
    QProcess process;
    process.start("git", {"-C", tree_, "rev-parse", "HEAD"});
    QVERIFY(process.waitForFinished());
    const std::string commit = process.readAllStandardOutput().trimmed().toStdString();
    QCOMPARE(commit.size(), std::size_t{40});
    QVERIFY2(has(text, ".commit = \"" + commit + "\""), text.c_str());
    QVERIFY(has(text, ".known = true") && has(text, ".dirty = false") &&
            has(text, ".patch = \"\""));
  }

  void nothing_is_written_when_nothing_changed() {
    written(tree_);
    const QDateTime long_ago = QDateTime::fromSecsSinceEpoch(1'000'000);
    QFile file(output_);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(long_ago, QFileDevice::FileModificationTime));
    file.close();
    written(tree_);
    QCOMPARE(QFileInfo(output_).lastModified(), long_ago);
  }

  void changes_are_kept_as_a_patch_that_compiles() {
    put("a.txt", "a \"quoted\" \\ back;slash [1] ${HOME} %d \xC3\xA4\n");
    put("new.txt", "x");
    const std::string text = written(tree_);
    QVERIFY2(has(text, ".dirty = true"), text.c_str());
    QVERIFY2(has(text, "\"+a \\\"quoted\\\" \\\\ back;slash [1] ${HOME} %d \xC3\xA4\\n\""),
             text.c_str());
    QVERIFY(has(text, "\"-one\\n\""));
    QVERIFY(has(text, ".untracked = \"new.txt\""));
    QVERIFY(run("g++", {"-std=c++20", "-fsyntax-only", "-I" ASSAY_TEST_PROJECT_DIR, output_}));
    put("a.txt", QByteArray("line of text\n").repeated(30'000));
    const std::string large = written(tree_);
    QVERIFY(has(large, ".patch_truncated = true"));
    QVERIFY(large.size() < 600'000 && large.size() > 262'144);
    QVERIFY(run("g++", {"-std=c++20", "-fsyntax-only", "-I" ASSAY_TEST_PROJECT_DIR, output_}));
  }

  void an_unpacked_archive_is_unknown() {
    const QString bare = folder_.filePath("bare");
    QVERIFY(QDir().mkdir(bare));
    QVERIFY(has(written(bare), ".commit = \"unknown\""));
    // ... even inside somebody else's repository.
    QVERIFY(QDir(tree_).mkdir("archive"));
    const std::string text = written(tree_ + "/archive");
    QVERIFY2(has(text, ".commit = \"unknown\"") && has(text, ".known = false"), text.c_str());
  }
};

QTEST_APPLESS_MAIN(SourceStateTest)
#include "source_state_test.moc"
