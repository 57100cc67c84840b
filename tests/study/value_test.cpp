// Values as text and JSON, and the nearest name.
#include "core/study/value.h"

#include <QTest>
#include <cstring>
#include <random>

#include "core/study/nearest.h"

using namespace assay;

class ValueTest : public QObject {
  Q_OBJECT

 private slots:
  void texts();
  void reals_come_back_to_the_bit();
  void json_both_ways();
  void json_that_is_no_value();
  void nearest_names();
};

void ValueTest::texts() {
  QCOMPARE(to_text(true), std::string("true"));
  QCOMPARE(to_text(std::int64_t{-12}), std::string("-12"));
  QCOMPARE(to_text(0.001), std::string("0.001"));
  QCOMPARE(to_text(1.0), std::string("1"));
  QCOMPARE(to_text(100000.0), std::string("100000"));
  QCOMPARE(to_text(std::string("abc")), std::string("abc"));
  QCOMPARE(to_text(std::vector<double>{0.7, 0.8}), std::string("0.7,0.8"));
  QCOMPARE(to_text(std::vector<std::string>{"a", "b c"}), std::string("a,b c"));
  QCOMPARE(to_text(std::vector<double>{}), std::string());
  QCOMPARE(real_text(1.0), std::string("1.0"));
  QCOMPARE(real_text(0.1), std::string("0.1"));
  QCOMPARE(real_text(1e-5), std::string("1e-05"));
  QCOMPARE(real_text(1e300), std::string("1e+300"));
  QCOMPARE(real_text(-0.0), std::string("-0.0"));
}

void ValueTest::reals_come_back_to_the_bit() {
  std::mt19937_64 generator(11);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = generator();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    for (const std::string& text : {to_text(value), real_text(value)}) {
      QVERIFY2(std::strtod(text.c_str(), nullptr) == value, text.c_str());
    }
    const std::optional<Value> back = value_from_json(Json::parse(to_json(value).dump()));
    QVERIFY(back && std::get<double>(*back) == value);
  }
}

void ValueTest::json_both_ways() {
  const std::vector<Value> values = {true,
                                     std::int64_t{9007199254740993},
                                     std::int64_t{-5},
                                     0.1,
                                     2.0,
                                     std::string("text \"quoted\" \u00e9"),
                                     std::vector<double>{0.7, 1.0, -3.25},
                                     std::vector<std::string>{"a", "b"}};
  for (const Value& value : values) {
    const std::optional<Value> back = value_from_json(Json::parse(to_json(value).dump()));
    QVERIFY(back.has_value());
    QVERIFY2(*back == value, to_text(value).c_str());
  }
  QCOMPARE(to_json(std::vector<double>{1.0, std::nan("")}).dump(), std::string("[1.0,\"nan\"]"));
}

void ValueTest::json_that_is_no_value() {
  for (const char* text :
       {"null", "{}", "[[1]]", "[1,\"a\"]", "[true]", "[null]", "18446744073709551615"}) {
    QVERIFY2(!value_from_json(Json::parse(text)), text);
  }
}

void ValueTest::nearest_names() {
  const std::vector<std::string> names = {"learning_rate", "beta", "beta_sweep", "epochs"};
  QCOMPARE(nearest_name("lerning_rate", names), std::string("learning_rate"));
  QCOMPARE(nearest_name("Learning_Rate", names), std::string("learning_rate"));
  QCOMPARE(nearest_name("btea", names), std::string("beta"));
  QCOMPARE(nearest_name("epoch", names), std::string("epochs"));
  QCOMPARE(nearest_name("c", names), std::string());
  QCOMPARE(nearest_name("momentum", names), std::string());
  QCOMPARE(nearest_name("", names), std::string());
  QCOMPARE(nearest_name(std::string(1'000'000, 'x'), names), std::string());
  QCOMPARE(did_you_mean("bet", names), std::string(" (did you mean 'beta'?)"));
  QCOMPARE(did_you_mean("nothing_like_it", names), std::string());
}

QTEST_APPLESS_MAIN(ValueTest)
#include "value_test.moc"
