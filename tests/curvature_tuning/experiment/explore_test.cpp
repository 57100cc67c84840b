// The interactive functions through the real server: their numbers, and that sliders are answered
// at once after the network is trained.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QtTest>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/engine/explore_protocol.h"
#include "curvature_tuning/experiment/plugin_runs.h"

using namespace assay;
using namespace assay::test;

namespace {

class Server {
 public:
  Server() : socket_(place_.path("socket")) {
    process_ = place_.start({"serve", "curvature_tuning", "--socket", socket_});
    until([this] { return std::filesystem::exists(socket_); }, 60000);
    descriptor_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    connected_ = connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Server() {
    close(descriptor_);
    Workplace::wait(*process_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  bool connected() const { return connected_; }
  ExploreAnswer ask(const std::string& explorable, const Json& arguments) {
    const auto bytes = encode(ExploreRequest{++id_, explorable, arguments});
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const auto count =
          ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return hung_up();
      sent += static_cast<std::size_t>(count);
    }
    while (true) {
      if (auto answer = take_answer(buffer_)) return *answer;
      std::array<std::uint8_t, 65536> part{};
      const auto count = recv(descriptor_, part.data(), part.size(), 0);
      if (count <= 0) return hung_up();
      buffer_.insert(buffer_.end(), part.begin(), part.begin() + count);
    }
  }

 private:
  static ExploreAnswer hung_up() { return {-1, 0.0, {}, "hung up"}; }

  PluginPlace place_;
  std::string socket_;
  std::unique_ptr<QProcess> process_;
  int descriptor_ = -1;
  bool connected_ = false;
  std::int64_t id_ = 0;
  std::vector<std::uint8_t> buffer_;
};

double value(const ExploreAnswer& answer, const char* key) {
  return answer.answer.values.at(key).get<double>();
}

}  // namespace

class ExploreTest : public QObject {
  Q_OBJECT

  Server server_;

 private slots:
  void the_activation_has_its_closed_forms() {
    QVERIFY(server_.connected());
    for (const double beta : {0.0, 0.5, 0.9, 0.99}) {
      for (const double c : {0.0, 0.5, 1.0}) {
        const ExploreAnswer answer = server_.ask("activation", {{"beta", beta}, {"c", c}});
        QCOMPARE(answer.error, std::string());
        // Up to the formula's own 1e-6.
        QVERIFY(std::abs(value(answer, "value_at_zero") -
                         (1.0 - c) * (1.0 - beta) * std::log(2.0)) < 2e-6);
        QVERIFY(std::abs(value(answer, "slope_at_zero") - 0.5) < 1e-9);
        const double bend = (2.0 * c * beta + 1.0 - c) / (4.0 * (1.0 - beta));
        QVERIFY(std::abs(value(answer, "curvature_at_zero") - bend) < 2e-4 * (1.0 + bend));
        const auto x = answer.answer.tensors.at("x").as_doubles();
        QCOMPARE(x.size(), answer.answer.tensors.at("phi_second").as_doubles().size());
      }
    }
  }

  void beta_one_is_relu_and_zero_is_linear_for_c_one_only() {
    const ExploreAnswer relu = server_.ask("activation", {{"beta", 1.0}, {"c", 0.5}});
    QCOMPARE(value(relu, "gap_to_relu"), 0.0);
    const auto bend = [&](double c) {
      const ExploreAnswer answer = server_.ask("activation", {{"beta", 0.0}, {"c", c}});
      double largest = 0.0;
      for (const double second : answer.answer.tensors.at("phi_second").as_doubles()) {
        largest = std::max(largest, std::abs(second));
      }
      return largest;
    };
    QVERIFY(bend(1.0) < 1e-9);
    QVERIFY(bend(0.5) > 0.1);
  }

  void the_boundary_bends_as_beta_falls() {
    const Json base = {{"dataset", "moons"}, {"points", 300}, {"steps", 300}, {"resolution", 100}};
    const auto ask = [&](double beta) {
      Json arguments = base;
      arguments["beta"] = beta;
      return server_.ask("boundary", arguments);
    };
    const ExploreAnswer relu = ask(1.0);
    QCOMPARE(relu.error, std::string());
    QCOMPARE(value(relu, "columns"), 100.0);
    QCOMPARE(relu.answer.tensors.at("logits").elements(), std::int64_t{10000});
    QCOMPARE(relu.answer.tensors.at("points_x").elements(), std::int64_t{300});
    QCOMPARE(value(relu, "mean_curvature"), 0.0);
    QVERIFY(value(relu, "accuracy") > 0.6);
    const ExploreAnswer soft = ask(0.8);
    QVERIFY(value(soft, "mean_curvature") > 0.0);
    QVERIFY(soft.answer.tensors.at("logits").data != relu.answer.tensors.at("logits").data);
    // Back to the first: the trained network is kept and gives the same bits.
    QVERIFY(ask(1.0).answer.tensors.at("logits").data == relu.answer.tensors.at("logits").data);
  }

  void the_regression_curve_has_all_its_lines() {
    const ExploreAnswer answer =
        server_.ask("regression", {{"beta", 0.9}, {"steps", 500}, {"learning_rate", 0.01}});
    QCOMPARE(answer.error, std::string());
    for (const char* line : {"x", "fit", "relu", "truth"}) {
      QCOMPARE(answer.answer.tensors.at(line).elements(), std::int64_t{401});
    }
    QVERIFY(value(answer, "error") < 3.7);  // the curve's own variance
  }

  void sliders_are_answered_fifteen_times_a_second() {
    const auto ask = [&](double beta) {
      return server_.ask("boundary", {{"beta", beta}, {"c", 0.5}, {"steps", 50}});
    };
    QCOMPARE(ask(0.9).error, std::string());  // trains the network
    // The best of several rounds: other work on the machine only ever slows it down.
    double best = 0.0;
    for (int round = 0; round < 5; ++round) {
      QElapsedTimer clock;
      clock.start();
      for (int i = 0; i < 15; ++i) ask(0.6 + 0.02 * i);
      best = std::max(best, 15000.0 / static_cast<double>(std::max<qint64>(clock.elapsed(), 1)));
    }
    qInfo("%.1f answers a second of 121 x 121 points", best);
    QVERIFY2(best >= 15.0, qPrintable(QString::number(best)));
  }

  void an_argument_out_of_range_is_refused() {
    const ExploreAnswer answer = server_.ask("boundary", {{"beta", 2.0}});
    QVERIFY2(answer.error.find("beta: 2") != std::string::npos, answer.error.c_str());
  }
};

QTEST_GUILESS_MAIN(ExploreTest)
#include "explore_test.moc"
