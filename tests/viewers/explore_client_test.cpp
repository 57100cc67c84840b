// The client of an exploration against the real server: answers, faults, a backlog that never
// grows, a server that is killed, a program that isn't there.
#include "app/viewers/explore_client.h"

#include <signal.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <filesystem>
#include <fstream>

using namespace assay;

namespace {

const QString runner_path = ASSAY_TEST_BUILD_DIR "/bin/assay-run";

// Our children, as /proc tells it.
std::vector<int> serverProcesses() {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat(entry.path() / "stat");
    std::string text((std::istreambuf_iterator<char>(stat)), std::istreambuf_iterator<char>());
    const std::size_t close = text.rfind(')');
    if (close == std::string::npos) continue;
    char state = 0;
    int parent = 0;
    std::sscanf(text.c_str() + close + 1, " %c %d", &state, &parent);
    if (parent == static_cast<int>(QCoreApplication::applicationPid()) && state != 'Z') {
      found.push_back(std::stoi(name));
    }
  }
  return found;
}

struct Heard {
  std::vector<double> sums;
  std::vector<std::size_t> lengths;
  QStringList faults, states;
  explicit Heard(ExploreClient& client) {
    QObject::connect(
        &client, &ExploreClient::answered, [this](const QString&, const Answer& answer) {
          sums.push_back(answer.values.at("sum").get<double>());
          lengths.push_back(answer.tensors.at("x").shape.empty()
                                ? 0
                                : static_cast<std::size_t>(answer.tensors.at("x").shape[0]));
        });
    QObject::connect(&client, &ExploreClient::failed,
                     [this](const QString&, const QString& message) { faults << message; });
    QObject::connect(&client, &ExploreClient::serverStateChanged,
                     [this](const QString& state) { states << state; });
  }
};

}  // namespace

class ExploreClientTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qputenv("ASSAY_PLUGINS", ASSAY_TEST_BUILD_DIR "/tests/plugins");
    QVERIFY2(std::filesystem::exists(runner_path.toStdString()), "assay-run is not built");
  }

  void answersAndFaults() {
    ExploreClient client(runner_path, "sample");
    Heard heard(client);
    client.ask("parabola", {{"a", 2.0}, {"points", 3}});
    QTRY_COMPARE_WITH_TIMEOUT(heard.sums.size(), std::size_t{1}, 20'000);
    QCOMPARE(heard.sums[0], 4.0);  // 2 + 0 + 2
    QCOMPARE(heard.lengths[0], std::size_t{3});
    QVERIFY(client.latencyMilliseconds() > 0.0);
    client.ask("complaint", {{"message", "the reason"}});
    QTRY_COMPARE_WITH_TIMEOUT(heard.faults.size(), 1, 10'000);
    QVERIFY2(heard.faults[0].contains("the reason"), qPrintable(heard.faults[0]));
    client.ask("parabola", {{"a", 99.0}});
    QTRY_COMPARE_WITH_TIMEOUT(heard.faults.size(), 2, 10'000);
    QVERIFY2(heard.faults[1].contains("a: 99"), qPrintable(heard.faults[1]));
    QCOMPARE(heard.states.last(), QString("ready"));
  }

  void aDraggedSliderBuildsNoBacklog() {
    ExploreClient client(runner_path, "sample");
    Heard heard(client);
    constexpr int moves = 300;
    for (int i = 0; i < moves; ++i) {
      client.ask("parabola", {{"a", i / 100.0}, {"points", 2}});
      QCoreApplication::processEvents();
    }
    // The last position is always answered, those in between only as fast as the server is.
    const auto last_arrived = [&heard]() {
      return !heard.sums.empty() && std::abs(heard.sums.back() - 2 * 2.99) < 1e-12;
    };
    QTRY_VERIFY_WITH_TIMEOUT(last_arrived(), 20'000);
    QVERIFY(heard.sums.size() < moves);
    QVERIFY(heard.faults.isEmpty());
  }

  void survivesAKilledServer() {
    ExploreClient client(runner_path, "sample");
    Heard heard(client);
    client.ask("parabola", {{"a", 1.0}, {"points", 2}});
    QTRY_COMPARE_WITH_TIMEOUT(heard.sums.size(), std::size_t{1}, 20'000);
    const auto servers = serverProcesses();
    QCOMPARE(servers.size(), std::size_t{1});
    ::kill(servers[0], SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(heard.states.contains("restarting"), 5'000);
    client.ask("parabola", {{"a", 3.0}, {"points", 2}});
    QTRY_COMPARE_WITH_TIMEOUT(heard.sums.size(), std::size_t{2}, 20'000);
    QCOMPARE(heard.sums[1], 6.0);
    QCOMPARE(heard.states.last(), QString("ready"));
  }

  void theServerGoesWithTheClient() {
    {
      ExploreClient client(runner_path, "sample");
      Heard heard(client);
      client.ask("parabola", {{"a", 1.0}, {"points", 2}});
      QTRY_COMPARE_WITH_TIMEOUT(heard.sums.size(), std::size_t{1}, 20'000);
      QCOMPARE(serverProcesses().size(), std::size_t{1});
    }
    QTRY_COMPARE_WITH_TIMEOUT(serverProcesses().size(), std::size_t{0}, 5'000);
  }

  void aMissingProgramIsSaid() {
    ExploreClient client("/nowhere/assay-run", "sample");
    Heard heard(client);
    client.ask("parabola", {});
    QTRY_VERIFY_WITH_TIMEOUT(!heard.faults.isEmpty(), 40'000);
    QVERIFY2(heard.faults[0].contains("/nowhere/assay-run"), qPrintable(heard.faults[0]));
    QVERIFY(heard.states.last().startsWith("failed: "));
  }
};

QTEST_GUILESS_MAIN(ExploreClientTest)
#include "explore_client_test.moc"
