// PyTorch checkpoints: every fixture bit for bit, zip64, hostile pickles and archives.
#include <set>
#include <sstream>

#include "core/formats/tensors.h"
#include "formats/support.h"
#include "formats/zip_builder.h"

using namespace assay;

namespace {

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(ASSAY_TEST_SOURCE_DIR) / "golden" / "pytorch" / name;
}

std::vector<std::uint8_t> from_hex(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

DType dtype_of(const std::string& torch_name) {
  const std::map<std::string, DType> types{{"float64", DType::f64}, {"float32", DType::f32},
                                           {"float16", DType::f16}, {"bfloat16", DType::bf16},
                                           {"int64", DType::i64},   {"int32", DType::i32},
                                           {"int16", DType::i16},   {"int8", DType::i8},
                                           {"uint8", DType::u8},    {"bool", DType::boolean}};
  return types.at(torch_name);
}

std::vector<std::int64_t> shape_of(const std::string& text) {
  std::vector<std::int64_t> shape;
  if (text == "scalar") return shape;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, 'x');) shape.push_back(std::stoll(part));
  return shape;
}

// A checkpoint whose data.pkl is `pickle`, with a storage "0" of eight bytes.
std::vector<std::uint8_t> checkpoint(const std::string& pickle) {
  return test::build_zip(
      {{"a/data.pkl", test::bytes_of_text(pickle)}, {"a/data/0", {1, 2, 3, 4, 5, 6, 7, 8}}});
}

using namespace std::string_literals;

const std::string rebuild = "ctorch._utils\n_rebuild_tensor_v2\n";
const std::string storage_2 =
    "(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0"s + "0X\x03\0\0\0cpuK\x02tQ"s;

// {"w": a tensor of `shape` and `strides` at `offset` in a storage of two floats}
std::string tensor_pickle(const std::string& offset, const std::string& shape,
                          const std::string& strides) {
  return "\x80\x02}X\x01\0\0\0w"s + rebuild + "(" + storage_2 + offset + "(" + shape + "t(" +
         strides + "t\x89}tRs.";
}

}  // namespace

class PytorchTest : public QObject {
  Q_OBJECT
 private slots:
  void reads_every_fixture_exactly() {
    std::ifstream text(golden("expected.txt"));
    QVERIFY(text.is_open());
    std::map<std::string, TensorFile> files;
    std::map<std::string, std::set<std::string>> names;
    std::string file, name, dtype, shape, hex;
    int compared = 0;
    while (text >> file >> name >> dtype >> shape >> hex) {
      if (!files.contains(file)) files[file] = read_weights(golden(file + ".pth"));
      names[file].insert(name);
      const auto& tensors = files[file].tensors;
      QVERIFY2(tensors.contains(name), (file + ": " + name).c_str());
      const RawTensor& tensor = tensors.at(name);
      QVERIFY2(tensor.dtype == dtype_of(dtype), (file + ": " + name).c_str());
      QVERIFY2(tensor.shape == shape_of(shape), (file + ": " + name).c_str());
      QVERIFY2(tensor.data == from_hex(hex == "-" ? "" : hex), (file + ": " + name).c_str());
      ++compared;
    }
    QCOMPARE(compared, 82);
    for (const auto& [key, read] : files) QCOMPARE(read.tensors.size(), names[key].size());
    QCOMPARE(files["nested"].metadata.at("epoch"), std::string("3"));
    QCOMPARE(files["nested"].metadata.at("best"), std::string("0.5"));
    QCOMPARE(files["nested"].metadata.at("arch"), std::string("tiny"));
  }

  void survives_a_copy_to_safetensors() {
    const TensorFile file = read_pytorch(golden("types.pth"));
    const TensorFile again = parse_safetensors(encode_safetensors(file.tensors), "copy");
    for (const auto& [name, tensor] : file.tensors)
      QVERIFY(again.tensors.at(name).data == tensor.data);
  }

