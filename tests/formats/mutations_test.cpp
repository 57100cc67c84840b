// Every reader on damaged files: a few thousand deterministic mutations each (mutations.h).
#include "formats/mutations.h"

#include <functional>

#include "core/formats/extxyz.h"
#include "core/formats/gzip.h"
#include "core/formats/image.h"
#include "core/formats/image_sets.h"
#include "core/formats/table.h"
#include "core/formats/tensors.h"
#include "core/formats/volume.h"
#include "formats/support.h"
#include "formats/zip_builder.h"

using namespace assay;
using test::Bytes;

namespace {

std::string text_of(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

std::filesystem::path pytorch(const std::string& name) {
  return std::filesystem::path(ASSAY_TEST_SOURCE_DIR) / "golden" / "pytorch" / name;
}

// The pickle of a checkpoint, put back into an archive whose checksums are right: mutations of it
// reach the pickle machine.
Bytes archive_of_pickle(const Bytes& pickle) {
  test::ZipContents contents{{"hostile/data.pkl", pickle}};
  for (int i = 0; i < 10; ++i)
    contents.emplace_back("hostile/data/" + std::to_string(i), Bytes(256, 1));
  return test::build_zip(contents);
}

Bytes pickle_of(const std::string& name) {
  const Bytes file = read_file(pytorch(name));
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::size_t begin = text.find("\x80", text.find("/data.pkl"));
  const std::size_t end = text.find("PK\x03\x04", begin);
  return {file.begin() + static_cast<std::ptrdiff_t>(begin),
          file.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

class MutationsTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::filesystem::path scratch(const char* name, const Bytes& bytes) {
    const std::filesystem::path path = folder_.filePath(name).toStdString();
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path;
  }

  void check(const Bytes& good, int iterations, const std::function<void(const Bytes&)>& reader) {
    reader(good);
    const test::Survival result = test::survive(good, iterations, reader);
    QVERIFY2(result.fault.empty(), result.fault.c_str());
    QCOMPARE(result.read + result.refused, iterations);
    QVERIFY2(result.refused > iterations / 20, "hardly any mutation was noticed");
  }

 private slots:
  void initTestCase() { test::limit_memory(std::uint64_t{3} << 30); }

  void png() {
    for (const char* name : {"rgb.png", "rgb_interlaced.png", "palette.png", "grey16.png"})
      check(read_file(test::data(std::string("images/") + name)), 2000,
            [](const Bytes& bytes) { decode_png(bytes, "hostile"); });
  }

  void jpeg() {
    for (const char* name : {"rgb.jpg", "progressive.jpg"})
      check(read_file(test::data(std::string("images/") + name)), 2000,
            [](const Bytes& bytes) { decode_jpeg(bytes, "hostile"); });
  }

  void safetensors() {
    NamedTensors tensors;
    tensors["a.weight"] = RawTensor::from(std::vector<float>(12, 1), {3, 4});
    tensors["a.steps"] = RawTensor::from(std::vector<std::int64_t>{5}, {});
    check(encode_safetensors(tensors, {{"format", "pt"}}), 10'000,
          [](const Bytes& bytes) { parse_safetensors(bytes, "hostile"); });
  }

  void pytorch_archive() {
    for (const char* name : {"plain.pth", "deflated.pth", "views.pth"})
      check(read_file(pytorch(name)), 3000,
            [](const Bytes& bytes) { parse_pytorch(bytes, "hostile"); });
    check(test::build_zip({{"a/data.pkl", pickle_of("views.pth")},
                           {"a/data/0", Bytes(256, 1)},
                           {"a/data/1", Bytes(256, 1)},
                           {"a/data/2", Bytes(256, 1)},
                           {"a/data/3", Bytes(256, 1)}},
                          true),
          3000, [](const Bytes& bytes) { parse_pytorch(bytes, "hostile"); });
  }

  void pytorch_pickle() {
    for (const char* name : {"plain.pth", "nested.pth", "views.pth", "protocol4.pth"})
      check(pickle_of(name), 5000,
            [](const Bytes& bytes) { parse_pytorch(archive_of_pickle(bytes), "hostile"); });
  }

  void nifti() {
    auto bytes = read_file(test::data("volumes/anatomical.nii"));
    check(bytes, 500, [](const Bytes& mutated) { parse_nifti(mutated, "hostile"); });
    // Damage in the header alone.
    const Bytes header(bytes.begin(), bytes.begin() + 352);
    const Bytes voxels(bytes.begin() + 352, bytes.end());
    check(header, 3000, [&](const Bytes& mutated) {
      Bytes whole = mutated;
      whole.insert(whole.end(), voxels.begin(), voxels.end());
      parse_nifti(whole, "hostile");
    });
  }

  void extxyz() {
    const Bytes good = read_file(test::data("molecules/water10.extxyz"));
    check(good, 5000, [](const Bytes& bytes) { parse_extxyz(text_of(bytes), "hostile"); });
  }

  void csv() {
    check(test::bytes_of_text("a,\"b\",c\n1,\"x\"\"y\",3\n4,5,\"6\n7\"\n"), 10'000,
          [](const Bytes& bytes) { parse_csv(text_of(bytes), "hostile"); });
  }

  void pixel_csv() {
    check(test::bytes_of_text("1,2,3,4,0\n5,6,7,8,1\n9,10,11,16,2\n"), 10'000,
          [](const Bytes& bytes) { parse_pixel_csv(text_of(bytes), "hostile", 2, 2, 16); });
  }

  void idx() {
    const auto labels = test::data("sets/fashion30-labels-idx1-ubyte");
    const Bytes images =
        gunzip_if_needed(read_file(test::data("sets/fashion30-images-idx3-ubyte.gz")), "images");
    const Bytes few(images.begin(), images.begin() + 16);
    check(few, 1000, [&](const Bytes& header) {
      Bytes whole = header;
      whole.insert(whole.end(), images.begin() + 16, images.end());
      read_idx(scratch("hostile", whole), labels);
    });
    const auto good_images = scratch("hostile-images", images);
    check(read_file(labels), 1000,
          [&](const Bytes& bytes) { read_idx(good_images, scratch("hostile", bytes)); });
  }

  void packed_idx() {
    const auto labels = test::data("sets/fashion30-labels-idx1-ubyte");
    check(read_file(test::data("sets/fashion30-images-idx3-ubyte.gz")), 1000,
          [&](const Bytes& bytes) { read_idx(scratch("hostile.gz", bytes), labels); });
  }

  void cifar() {
    Bytes records(2 * 3073, 5);
    check(records, 1000, [&](const Bytes& bytes) { read_cifar({scratch("hostile", bytes)}); });
  }

  void kinds() {
    const Bytes good = read_file(test::data("sets/fashion30-images-idx3-ubyte.gz"));
    test::Mutator mutator(1);
    for (int i = 0; i < 300; ++i) image_set_kind(scratch("hostile", mutator.mutate(good)));
  }
};

QTEST_APPLESS_MAIN(MutationsTest)
#include "mutations_test.moc"
