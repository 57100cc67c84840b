// A user's own images and weights by path: every format in, and what is said about damaged ones.
#include <QtTest>
#include <filesystem>
#include <fstream>

#include "core/base/files.h"
#include "core/formats/image.h"
#include "core/formats/tensors.h"
#include "curvature_tuning/experiment/plugin_runs.h"

using namespace assay;
using namespace assay::test;

namespace {

namespace fs = std::filesystem;

const Words brief = {"method=linear_probe", "source_train=300", "source_epochs=1", "epochs=1",
                     "decay_epoch=0"};

// Two classes that a child could tell apart: dark and bright, with some texture.
std::uint8_t shade(int label, int pixel) {
  return static_cast<std::uint8_t>((label == 0 ? 30 : 200) + pixel * 7 % 40);
}

void write_bytes(const fs::path& file, const std::string& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16 & 255U),
          static_cast<char>(value >> 8 & 255U), static_cast<char>(value & 255U)};
}

void write_idx(const fs::path& folder, const std::string& part, int count) {
  std::string images = big_endian(0x803) + big_endian(static_cast<std::uint32_t>(count)) +
                       big_endian(12) + big_endian(12);
  std::string labels = big_endian(0x801) + big_endian(static_cast<std::uint32_t>(count));
  for (int i = 0; i < count; ++i) {
    for (int p = 0; p < 144; ++p) images += static_cast<char>(shade(i % 2, p + i));
    labels += static_cast<char>(i % 2);
  }
  write_bytes(folder / (part + "-images-idx3-ubyte"), images);
  write_bytes(folder / (part + "-labels-idx1-ubyte"), labels);
}

void write_cifar(const fs::path& file, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) {
    bytes += static_cast<char>(i % 2);
    for (int p = 0; p < 3072; ++p) bytes += static_cast<char>(shade(i % 2, p + i));
  }
  write_bytes(file, bytes);
}

void write_folder(const fs::path& folder, int count) {
  for (int i = 0; i < count; ++i) {
    Image image;
    image.width = 20;
    image.height = 16;
    image.channels = 3;
    for (int p = 0; p < 20 * 16 * 3; ++p) image.pixels.push_back(shade(i % 2, p + i));
    const fs::path place = folder / (i % 2 == 0 ? "dark" : "light");
    fs::create_directories(place);
    write_png(place / (std::to_string(i) + ".png"), image);
  }
}

void cut_to(const fs::path& file, std::uintmax_t bytes) {
  fs::resize_file(file, bytes);
}

}  // namespace

class OwnDataTest : public QObject {
  Q_OBJECT

  PluginPlace place_;

  fs::path folder(const std::string& name) const { return place_.path(name); }

  Ended transfer(const Words& more) {
    Words settings = brief;
    settings.insert(settings.end(), more.begin(), more.end());
    return place_.run("transfer", settings);
  }

  void expect_learned(const fs::path& target) {
    const Ended ended = transfer({"target=own", "target_path=" + target.string(), "epochs=5",
                                  "head_rate=0.1", "batch_size=8"});
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    QVERIFY2(last(ended.json(), "test_accuracy") > 0.8, ended.out.c_str());
  }

  void expect_refused(const Words& settings, const Words& parts,
                      const char* experiment = "transfer") {
    Words all = std::string(experiment) == "transfer" ? brief : Words{};
    all.insert(all.end(), settings.begin(), settings.end());
    const Ended ended = place_.run(experiment, all);
    QVERIFY2(ended.exit_code == 2, ended.err.c_str());
    for (const std::string& part : parts) {
      QVERIFY2(ended.err.find(part) != std::string::npos, (part + " not in: " + ended.err).c_str());
    }
  }

 private slots:
  void reads_idx() {
    write_idx(folder("idx"), "train", 80);
    expect_learned(folder("idx"));
    expect_learned(folder("idx") / "train-images-idx3-ubyte");
  }

  void reads_cifar_with_its_own_test_file() {
    write_cifar(folder("cifar") / "data_batch_1.bin", 60);
    write_cifar(folder("cifar") / "test_batch.bin", 20);
    expect_learned(folder("cifar"));
  }

  void reads_a_folder_of_images() {
    write_folder(folder("pictures"), 60);
    expect_learned(folder("pictures"));
  }

  void reads_a_table_of_pixels() {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      for (int p = 0; p < 64; ++p) text += std::to_string(shade(i % 2, p + i)) + ",";
      text += std::to_string(i % 2) + "\n";
    }
    write_bytes(folder("pixels.csv"), text);
    expect_learned(folder("pixels.csv"));
  }

  void a_path_that_is_not_there() {
    expect_refused({"target=own", "target_path=" + folder("nowhere").string()},
                   {"target_path", "nowhere"});
    expect_refused({"target=own"}, {"target_path: is empty"});
    expect_refused({"source=own"}, {"source_path: is empty"});
  }

  void a_truncated_idx() {
    write_idx(folder("cut"), "train", 40);
    const fs::path images = folder("cut") / "train-images-idx3-ubyte";
    cut_to(images, 1000);
    expect_refused({"target=own", "target_path=" + images.string()}, {images.string()});
    cut_to(images, 3);
    expect_refused({"target=own", "target_path=" + images.string()}, {images.string()});
  }

  void idx_without_labels() {
    write_idx(folder("bare"), "train", 40);
    fs::remove(folder("bare") / "train-labels-idx1-ubyte");
    expect_refused(
        {"target=own", "target_path=" + (folder("bare") / "train-images-idx3-ubyte").string()},
        {"target_labels"});
  }

  void a_truncated_png() {
    write_folder(folder("torn"), 20);
    const fs::path image = folder("torn") / "dark" / "4.png";
    cut_to(image, 60);
    expect_refused({"target=own", "target_path=" + folder("torn").string()}, {image.string()});
  }

  void what_is_no_image_set() {
    write_bytes(folder("poem.txt"), "Nothing to see here.\n");
    expect_refused({"target=own", "target_path=" + folder("poem.txt").string()},
                   {"poem.txt", "IDX"});
  }

  void weights_that_are_missing_damaged_or_of_another_net() {
    expect_refused({"backbone=resnet18"}, {"weights: is empty", "resnet18"});
    write_safetensors(folder("other.safetensors"),
                      {{"a.weight", RawTensor::from(std::vector<float>(4, 1.0F), {2, 2})}});
    const Words resnet = {"backbone=resnet18", "image_size=32"};
    const auto with_weights = [&](const fs::path& file) {
      Words settings = resnet;
      settings.push_back("weights=" + file.string());
      return settings;
    };
    expect_refused(with_weights(folder("other.safetensors")),
                   {"other.safetensors", "conv1.weight", "a.weight"});
    cut_to(folder("other.safetensors"), 40);
    expect_refused(with_weights(folder("other.safetensors")), {"other.safetensors"});
    const fs::path pth = folder("cut.pth");
    fs::copy_file(fs::path(ASSAY_TEST_SOURCE_DIR) / "golden/pytorch/model.pth", pth);
    expect_refused(with_weights(pth), {"cut.pth", "conv1.weight"});
    cut_to(pth, 1500);
    expect_refused(with_weights(pth), {"cut.pth"});
  }

  void too_few_images_for_the_split() {
    write_idx(folder("few"), "train", 12);
    expect_refused({"source=own", "source_path=" + folder("few").string(), "images=10",
                    "validation_images=10"},
                   {"validation_images", "10"}, "robustness");
  }
};

QTEST_GUILESS_MAIN(OwnDataTest)
#include "own_data_test.moc"
