// Raw tensors and safetensors: round trips, hand-made headers, refusals naming file and tensor.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/formats/tensors.h"
#include "formats/support.h"

using namespace assay;

namespace {

std::vector<std::uint8_t> with_header(const std::string& header, std::size_t data_bytes) {
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < 8; ++i)
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{header.size()} >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (std::size_t i = 0; i < data_bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(i));
  return bytes;
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{}]}})", name, dtype,
                     shape, offsets);
}

std::string object(const std::string& entries) {
  return fmt::format("{{{}}}", entries);
}

}  // namespace

class SafetensorsTest : public QObject {
  Q_OBJECT
 private slots:
  void reads_what_it_wrote() {
    NamedTensors tensors;
    tensors["weight"] = RawTensor::from(std::vector<float>{1, -2.5F, 3, 4, 5, 6}, {2, 3});
    tensors["exact"] = RawTensor::from(std::vector<double>{0.1, -1e300}, {2});
    tensors["steps"] = RawTensor::from(std::vector<std::int64_t>{INT64_MIN, 7}, {1, 2});
    tensors["scalar"] = RawTensor::from(std::vector<float>{42}, {});
    tensors["empty"] = RawTensor::from(std::vector<float>{}, {0, 5});
    tensors["mask"] = {.dtype = DType::boolean, .shape = {3}, .data = {1, 0, 1}};
    tensors["half"] = {.dtype = DType::f16, .shape = {2}, .data = {0x00, 0x3C, 0x00, 0xC0}};
    const std::map<std::string, std::string> metadata{{"format", "pt"}, {"text", "\"ä\n\""}};
    const auto bytes = encode_safetensors(tensors, metadata);
    QVERIFY(bytes == encode_safetensors(tensors, metadata));
    const TensorFile file = parse_safetensors(bytes, "memory");
    QVERIFY(file.metadata == metadata);
    QCOMPARE(file.tensors.size(), tensors.size());
    for (const auto& [name, tensor] : tensors) {
      const RawTensor& read = file.tensors.at(name);
      QVERIFY(read.dtype == tensor.dtype);
      QVERIFY(read.shape == tensor.shape);
      QVERIFY(read.data == tensor.data);
    }
    QVERIFY(file.tensors.at("half").as_doubles() == (std::vector<double>{1, -2}));
    QVERIFY(file.tensors.at("exact").as_doubles() == (std::vector<double>{0.1, -1e300}));
    QCOMPARE(file.tensors.at("scalar").elements(), 1);
    QCOMPARE(file.tensors.at("empty").elements(), 0);
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("x.safetensors").toStdString();
    write_safetensors(path, tensors, metadata);
    QVERIFY(read_file(path) == bytes);
    QVERIFY(read_weights(path).metadata == metadata);
  }

  // The reference implementation writes exactly these bytes for two small tensors.
  void writes_the_format() {
    NamedTensors tensors;
    tensors["a"] = {.dtype = DType::u8, .shape = {2}, .data = {7, 8}};
    tensors["b"] = RawTensor::from(std::vector<float>{1}, {1});
    const auto bytes = encode_safetensors(tensors);
    const std::string header =
        object(entry("b", "F32", "1", "0,4") + "," + entry("a", "U8", "2", "4,6"));
    const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
    QCOMPARE(std::string(bytes.begin() + 8, bytes.begin() + 8 + static_cast<long>(padded.size())),
             padded);
    QCOMPARE(std::size_t{bytes[0]}, padded.size());
    QVERIFY((std::vector<std::uint8_t>(bytes.end() - 6, bytes.end()) ==
             std::vector<std::uint8_t>{0, 0, 0x80, 0x3F, 7, 8}));
  }

  void converts_every_type() {
    const auto value = [](DType dtype, std::vector<std::uint8_t> data) {
      return RawTensor{.dtype = dtype, .shape = {1}, .data = std::move(data)}.as_doubles().at(0);
    };
    QCOMPARE(value(DType::i8, {0x80}), -128.0);
    QCOMPARE(value(DType::u8, {0x80}), 128.0);
    QCOMPARE(value(DType::i16, {0x00, 0x80}), -32768.0);
    QCOMPARE(value(DType::i32, {0xFF, 0xFF, 0xFF, 0xFF}), -1.0);
    QCOMPARE(value(DType::bf16, {0x80, 0x3F}), 1.0);
    QCOMPARE(value(DType::f16, {0x01, 0x00}), 0x1p-24);  // the smallest subnormal
    QCOMPARE(value(DType::f16, {0xFF, 0x7B}), 65504.0);
    QVERIFY(std::isinf(value(DType::f16, {0x00, 0x7C})));
    QVERIFY(std::isnan(value(DType::f16, {0x01, 0x7E})));
    QVERIFY(std::signbit(value(DType::f16, {0x00, 0x80})));
  }

