// Processes: who is alive, what a child gets, how one ends.
#include "core/base/process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "core/base/files.h"
#include "support/error_message.h"

namespace fs = std::filesystem;
using namespace assay;

namespace {

// Waits for up to 10 s; a loaded machine is slow, not wrong.
template <typename Condition>
bool soon(Condition condition) {
  QElapsedTimer timer;
  timer.start();
  while (!condition()) {
    if (timer.elapsed() > 10'000) return false;
    QTest::qSleep(5);
  }
  return true;
}

}  // namespace

class ProcessTest : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { reap_children(); }
  void knows_itself();
  void a_reused_pid_is_another_process();
  void a_zombie_is_dead();
  void says_how_a_child_ended();
  void leaves_other_children_alone();
  void a_child_has_its_own_session();
  void a_signal_to_the_group_reaches_grandchildren();
  void passes_arguments_and_environment();
  void appends_output();
  void closing_the_pipe_is_the_end_of_input();
  void a_child_inherits_no_descriptor();
  void a_child_starts_with_plain_signals();
  void says_what_cant_be_started();
  void random_ids_differ();
  void counts_cores_and_seconds();

 private:
  fs::path file(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }
  // Runs a shell script to its end and returns what it wrote.
  std::string output_of(const std::string& script, SpawnOptions options = {}) {
    options.arguments = {"/bin/sh", "-c", script};
    options.output_file = file("output");
    fs::remove(options.output_file);
    const Child child = spawn(options);
    if (!soon([&] { return !is_alive(child.process); })) return "(still running)";
    reap_children();
    return read_text(options.output_file);
  }
  QTemporaryDir folder_;
};

void ProcessTest::knows_itself() {
  const ProcessIdentity self = this_process();
  QCOMPARE(self.pid, static_cast<std::int64_t>(::getpid()));
  QVERIFY(self.start_ticks > 0);
  QCOMPARE(self.boot_id.size(), std::size_t{36});
  QVERIFY(is_alive(self));
  QCOMPARE(this_process(), self);
}

void ProcessTest::a_reused_pid_is_another_process() {
  ProcessIdentity other = this_process();
  other.start_ticks -= 1;
  QVERIFY(!is_alive(other));
  QVERIFY(!send_signal(other, SIGKILL));
  QVERIFY(!send_signal(other, SIGKILL, true));
  other = this_process();
  other.boot_id = "00000000-0000-0000-0000-000000000000";
  QVERIFY(!is_alive(other));
  QVERIFY(!send_signal(other, SIGKILL));
  QVERIFY(!is_alive({}));
  QVERIFY(!send_signal({}, SIGKILL, true));
  QVERIFY(!is_alive({-1, 0, this_process().boot_id}));
}

void ProcessTest::a_zombie_is_dead() {
  const Child child = spawn({{"/bin/sleep", "100"}, {}, {}, false});
  QVERIFY(is_alive(child.process));
  QVERIFY(send_signal(child.process, SIGKILL));
  QVERIFY(soon([&] { return !is_alive(child.process); }));
  // Not reaped yet: the pid is still taken, by a zombie.
  QCOMPARE(::kill(static_cast<pid_t>(child.process.pid), 0), 0);
  QVERIFY(!send_signal(child.process, SIGTERM));
  const std::vector<EndedChild> ended = reap_children();
  QCOMPARE(ended.size(), std::size_t{1});
  QCOMPARE(ended[0].process, child.process);
  QCOMPARE(ended[0].signal, SIGKILL);
  QCOMPARE(ended[0].exit_code, -1);
  QCOMPARE(::kill(static_cast<pid_t>(child.process.pid), 0), -1);
  QVERIFY(reap_children().empty());
}

void ProcessTest::says_how_a_child_ended() {
  const Child child = spawn({{"/bin/sh", "-c", "exit 7"}, {}, {}, false});
  std::vector<EndedChild> ended;
  QVERIFY(soon([&] { return !(ended = reap_children()).empty(); }));
  QCOMPARE(ended[0].process, child.process);
  QCOMPARE(ended[0].exit_code, 7);
  QCOMPARE(ended[0].signal, 0);
}

void ProcessTest::leaves_other_children_alone() {
  const pid_t other = ::fork();
  if (other == 0) ::_exit(3);
  siginfo_t info{};
  QCOMPARE(::waitid(P_PID, static_cast<id_t>(other), &info, WEXITED | WNOWAIT), 0);
  QVERIFY(reap_children().empty());
  int status = 0;
  QCOMPARE(::waitpid(other, &status, 0), other);
  QCOMPARE(WEXITSTATUS(status), 3);
}

void ProcessTest::a_child_has_its_own_session() {
  const Child child = spawn({{"/bin/sleep", "100"}, {}, {}, false});
  const auto pid = static_cast<pid_t>(child.process.pid);
  QCOMPARE(::getsid(pid), pid);
  QCOMPARE(::getpgid(pid), pid);
  QVERIFY(send_signal(child.process, SIGKILL));
  QVERIFY(soon([&] { return !is_alive(child.process); }));
}

