// IDX, CIFAR binaries, folders and pixel tables: real samples, hand-made ones, refusals.
#include "core/formats/image_sets.h"

#include <algorithm>
#include <numeric>

#include "core/formats/gzip.h"
#include "core/formats/image.h"
#include "formats/support.h"

using namespace assay;

namespace {

std::vector<std::uint8_t> idx_images(std::uint8_t count, std::uint8_t side, std::size_t pixels) {
  std::vector<std::uint8_t> bytes{0, 0, 8, 3, 0, 0, 0, count, 0, 0, 0, side, 0, 0, 0, side};
  for (std::size_t i = 0; i < pixels; ++i) bytes.push_back(static_cast<std::uint8_t>(i));
  return bytes;
}

std::vector<std::uint8_t> idx_labels(const std::vector<std::uint8_t>& labels) {
  std::vector<std::uint8_t> bytes(8 + labels.size(), 0);
  bytes[2] = 8;
  bytes[3] = 1;
  bytes[7] = static_cast<std::uint8_t>(labels.size());
  std::copy(labels.begin(), labels.end(), bytes.begin() + 8);
  return bytes;
}

std::vector<std::uint8_t> cifar_records(const std::vector<std::vector<std::uint8_t>>& labels) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    bytes.insert(bytes.end(), labels[n].begin(), labels[n].end());
    for (std::size_t i = 0; i < 3072; ++i) bytes.push_back(static_cast<std::uint8_t>(i / 12 + n));
  }
  return bytes;
}

}  // namespace

class ImageSetsTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::filesystem::path put(const std::string& name, const std::vector<std::uint8_t>& bytes) {
    const std::filesystem::path path = std::filesystem::path(folder_.path().toStdString()) / name;
    std::filesystem::create_directories(path.parent_path());
    write_atomically(path, bytes);
    return path;
  }

 private slots:
  void reads_fashion_mnist() {
    const ImageSet set = read_idx(test::data("sets/fashion30-images-idx3-ubyte.gz"),
                                  test::data("sets/fashion30-labels-idx1-ubyte"));
    QCOMPARE(set.count, 30);
    QCOMPARE(set.channels, 1);
    QCOMPARE(set.height, 28);
    QCOMPARE(set.width, 28);
    QCOMPARE(set.pixels.size(), std::size_t{30 * 784});
    const std::vector<std::int64_t> first(set.labels.begin(), set.labels.begin() + 10);
    QVERIFY(first ==
            (std::vector<std::int64_t>{9, 2, 1, 1, 6, 1, 4, 6, 5, 7}));  // ankle boot, pullover...
    QCOMPARE(std::accumulate(set.pixels.begin(), set.pixels.end(), 0LL), 1620772LL);
    QCOMPARE(set.classes.size(), std::size_t{10});
  }

  void refuses_damaged_idx() {
    const auto kind = ErrorKind::unreadable;
    const auto labels = put("labels", idx_labels({0, 1}));
    const auto images = put("images", idx_images(2, 3, 18));
    QCOMPARE(read_idx(images, labels).count, 2);
    ASSAY_REFUSED(read_idx(put("short", idx_images(2, 3, 17)), labels), kind,
                  {"short", "truncated", "18 bytes"});
    ASSAY_REFUSED(read_idx(put("long", idx_images(2, 3, 19)), labels), kind,
                  {"long", "1 bytes behind"});
    ASSAY_REFUSED(read_idx(labels, labels), kind, {"labels", "magic number 00000801"});
    ASSAY_REFUSED(read_idx(images, images), kind, {"images", "magic number 00000803"});
    ASSAY_REFUSED(read_idx(put("head", {0, 0, 8, 3, 0}), labels), kind, {"head", "truncated"});
    ASSAY_REFUSED(read_idx(images, put("more", idx_labels({0, 1, 2}))), ErrorKind::bad_input,
                  {"2 images", "3 labels", "do not belong together"});
    ASSAY_REFUSED(read_idx(images, "/nowhere/labels"), ErrorKind::not_found, {"/nowhere/labels"});
    auto huge = idx_images(2, 3, 18);
    huge[4] = huge[8] = huge[12] = 0xFF;
    ASSAY_REFUSED(read_idx(put("huge", huge), labels), kind, {"huge"});
    auto packed = gzip(idx_images(2, 3, 18));
    packed.resize(packed.size() - 6);
    ASSAY_REFUSED(read_idx(put("cut.gz", packed), labels), kind, {"cut.gz"});
  }

  void reads_cifar() {
    const auto ten = put("ten.bin", cifar_records({{3}, {9}}));
    const ImageSet set = read_cifar({ten, put("more.bin.gz", gzip(cifar_records({{0}})))});
    QCOMPARE(set.count, 3);
    QCOMPARE(set.channels, 3);
    QVERIFY(set.labels == (std::vector<std::int64_t>{3, 9, 0}));
    QCOMPARE(set.classes.size(), std::size_t{10});
    QCOMPARE(int{set.pixels[3072 + 13]}, 2);  // record 1, byte 13: 13 / 12 + 1
    const ImageSet hundred =
        read_cifar({put("hundred.bin", cifar_records({{4, 99}, {0, 7}}))}, true);
    QVERIFY(hundred.labels == (std::vector<std::int64_t>{99, 7}));
    QCOMPARE(hundred.classes.size(), std::size_t{100});
  }

  void refuses_damaged_cifar() {
    auto cut = cifar_records({{3}, {9}});
    cut.pop_back();
    ASSAY_REFUSED(read_cifar({put("cut.bin", cut)}), ErrorKind::unreadable,
                  {"cut.bin", "3073-byte"});
    ASSAY_REFUSED(read_cifar({put("bad.bin", cifar_records({{3}, {10}}))}), ErrorKind::unreadable,
                  {"bad.bin", "record 1", "label 10"});
    ASSAY_REFUSED(read_cifar({put("empty.bin", {})}), ErrorKind::unreadable, {"empty.bin"});
    ASSAY_REFUSED(read_cifar({}), ErrorKind::bad_input, {"no CIFAR file"});
  }

  void reads_a_folder() {
    const auto png = read_file(test::data("images/rgb.png"));
    const auto jpeg = read_file(test::data("images/grey.jpg"));
    put("set/dog/2.png", png);
    put("set/dog/10.jpg", jpeg);
    put("set/cat/a.PNG", png);
    put("set/cat/notes.txt", test::bytes_of_text("not an image"));
    put("set/.hidden/a.png", png);
    const std::filesystem::path root = folder_.filePath("set").toStdString();
    const ImageSet set = read_image_folder(root, 16, 3);
    QVERIFY(set.classes == (std::vector<std::string>{"cat", "dog"}));
    QVERIFY(set.labels == (std::vector<std::int64_t>{0, 1, 1}));
    QCOMPARE(set.count, 3);
    // Planar: the first image is resized_16.raw with its channels apart.
    const auto expected = read_file(test::data("images/resized_16.raw"));
    for (std::size_t i = 0; i < 256; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        QVERIFY(std::abs(int{set.pixels[c * 256 + i]} - int{expected[i * 3 + c]}) <= 1);
    // "10.jpg" comes before "2.png", and a grey image fills three equal channels.
    QCOMPARE(set.pixels[768], set.pixels[768 + 256]);
    QCOMPARE(read_image_folder(root, 8, 1).pixels.size(), std::size_t{3 * 64});
  }

  void refuses_bad_folders() {
    const std::filesystem::path root = folder_.path().toStdString();
    put("broken/cat/a.png", {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A, 0});
    ASSAY_REFUSED(read_image_folder(root / "broken", 8, 3), ErrorKind::unreadable,
                  {"a.png", "damaged PNG"});
    std::filesystem::create_directories(root / "hollow/cat");
    ASSAY_REFUSED(read_image_folder(root / "hollow", 8, 3), ErrorKind::bad_input,
                  {"hollow/cat", "no .png or .jpg"});
    ASSAY_REFUSED(read_image_folder(root / "hollow/cat", 8, 3), ErrorKind::bad_input,
                  {"no class folders"});
    ASSAY_REFUSED(read_image_folder(root / "nothing", 8, 3), ErrorKind::not_found, {"nothing"});
    ASSAY_REFUSED(read_image_folder(root / "broken", 0, 3), ErrorKind::bad_input, {"side of 0"});
    ASSAY_REFUSED(read_image_folder(root / "broken", 8, 2), ErrorKind::bad_input, {"2 channels"});
  }

  void reads_digits() {
    const ImageSet set = read_pixel_csv(test::data("sets/digits.csv.gz"), 8, 8, 16);
    QCOMPARE(set.count, 1797);
    QCOMPARE(set.classes.size(), std::size_t{10});
    QCOMPARE(set.labels[0], 0);
    QCOMPARE(int{set.pixels[2]}, 80);  // 5 / 16 * 255 = 79.7
    QCOMPARE(int{*std::max_element(set.pixels.begin(), set.pixels.end())}, 255);
  }

  void refuses_bad_pixel_tables() {
    const auto kind = ErrorKind::unreadable;
    ASSAY_REFUSED(parse_pixel_csv("1,2,0\n", "t", 2, 2, 16), kind, {"t", "3 columns", "are 5"});
    ASSAY_REFUSED(parse_pixel_csv("1,2,3,17,0\n", "t", 2, 2, 16), kind, {"row 1, column 4", "17"});
    ASSAY_REFUSED(parse_pixel_csv("1,2,3,x,0\n", "t", 2, 2, 16), kind, {"\"x\" is no number"});
    ASSAY_REFUSED(parse_pixel_csv("1,2,3,4,0.5\n", "t", 2, 2, 16), kind, {"no class number"});
    ASSAY_REFUSED(parse_pixel_csv("1,2,3,4,1e9\n", "t", 2, 2, 16), kind, {"no class number"});
    ASSAY_REFUSED(parse_pixel_csv("1,2,3,nan,0\n", "t", 2, 2, 16), kind, {"no number"});
  }

  void tells_kinds_apart() {
    QCOMPARE(image_set_kind(test::data("sets/fashion30-images-idx3-ubyte.gz")), std::string("idx"));
    QCOMPARE(image_set_kind(test::data("sets/fashion30-labels-idx1-ubyte")), std::string("idx"));
    QCOMPARE(image_set_kind(test::data("sets/digits.csv.gz")), std::string("csv"));
    QCOMPARE(image_set_kind(put("k10.bin", cifar_records({{3}, {9}}))), std::string("cifar"));
    QCOMPARE(image_set_kind(put("k100.gz", gzip(cifar_records({{3, 99}})))), std::string("cifar"));
    put("kind/a/x.png", read_file(test::data("images/rgb.png")));
    QCOMPARE(image_set_kind(folder_.filePath("kind").toStdString()), std::string("folder"));
    QCOMPARE(image_set_kind(test::data("README.md")), std::string());
    QCOMPARE(image_set_kind("/nowhere"), std::string());
  }
};

QTEST_APPLESS_MAIN(ImageSetsTest)
#include "image_sets_test.moc"