  void refuses_headers_data() {
    QTest::addColumn<QString>("header");
    QTest::addColumn<int>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& header, int bytes, const char* says) {
      QTest::newRow(name) << QString::fromStdString(header) << bytes << says;
    };
    const std::string good = entry("w", "F32", "2", "0,8");
    row("cut off", object(good), 7, "tensor \"w\": bytes 0 to 8 do not lie in the 7 bytes");
    row("rest", object(good), 9, "1 bytes behind the last tensor");
    row("hole", object(entry("w", "F32", "2", "4,12")), 12, "\"w\": unused bytes before it");
    row("overlap", object(good + "," + entry("v", "F32", "2", "4,12")), 12, "\"v\": overlaps");
    row("backwards", object(entry("w", "F32", "2", "8,0")), 8, "tensor \"w\"");
    row("wrong size", object(entry("w", "F32", "3", "0,8")), 8, "needs 12 bytes, 8 are given");
    row("overflow", object(entry("w", "F32", "4294967296,4294967296", "0,8")), 8, "too large");
    row("overflow to zero", object(entry("w", "F64", "2305843009213693952", "0,0")), 0,
        "too large");
    row("element type", object(entry("w", "F8_E4M3", "2", "0,2")), 2,
        "\"w\": element type \"F8_E4M3\"");
    row("twice", object(good + "," + good), 8, "\"w\" stands in the header twice");
    row("field twice", R"({"w":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1,
        "\"dtype\" twice");
    row("missing field", R"({"w":{"dtype":"U8","shape":[1]}})", 1, "\"data_offsets\" is missing");
    row("unknown field", R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":1}})", 1,
        "unknown field \"x\"");
    row("negative", R"({"w":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1,
        "a negative number");
    row("real", R"({"w":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}})", 1, "a real number");
    row("three offsets", R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})", 1,
        "more than two");
    row("one offset", R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 1,
        "does not hold two");
    row("metadata", R"({"__metadata__":{"a":1}})", 0, "a number where the header has no place");
    row("list", "[]", 0, "a list where the header has no place");
    row("no JSON", "{\"w\":", 0, "no valid JSON");
    row("deep", std::string(100'000, '['), 0, "a list");
  }
  void refuses_headers() {
    QFETCH(QString, header);
    QFETCH(int, bytes);
    QFETCH(QString, says);
    const auto file = with_header(header.toStdString(), static_cast<std::size_t>(bytes));
    ASSAY_REFUSED(parse_safetensors(file, "net.safetensors"), ErrorKind::unreadable,
                  {"net.safetensors: ", says.toStdString()});
  }

  void refuses_lengths() {
    const auto kind = ErrorKind::unreadable;
    ASSAY_REFUSED(parse_safetensors({1, 2, 3}, "net"), kind, {"net", "truncated"});
    ASSAY_REFUSED(parse_safetensors({200, 0, 0, 0, 0, 0, 0, 0, '{'}, "net"), kind,
                  {"net", "truncated"});
    ASSAY_REFUSED(parse_safetensors(std::vector<std::uint8_t>(16, 0xFF), "net"), kind,
                  {"net", "no safetensors file"});
    ASSAY_REFUSED(read_weights(test::data("README.md")), kind,
                  {"README.md", "neither safetensors nor"});
    ASSAY_REFUSED(read_safetensors("/nowhere/net"), ErrorKind::not_found, {"/nowhere/net"});
  }

  void refuses_to_write_nonsense() {
    const auto kind = ErrorKind::bad_input;
    NamedTensors tensors;
    tensors["w"] = {.dtype = DType::f32, .shape = {2}, .data = {0, 0, 0, 0}};
    ASSAY_REFUSED(encode_safetensors(tensors), kind, {"\"w\"", "4 bytes"});
    ASSAY_REFUSED(RawTensor::from(std::vector<float>{1}, {2}), kind, {"[2]"});
    ASSAY_REFUSED(RawTensor::from(std::vector<float>{1}, {-1}), kind, {"[-1]"});
    ASSAY_REFUSED(encode_safetensors({{"\xFF", {.dtype = DType::u8, .shape = {0}, .data = {}}}}),
                  kind, {"UTF-8"});
    ASSAY_REFUSED(
        encode_safetensors({{"__metadata__", {.dtype = DType::u8, .shape = {0}, .data = {}}}}),
        kind, {"__metadata__"});
  }
};

QTEST_APPLESS_MAIN(SafetensorsTest)
#include "safetensors_test.moc"