  void reads_zip64() {
    const auto plain = test::build_zip(
        {{"a/data.pkl", test::bytes_of_text(tensor_pickle("K\0"s, "K\x02", "K\x01"))},
         {"a/data/0", {0, 0, 0x80, 0x3F, 0, 0, 0, 0x40}}});
    const auto large = test::build_zip(
        {{"a/data.pkl", test::bytes_of_text(tensor_pickle("K\0"s, "K\x02", "K\x01"))},
         {"a/data/0", {0, 0, 0x80, 0x3F, 0, 0, 0, 0x40}}},
        true);
    QVERIFY(plain != large);
    for (const auto& bytes : {plain, large})
      QVERIFY(parse_pytorch(bytes, "m").tensors.at("w").as_doubles() ==
              (std::vector<double>{1, 2}));
  }

  void executes_nothing() {
    QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QDir::setCurrent(folder.path());
    const auto kind = ErrorKind::unreadable;
    for (const char* file : {"attack.pth", "attack4.pth"})
      ASSAY_REFUSED(read_weights(golden(file)), kind,
                    {file, "\"posix.system\"", "nothing is executed"});
    QVERIFY(!QFile::exists("assay-was-attacked"));
    QDir::setCurrent(before);
    for (const char* global : {"builtins\neval", "torch\nload", "torch.storage\n_load_from_bytes",
                               "torch\nComplexFloatStorage"}) {
      std::string dotted = global;
      dotted.replace(dotted.find('\n'), 1, ".");
      ASSAY_REFUSED(parse_pytorch(checkpoint("\x80\x02"
                                             "c"s +
                                             global + "\n."),
                                  "evil.pth"),
                    kind, {"evil.pth", "\"" + dotted + "\""});
    }
  }

  void says_what_to_do_with_other_formats() {
    const auto kind = ErrorKind::unreadable;
    ASSAY_REFUSED(read_weights(golden("legacy.pth")), kind,
                  {"legacy.pth", "before 1.6", "torch.save(torch.load("});
    ASSAY_REFUSED(parse_pytorch(test::bytes_of_text("\x80\x04N."), "x.pkl"), kind,
                  {"x.pkl", "bare pickle"});
    ASSAY_REFUSED(parse_pytorch(test::bytes_of_text("hello"), "x.pth"), kind,
                  {"x.pth", "no PyTorch checkpoint"});
    ASSAY_REFUSED(parse_pytorch(test::build_zip({{"word/document.xml", {1}}}), "x.docx"), kind,
                  {"x.docx", "without data.pkl"});
  }

  void refuses_tensors_outside_their_storage() {
    const auto kind = ErrorKind::unreadable;
    const auto parse = [](const std::string& offset, const std::string& shape,
                          const std::string& strides) {
      return parse_pytorch(checkpoint(tensor_pickle(offset, shape, strides)), "m.pth");
    };
    QCOMPARE(parse("K\0"s, "K\x02", "K\x01").tensors.size(), std::size_t{1});
    QCOMPARE(parse("K\0"s, "K\x03K\0"s, "K\x09K\x09").tensors.at("w").elements(), 0);
    ASSAY_REFUSED(parse("K\x01", "K\x02", "K\x01"), kind,
                  {"m.pth", "\"w\"", "leaves its storage of 2"});
    ASSAY_REFUSED(parse("K\0"s, "K\x03", "K\x01"), kind, {"leaves its storage"});
    ASSAY_REFUSED(parse("K\0"s, "K\x02", "K\x02"), kind, {"leaves its storage"});
    ASSAY_REFUSED(parse("J\xFF\xFF\xFF\xFF", "K\x01", "K\x01"), kind, {"wrong form"});
    ASSAY_REFUSED(parse("K\0"s, "J\xFF\xFF\xFF\xFF", "K\x01"), kind, {"shape has the wrong form"});
    ASSAY_REFUSED(parse("K\0"s, "K\x02K\x02", "K\x01"), kind, {"differ in length"});
    const std::string most = "\x8a\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F";
    ASSAY_REFUSED(parse("K\0"s, most, "K\x01"), kind, {"too large"});
    ASSAY_REFUSED(parse(most, "K\x02", most), kind, {"leaves its storage"});
    // One element seen 10^12 times by a stride of 0.
    ASSAY_REFUSED(parse("K\0"s, "J\x40\x42\x0F\0J\x40\x42\x0F\0"s, "K\0K\0"s), kind,
                  {"far more memory"});
  }

