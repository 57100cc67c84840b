// Frames of the explore protocol: round trips, pieces, and bytes that mean harm.
#include "core/engine/explore_protocol.h"

#include <QtTest>
#include <limits>

#include "core/base/error.h"
#include "core/engine/cbor_check.h"

using namespace assay;
using Bytes = std::vector<std::uint8_t>;

namespace {

Bytes framed(const Bytes& body) {
  Bytes frame(4);
  for (std::size_t i = 0; i < 4; ++i) frame[i] = static_cast<std::uint8_t>(body.size() >> (8 * i));
  frame.insert(frame.end(), body.begin(), body.end());
  return frame;
}

ExploreAnswer example() {
  ExploreAnswer answer;
  answer.id = 7;
  answer.seconds = 0.25;
  answer.answer.values = {{"a", 1}, {"b", {0.5, "x"}}};
  answer.answer.tensors["grid"] = RawTensor::from(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  answer.answer.tensors["none"] = RawTensor::from(std::vector<double>{}, {0});
  return answer;
}

std::string fault_of_request(Bytes buffer) {
  try {
    take_request(buffer);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class ExploreProtocolTest : public QObject {
  Q_OBJECT

 private slots:
  void requests_come_back_from_pieces() {
    const Bytes first = encode(ExploreRequest{1, "activation", {{"beta", 0.5}, {"list", {1, 2}}}});
    const Bytes second = encode(ExploreRequest{2, "boundary", Json::object()});
    Bytes all = first;
    all.insert(all.end(), second.begin(), second.end());
    Bytes buffer;
    std::vector<ExploreRequest> got;
    for (const std::uint8_t byte : all) {
      buffer.push_back(byte);
      if (auto request = take_request(buffer)) got.push_back(*request);
    }
    QCOMPARE(got.size(), std::size_t{2});
    QVERIFY(buffer.empty());
    QCOMPARE(got[0].id, std::int64_t{1});
    QCOMPARE(got[0].explorable, std::string("activation"));
    QCOMPARE(got[0].arguments.dump(), std::string(R"({"beta":0.5,"list":[1,2]})"));
    QCOMPARE(got[1].explorable, std::string("boundary"));
  }

  void answers_come_back_bit_for_bit() {
    ExploreAnswer answer = example();
    answer.answer.tensors["edge"] = RawTensor::from(
        std::vector<double>{std::numeric_limits<double>::quiet_NaN(), -0.0, 1e-320}, {3});
    Bytes buffer = encode(answer);
    const auto back = take_answer(buffer);
    QVERIFY(back.has_value());
    QCOMPARE(back->id, std::int64_t{7});
    QCOMPARE(back->seconds, 0.25);
    QCOMPARE(back->answer.values.dump(), answer.answer.values.dump());
    QCOMPARE(back->answer.tensors.size(), std::size_t{3});
    for (const auto& [name, tensor] : answer.answer.tensors) {
      QVERIFY(back->answer.tensors.at(name).data == tensor.data);
      QVERIFY(back->answer.tensors.at(name).shape == tensor.shape);
      QVERIFY(back->answer.tensors.at(name).dtype == tensor.dtype);
    }
  }

  void faults_carry_their_line() {
    ExploreAnswer fault;
    fault.id = 9;
    fault.error = "beta: 2 is out of range";
    Bytes buffer = encode(fault);
    const auto back = take_answer(buffer);
    QCOMPARE(back->error, fault.error);
    QCOMPARE(back->id, std::int64_t{9});
  }

  void a_frame_over_the_limit_is_refused_unread() {
    Bytes buffer = {0xFF, 0xFF, 0xFF, 0xFF, 0xA0};
    QVERIFY(fault_of_request(buffer).find("over the limit") != std::string::npos);
  }

  void a_damaged_frame_is_taken_off() {
    Bytes buffer = framed({0xA1, 0x62});
    const Bytes good = encode(ExploreRequest{3, "x", Json::object()});
    buffer.insert(buffer.end(), good.begin(), good.end());
    QVERIFY_EXCEPTION_THROWN(take_request(buffer), Error);
    QCOMPARE(take_request(buffer)->id, std::int64_t{3});
  }

  void hostile_bytes_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("fault");
    QTest::newRow("deep arrays") << QByteArray(1'000'000, '\x81') << "nested too deeply";
    QTest::newRow("endless strings") << QByteArray(1'000'000, '\x7f') << "indefinite length";
    QTest::newRow("endless array") << QByteArray(1000, '\x9f') << "indefinite length";
    QTest::newRow("tags") << QByteArray(1000, '\xc1') << "a tag";
    QTest::newRow("huge array") << QByteArray("\x9b\x7f\xff\xff\xff\xff\xff\xff\xff", 9)
                                << "too many";
    QTest::newRow("huge string") << QByteArray("\x5b\x7f\xff\xff\xff\xff\xff\xff\xff", 9)
                                 << "truncated";
    QTest::newRow("huge map") << QByteArray("\xbb\xff\xff\xff\xff\xff\xff\xff\xff", 9)
                              << "too many keys";
    QTest::newRow("empty") << QByteArray() << "truncated";
    QTest::newRow("two values") << QByteArray("\xa0\xa0") << "bytes after";
    QTest::newRow("no map") << QByteArray("\x80") << "no CBOR map";
    QTest::newRow("number as key") << QByteArray("\xa1\x01\x01") << "no CBOR map";
    QTest::newRow("no id") << QByteArray("\xa0") << "'id'";
    QTest::newRow("text as id") << QByteArray("\xa1\x62id\x61x") << "'id'";
    QTest::newRow("no name") << QByteArray("\xa1\x62id\x01") << "'explorable'";
  }

  void hostile_bytes() {
    QFETCH(QByteArray, body);
    QFETCH(QString, fault);
    const std::string message = fault_of_request(framed(Bytes(body.begin(), body.end())));
    QVERIFY2(QString::fromStdString(message).contains(fault), message.c_str());
  }

  void tensors_that_lie_are_refused() {
    const auto with = [](const Json& tensor) {
      const Json map = {{"id", 1}, {"tensors", {{"t", tensor}}}};
      return framed(Json::to_cbor(map));
    };
    const Json data = Json::binary(Bytes(8));
    const std::vector<Json> lies = {{{"dtype", "F32"}, {"shape", {3}}, {"data", data}},
                                    {{"dtype", "F99"}, {"shape", {2}}, {"data", data}},
                                    {{"dtype", "F32"}, {"shape", {-2}}, {"data", data}},
                                    {{"dtype", "F32"}, {"shape", {1LL << 62, 4}}, {"data", data}},
                                    {{"dtype", "F32"}, {"shape", {2}}},
                                    {{"dtype", "F32"}, {"shape", {2}}, {"data", "text"}},
                                    {{"dtype", 3}, {"shape", {2}}, {"data", data}},
                                    Json(5)};
    for (const Json& lie : lies) {
      Bytes buffer = with(lie);
      QVERIFY_EXCEPTION_THROWN(take_answer(buffer), Error);
    }
    Bytes truth = with({{"dtype", "F32"}, {"shape", {2}}, {"data", data}});
    QCOMPARE(take_answer(truth)->answer.tensors.at("t").elements(), std::int64_t{2});
  }

  // Either a value or Error(unreadable), whatever the bytes: a bounded, repeatable mutation loop.
  void mutations_never_escape() {
    const std::vector<Bytes> seeds = {encode(example()),
                                      encode(ExploreRequest{1, "a", {{"b", {1, 2.5, "c"}}}})};
    std::uint64_t random = 2463534242ULL;
    const auto next = [&random] {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      return random;
    };
    int refused = 0;
    for (int round = 0; round < 20000; ++round) {
      Bytes frame = seeds[next() % seeds.size()];
      const auto changes = 1 + next() % 6;
      for (std::uint64_t i = 0; i < changes; ++i) {
        frame[4 + next() % (frame.size() - 4)] = static_cast<std::uint8_t>(next());
      }
      if (next() % 4 == 0) {
        frame = framed(
            Bytes(frame.begin() + 4,
                  frame.begin() + 4 + static_cast<std::ptrdiff_t>(next() % (frame.size() - 4))));
      }
      Bytes copy = frame;
      try {
        take_answer(frame);
        take_request(copy);
      } catch (const Error&) {
        ++refused;
      }
    }
    QVERIFY2(refused > 1000, qPrintable(QString::number(refused)));
  }
};

QTEST_APPLESS_MAIN(ExploreProtocolTest)
#include "explore_protocol_test.moc"