void ProcessTest::a_signal_to_the_group_reaches_grandchildren() {
  const fs::path pid_file = file("grandchild");
  const std::string script = "sleep 100 & echo $! > '" + pid_file.string() + "'; wait";
  const Child child = spawn({{"/bin/sh", "-c", script}, {}, {}, false});
  QVERIFY(soon([&] { return fs::exists(pid_file) && !read_text(pid_file).empty(); }));
  const std::string stat = "/proc/" + std::to_string(std::stol(read_text(pid_file))) + "/stat";
  QVERIFY(fs::exists(stat));
  QVERIFY(send_signal(child.process, SIGKILL, true));
  QVERIFY(soon([&] { return !is_alive(child.process); }));
  // Whoever adopts the orphan may leave it a zombie for a while.
  QVERIFY(
      soon([&] { return !fs::exists(stat) || read_text(stat).find(") Z ") != std::string::npos; }));
}

void ProcessTest::passes_arguments_and_environment() {
  qputenv("ASSAY_TEST_KEPT", "kept");
  qputenv("ASSAY_TEST_REPLACED", "old");
  SpawnOptions options;
  options.environment = {{"ASSAY_TEST_REPLACED", "new value"}, {"ASSAY_TEST_ADDED", "a=b"}};
  QCOMPARE(output_of("echo \"$ASSAY_TEST_KEPT|$ASSAY_TEST_REPLACED|$ASSAY_TEST_ADDED\"; "
                     "env | grep -c ASSAY_TEST_REPLACED",
                     options),
           std::string("kept|new value|a=b\n1\n"));
  const fs::path output = file("arguments");
  const Child child =
      spawn({{"/usr/bin/printf", "[%s]", "a b", "", "$HOME \"'"}, {}, output, false});
  QVERIFY(soon([&] { return !is_alive(child.process); }));
  QCOMPARE(read_text(output), std::string("[a b][][$HOME \"']"));
}

void ProcessTest::appends_output() {
  const fs::path output = file("log.txt");
  write_atomically(output, "before\n");
  const Child child = spawn({{"/bin/sh", "-c", "echo out; echo err >&2"}, {}, output, false});
  QVERIFY(soon([&] { return !is_alive(child.process); }));
  QCOMPARE(read_text(output), std::string("before\nout\nerr\n"));
}

void ProcessTest::closing_the_pipe_is_the_end_of_input() {
  const fs::path output = file("echo");
  const Child child = spawn({{"/bin/cat"}, {}, output, true});
  QVERIFY(child.input_fd >= 0);
  QCOMPARE(::write(child.input_fd, "line\n", 5), ssize_t{5});
  QVERIFY(soon([&] { return read_text(output) == "line\n"; }));
  QVERIFY(is_alive(child.process));
  ::close(child.input_fd);
  QVERIFY(soon([&] { return !is_alive(child.process); }));
  // Without a pipe there is nothing to read, and nothing of ours is read.
  QCOMPARE(output_of("cat; echo end"), std::string("end\n"));
}

void ProcessTest::a_child_inherits_no_descriptor() {
  const int open_fd = ::dup(0);
  QVERIFY(open_fd > 2);
  // 0, 1, 2 and the one that ls itself opens.
  QCOMPARE(output_of("ls /proc/self/fd | wc -l"), std::string("4\n"));
  ::close(open_fd);
}

void ProcessTest::a_child_starts_with_plain_signals() {
  sigset_t blocked, before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto handler = ::signal(SIGPIPE, SIG_IGN);
  const std::string output = output_of("grep -E '^Sig(Blk|Ign)' /proc/self/status");
  ::signal(SIGPIPE, handler);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  unsigned long long blocked_bits = 0, ignored_bits = 0;
  QCOMPARE(std::sscanf(output.c_str(), "SigBlk: %llx SigIgn: %llx", &blocked_bits, &ignored_bits),
           2);
  QCOMPARE(blocked_bits, 0ULL);
  // Signals 32 and 33 are glibc's own; it leaves them ignored.
  QCOMPARE(ignored_bits & 0x7fffffffULL, 0ULL);
}

void ProcessTest::says_what_cant_be_started() {
  QCOMPARE(error_message([] {
             spawn({{"/no/such/program"}, {}, {}, false});
           }),
           std::string("/no/such/program: can't be started: No such file or directory"));
  const fs::path output = file("missing") / "log.txt";
  QCOMPARE(error_message([&] {
             spawn({{"/bin/true"}, {}, output, false});
           }),
           "/bin/true: can't be started: its output file " + output.string() +
               ": No such file or directory");
  const fs::path plain = file("plain");
  write_atomically(plain, "no program");
  VERIFY_HOLDS(error_message([&] {
                 spawn({{plain.string()}, {}, {}, false});
               }),
               "Permission denied");
  QCOMPARE(error_exit_code([] { spawn({}); }), 3);
}

void ProcessTest::random_ids_differ() {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = random_id();
    QCOMPARE(id.size(), std::size_t{10});
    QCOMPARE(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567"), std::string::npos);
    ids.insert(id);
  }
  QCOMPARE(ids.size(), std::size_t{1000});
  QCOMPARE(random_id(3).size(), std::size_t{3});
  // All 32 letters turn up.
  const std::string long_id = random_id(4000);
  QCOMPARE(std::set<char>(long_id.begin(), long_id.end()).size(), std::size_t{32});
}

void ProcessTest::counts_cores_and_seconds() {
  QVERIFY(core_count() >= 1);
  QCOMPARE(output_of("nproc"), std::to_string(core_count()) + "\n");
  const double before = now_seconds();
  QTest::qSleep(20);
  QVERIFY(now_seconds() - before >= 0.015);
  QVERIFY(before > 1.7e9);
}

QTEST_GUILESS_MAIN(ProcessTest)
#include "process_test.moc"