  void refuses_broken_pickles() {
    const auto kind = ErrorKind::unreadable;
    const auto parse = [](const std::string& pickle) {
      return parse_pytorch(checkpoint(pickle), "m.pth");
    };
    ASSAY_REFUSED(parse(""), kind, {"m.pth", "truncated"});
    ASSAY_REFUSED(parse("\x80\x02}"), kind, {"truncated"});
    ASSAY_REFUSED(parse("\x80\x02."), kind, {"empty stack"});
    ASSAY_REFUSED(parse("\x80\x02}."), kind, {"holds no tensor"});
    ASSAY_REFUSED(parse("\x80\x01}."), kind, {"protocol 1"});
    ASSAY_REFUSED(parse("\x80\x02i"), kind, {"opcode 0x69"});
    ASSAY_REFUSED(parse("\x80\x02Nh\x05."), kind, {"recalls value 5"});
    ASSAY_REFUSED(parse("\x80\x02t."), kind, {"mark is missing"});
    ASSAY_REFUSED(parse("\x80\x02NNa."), kind, {"no list"});
    ASSAY_REFUSED(parse("\x80\x02}(K\x01u."), kind, {"no value"});
    ASSAY_REFUSED(parse("\x80\x02X\xFF\xFF\xFF\x7F."), kind, {"truncated"});
    ASSAY_REFUSED(parse("\x80\x02NN\x81."), kind, {"no function"});
    // A dictionary that holds itself.
    ASSAY_REFUSED(parse("\x80\x02}q\0X\x01\0\0\0ah\0s."s), kind, {"nested more than 32 deep"});
    // Lists of ten references each, ten levels: 10^10 items from a few bytes.
    std::string laughs = "\x80\x02]q\0"s;
    for (char level = 0; level < 12; ++level) {
      laughs += "](";
      for (int i = 0; i < 10; ++i) laughs += "h"s + level;
      laughs += "eq"s + static_cast<char>(level + 1);
    }
    ASSAY_REFUSED(parse(laughs + "."), kind, {"m.pth", "million items"});
    // Calls that copy a long list over and over.
    std::string copies = "\x80\x02("s;
    for (int i = 0; i < 1000; ++i) copies += "N";
    copies += "lq\0\x85q\1ctorch\nSize\nq\2"s;
    for (int i = 0; i < 1000; ++i) copies += "h\2h\1R"s;
    ASSAY_REFUSED(parse(copies + "."), kind, {"m.pth", "far more values"});
  }

  void refuses_broken_archives() {
    const auto kind = ErrorKind::unreadable;
    const auto good = read_file(golden("plain.pth"));
    auto bytes = good;
    bytes.resize(bytes.size() / 2);
    ASSAY_REFUSED(parse_pytorch(bytes, "m.pth"), kind, {"m.pth", "truncated"});
    bytes = good;
    const std::string_view text(reinterpret_cast<const char*>(good.data()), good.size());
    bytes[text.find("plain/data/0FB") + 200] ^= 1;  // in the padding or the first weights
    bytes[text.find("plain/data/0FB") + 100] ^= 1;
    ASSAY_REFUSED(parse_pytorch(bytes, "m.pth"), kind,
                  {"m.pth", "plain/data/0", "checksum differs"});
    ASSAY_REFUSED(parse_pytorch(test::build_zip({{"a/data.pkl", test::bytes_of_text(tensor_pickle(
                                                                    "K\0"s, "K\x02", "K\x01"))}}),
                                "m.pth"),
                  kind, {"\"a/data/0\" is missing"});
    ASSAY_REFUSED(parse_pytorch(test::build_zip({{"a/data.pkl", test::bytes_of_text(tensor_pickle(
                                                                    "K\0"s, "K\x02", "K\x01"))},
                                                 {"a/data/0", {1, 2, 3, 4}}}),
                                "m.pth"),
                  kind, {"\"w\"", "should hold 2 elements of F32 but has 4 bytes"});
    ASSAY_REFUSED(parse_pytorch(test::build_zip({{"a/data.pkl", {1}},
                                                 {"a/byteorder", test::bytes_of_text("big")}}),
                                "m.pth"),
                  kind, {"big-endian"});
    ASSAY_REFUSED(parse_pytorch(test::build_zip({{"a/x", {1}}, {"a/x", {2}}}), "m.pth"), kind,
                  {"\"a/x\" is there twice"});
  }
};

QTEST_APPLESS_MAIN(PytorchTest)
#include "pytorch_test.moc"
