// serve: questions and answers over the socket, faults, hostile clients, and the end.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QtTest>
#include <array>
#include <cstring>

#include "core/engine/explore_protocol.h"
#include "runner/harness.h"

using namespace assay;
using namespace assay::test;
using Bytes = std::vector<std::uint8_t>;

namespace {

class Client {
 public:
  explicit Client(const std::string& path) {
    descriptor_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    connected_ = connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { close(descriptor_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  void send(const Bytes& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const auto count =
          ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<std::size_t>(count);
    }
  }
  // None: the server hung up.
  std::optional<ExploreAnswer> read() {
    while (true) {
      if (auto answer = take_answer(buffer_)) return answer;
      std::array<std::uint8_t, 4096> part{};
      const auto count = recv(descriptor_, part.data(), part.size(), 0);
      if (count <= 0) return std::nullopt;
      buffer_.insert(buffer_.end(), part.begin(), part.begin() + count);
    }
  }
  ExploreAnswer ask(std::int64_t id, const std::string& explorable, const Json& arguments) {
    send(encode(ExploreRequest{id, explorable, arguments}));
    return read().value_or(ExploreAnswer{-1, 0.0, {}, "hung up"});
  }

 private:
  int descriptor_ = -1;
  bool connected_ = false;
  Bytes buffer_;
};

struct Server {
  explicit Server(Words extra = {}) : socket(place.path("socket")) {
    Words words = {"serve", "sample", "--socket", socket};
    words.insert(words.end(), extra.begin(), extra.end());
    process = place.start(words);
    until([this] { return std::filesystem::exists(socket); });
  }
  ~Server() { Workplace::wait(*process); }  // its client has gone before it
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Workplace place;
  std::string socket;
  std::unique_ptr<QProcess> process;
};

}  // namespace

class ServeTest : public QObject {
  Q_OBJECT

 private slots:
  void answers_with_values_and_tensors() {
    Server server;
    Client client(server.socket);
    QVERIFY(client.connected());
    const ExploreAnswer answer = client.ask(1, "parabola", {{"a", 2}, {"points", 5}});
    QCOMPARE(answer.error, std::string());
    QCOMPARE(answer.id, std::int64_t{1});
    QVERIFY(answer.seconds >= 0.0);
    QCOMPARE(answer.answer.values.at("sum").get<double>(), 5.0);
    QVERIFY(answer.answer.tensors.at("y").as_doubles() ==
            std::vector<double>({2.0, 0.5, 0.0, 0.5, 2.0}));
    // The explorable lives on between questions; missing arguments have their defaults.
    const ExploreAnswer second = client.ask(2, "parabola", Json::object());
    QCOMPARE(second.answer.values.at("answers").get<int>(), 2);
    QCOMPARE(second.answer.tensors.at("y").elements(), std::int64_t{11});
  }

  void faults_are_answers() {
    Server server;
    Client client(server.socket);
    const auto fault = [&](const char* explorable, const Json& arguments) {
      return client.ask(3, explorable, arguments).error;
    };
    QVERIFY(fault("parabola", {{"a", 9}}).find("a: 9 is out of range") != std::string::npos);
    QVERIFY(fault("parabola", {{"b", 1}}).find("b: unknown argument") != std::string::npos);
    QVERIFY(fault("parabola", {{"a", "x"}}).find("a: ") != std::string::npos);
    QVERIFY(fault("parabola", {{"points", 2.5}}).find("points: ") != std::string::npos);
    QVERIFY(fault("parabola", {{"shape", {{"a", 1}}}}).find("shape: ") != std::string::npos);
    QVERIFY(fault("hyperbola", Json::object()).find("hyperbola") != std::string::npos);
    QCOMPARE(fault("complaint", {{"message", "not today"}}), std::string("not today"));
    QCOMPARE(fault("parabola", Json::object()), std::string());  // and it goes on
  }

