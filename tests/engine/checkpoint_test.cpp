// Checkpoints: every bit back, a digest that sees every change, clear words for damaged files.
#include "core/engine/checkpoint.h"

#include <QTemporaryDir>
#include <QtTest>
#include <set>
#include <bit>
#include <limits>

#include "core/base/error.h"
#include "core/base/files.h"

using namespace assay;

namespace {

Checkpoint example() {
  Checkpoint checkpoint;
  checkpoint.tensors["model/weight"] =
      RawTensor::from(std::vector<float>{1.5F, -2.0F, 3.0F}, {3, 1});
  checkpoint.tensors["optimizer/step"] = RawTensor::from(std::vector<std::int64_t>{7}, {});
  checkpoint.values["position"] = 12;
  checkpoint.values["best"] = {{"loss", 0.1}, {"at", 3}};
  return checkpoint;
}

std::string fault_of(const std::filesystem::path& path) {
  try {
    read_checkpoint(path);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class CheckpointTest : public QObject {
  Q_OBJECT

 private slots:
  void reals_keep_every_bit() {
    const std::vector<std::uint64_t> patterns = {0x0000000000000000,
                                                 0x8000000000000000,  // zeros
                                                 0x0000000000000001,
                                                 0x000fffffffffffff,  // subnormal
                                                 0x7fefffffffffffff,
                                                 0x7ff0000000000000,
                                                 0xfff0000000000000,
                                                 0x7ff8000000000000,
                                                 0xfff8000000000000,
                                                 0x7ff0000000000001,
                                                 0x7ffdeadbeef01234,
                                                 std::bit_cast<std::uint64_t>(0.1),
                                                 std::bit_cast<std::uint64_t>(1.0 / 3.0),
                                                 std::bit_cast<std::uint64_t>(6.02214076e23),
                                                 std::bit_cast<std::uint64_t>(1.0)};
    Checkpoint checkpoint;
    checkpoint.values["all"] = Json::array();
    for (const auto bits : patterns)
      checkpoint.values["all"].push_back(std::bit_cast<double>(bits));
    // Reals of every size: a fixed multiplicative generator over the bit patterns.
    std::uint64_t bits = 88172645463325252ULL;
    std::vector<std::uint64_t> many;
    for (int i = 0; i < 20000; ++i) {
      bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
      many.push_back(bits);
    }
    checkpoint.values["many"] = Json::array();
    for (const auto pattern : many)
      checkpoint.values["many"].push_back(std::bit_cast<double>(pattern));

    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
    write_checkpoint(file, checkpoint);
    const Checkpoint back = read_checkpoint(file);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const double real = back.value("all").at(i).get<double>();
      QCOMPARE(std::bit_cast<std::uint64_t>(real), patterns[i]);
    }
    for (std::size_t i = 0; i < many.size(); ++i) {
      const double real = back.value("many").at(i).get<double>();
      QCOMPARE(std::bit_cast<std::uint64_t>(real), many[i]);
    }
    QCOMPARE(back.sha256(), checkpoint.sha256());
  }

  void everything_comes_back() {
    Checkpoint checkpoint = example();
    checkpoint.values["large"] = std::numeric_limits<std::uint64_t>::max();
    checkpoint.values["small"] = std::numeric_limits<std::int64_t>::min();
    checkpoint.values["text"] = "a \"quoted\" line\nand \xC3\xA9";
    checkpoint.values["nothing"] = nullptr;
    checkpoint.values["nested"] = {{"list", {1, 2.5, "x", {{"deep", true}}}},
                                   {"empty", Json::array()}};
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
    write_checkpoint(file, checkpoint);
    const Checkpoint back = read_checkpoint(file);
    QCOMPARE(back.values.dump(), checkpoint.values.dump());
    QCOMPARE(back.tensors.size(), std::size_t{2});
    QVERIFY(back.tensor("model/weight").data == checkpoint.tensor("model/weight").data);
    QVERIFY(back.tensor("model/weight").shape == std::vector<std::int64_t>({3, 1}));
    QCOMPARE(back.sha256(), checkpoint.sha256());
    QVERIFY(!std::filesystem::exists(file.string() + ".partial"));
  }

  void nothing_at_all_is_a_state_too() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
    write_checkpoint(file, Checkpoint());
    QCOMPARE(read_checkpoint(file).sha256(), Checkpoint().sha256());
  }

  void digest_sees_every_change() {
    const std::string digest = example().sha256();
    QCOMPARE(digest.size(), std::size_t{64});
    QCOMPARE(example().sha256(), digest);
    std::vector<Checkpoint> changed(7, example());
    changed[0].tensors["model/weight"].data[0] ^= 1;
    changed[1].tensors["model/weight"].shape = {1, 3};
    changed[2].tensors["model/weight"].dtype = DType::i32;
    changed[3].tensors["model/weights"] = changed[3].tensors["model/weight"];
    changed[3].tensors.erase("model/weight");
    changed[4].values["position"] = 13;
    changed[5].values["best"]["loss"] = std::nextafter(0.1, 1.0);
    changed[6].values["best"]["loss"] = std::numeric_limits<double>::quiet_NaN();
    std::set<std::string> digests = {digest};
    for (const Checkpoint& checkpoint : changed) digests.insert(checkpoint.sha256());
    QCOMPARE(digests.size(), changed.size() + 1);
  }

  void missing_keys_are_named() {
    const Checkpoint checkpoint = example();
    try {
      checkpoint.tensor("model/bias");
      QFAIL("a missing tensor was found");
    } catch (const Error& error) {
      QVERIFY(error.kind() == ErrorKind::unreadable);
      QVERIFY(std::string(error.what()).find("model/bias") != std::string::npos);
    }
    QVERIFY_EXCEPTION_THROWN(checkpoint.value("epoch"), Error);
  }

  void damaged_files_are_refused() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
    write_checkpoint(file, example());
    auto bytes = read_file(file);
    const std::vector<std::uint8_t> half(bytes.begin(), bytes.begin() + 40);
    write_atomically(file, half);
    QVERIFY(fault_of(file).find("state.safetensors") != std::string::npos);

    write_safetensors(file, {}, {{"format", "pt"}});
    QVERIFY(fault_of(file).find("not a checkpoint of Assay") != std::string::npos);
    write_safetensors(file, {}, {{"assay_checkpoint", "{\"position\": 1"}});
    QVERIFY(fault_of(file).find("damaged") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(CheckpointTest)
#include "checkpoint_test.moc"