  void many_questions_in_order() {
    Server server;
    Client client(server.socket);
    Bytes all;
    for (std::int64_t id = 0; id < 200; ++id) {
      const Bytes frame = encode(ExploreRequest{id, "parabola", {{"points", 2 + id}}});
      all.insert(all.end(), frame.begin(), frame.end());
    }
    client.send(all);
    for (std::int64_t id = 0; id < 200; ++id) {
      const auto answer = client.read();
      QVERIFY(answer.has_value());
      QCOMPARE(answer->id, id);
      QCOMPARE(answer->answer.tensors.at("x").elements(), 2 + id);
    }
  }

  void a_damaged_frame_costs_one_answer() {
    Server server;
    Client client(server.socket);
    client.send({2, 0, 0, 0, 0xA1, 0x62});
    QVERIFY(client.read()->error.find("damaged frame") != std::string::npos);
    Bytes deep(1'000'004, 0x81);
    deep[0] = 0x40, deep[1] = 0x42, deep[2] = 0x0F, deep[3] = 0;  // 1,000,000
    client.send(deep);
    QVERIFY(client.read()->error.find("nested too deeply") != std::string::npos);
    QCOMPARE(client.ask(5, "parabola", Json::object()).error, std::string());
  }

  void a_frame_over_the_limit_ends_the_connection_in_order() {
    Server server;
    {
      Client client(server.socket);
      client.send({0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0});
      QVERIFY(client.read()->error.find("over the limit") != std::string::npos);
      QVERIFY(!client.read().has_value());
    }
    QCOMPARE(Workplace::wait(*server.process, 30000).exit_code, 0);
  }

  void random_bytes_never_bring_it_down() {
    std::uint64_t random = 88172645463325252ULL;
    for (int round = 0; round < 10; ++round) {
      Server server;
      {
        Client client(server.socket);
        Bytes noise(2000);
        for (auto& byte : noise) {
          random = random * 6364136223846793005ULL + 1442695040888963407ULL;
          byte = static_cast<std::uint8_t>(random >> 56);
        }
        noise[2] = noise[3] = 0;  // lengths within reason
        client.send(noise);
      }
      const Ended ended = Workplace::wait(*server.process, 30000);
      QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    }
  }

  void ends_with_its_client_and_takes_its_socket_along() {
    Server server;
    { Client client(server.socket); }
    QCOMPARE(Workplace::wait(*server.process, 30000).exit_code, 0);
    QVERIFY(!std::filesystem::exists(server.socket));
  }

  void ends_with_its_input() {
    Server server({"--until-input-closes"});
    Client client(server.socket);
    QCOMPARE(client.ask(1, "parabola", Json::object()).error, std::string());
    server.process->closeWriteChannel();
    QCOMPARE(Workplace::wait(*server.process, 30000).exit_code, 0);
    QVERIFY(!client.read().has_value());
  }

  void bad_input_is_told() {
    Workplace place;
    const Ended unknown = place.call({"serve", "smaple", "--socket", place.path("s")});
    QCOMPARE(unknown.exit_code, 2);
    QVERIFY(unknown.err.find("smaple") != std::string::npos);
    const Ended long_path =
        place.call({"serve", "sample", "--socket", place.path(std::string(200, 's'))});
    QCOMPARE(long_path.exit_code, 2);
    const Ended nowhere = place.call({"serve", "sample", "--socket", "/no/such/folder/s"});
    QCOMPARE(nowhere.exit_code, 3);
    QVERIFY(nowhere.err.find("/no/such/folder/s") != std::string::npos);
  }

  void is_quick() {
    Server server;
    Client client(server.socket);
    client.ask(0, "parabola", {{"points", 10000}});
    QElapsedTimer timer;
    timer.start();
    for (std::int64_t id = 1; id <= 100; ++id) client.ask(id, "parabola", {{"points", 10000}});
    // 160 kB an answer; 15 a second are asked for.
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
  }
};

QTEST_GUILESS_MAIN(ServeTest)
#include "serve_test.moc"
