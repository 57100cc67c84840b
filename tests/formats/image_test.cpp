// PNG and JPEG against the pixels another reader gets (tests/data/images/README.md).
#include "core/formats/image.h"

#include <algorithm>
#include <cstdlib>

#include "core/formats/image_resize.h"
#include "formats/support.h"

using namespace assay;

namespace {

std::vector<std::uint8_t> raw(const std::string& name) {
  return read_file(test::data("images/" + name + ".raw"));
}

int largest_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  if (a.size() != b.size()) return 256;
  int largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

class ImageTest : public QObject {
  Q_OBJECT
 private slots:
  void reads_every_form_of_png_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("pixels");
    QTest::addColumn<int>("channels");
    QTest::newRow("RGB") << "rgb"
                         << "rgb" << 3;
    QTest::newRow("interlaced") << "rgb_interlaced"
                                << "rgb" << 3;
    QTest::newRow("palette") << "palette"
                             << "palette" << 3;
    QTest::newRow("1 bit") << "bits"
                           << "bits" << 1;
    QTest::newRow("grey") << "grey"
                          << "grey" << 1;
    QTest::newRow("16 bits") << "grey16"
                             << "grey16" << 1;
    QTest::newRow("grey with alpha") << "grey_alpha"
                                     << "grey_alpha" << 4;
  }
  void reads_every_form_of_png() {
    QFETCH(QString, file);
    QFETCH(QString, pixels);
    QFETCH(int, channels);
    const Image image = read_image(test::data("images/" + file.toStdString() + ".png"));
    QCOMPARE(image.width, 48);
    QCOMPARE(image.height, 40);
    QCOMPARE(image.channels, channels);
    QVERIFY(image.pixels == raw(pixels.toStdString()));
  }

  void reads_jpeg_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("channels");
    QTest::newRow("baseline") << "rgb" << 3;
    QTest::newRow("progressive") << "progressive" << 3;
    QTest::newRow("grey") << "grey" << 1;
  }
  void reads_jpeg() {
    QFETCH(QString, file);
    QFETCH(int, channels);
    const Image image = read_image(test::data("images/" + file.toStdString() + ".jpg"));
    QCOMPARE(image.width, 48);
    QCOMPARE(image.channels, channels);
    // Releases of libjpeg-turbo may differ in the last bit of the inverse transform.
    QVERIFY(largest_difference(image.pixels, raw(file.toStdString() + "_jpg")) <= 2);
  }

  void writes_what_it_reads() {
    for (const int channels : {1, 3, 4}) {
      Image image{.width = 37, .height = 5, .channels = channels, .pixels = {}};
      for (int i = 0; i < 37 * 5 * channels; ++i)
        image.pixels.push_back(static_cast<std::uint8_t>(i * 31 + i / 7));
      const Image again = decode_png(encode_png(image), "memory");
      QCOMPARE(again.width, 37);
      QCOMPARE(again.height, 5);
      QCOMPARE(again.channels, channels);
      QVERIFY(again.pixels == image.pixels);
      QVERIFY(encode_png(image) == encode_png(image));
    }
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("x.png").toStdString();
    write_png(path, {.width = 1, .height = 1, .channels = 1, .pixels = {7}});
    QVERIFY(read_png(path).pixels == std::vector<std::uint8_t>{7});
  }

  void refuses_damage() {
    const auto kind = ErrorKind::unreadable;
    auto png = read_file(test::data("images/rgb.png"));
    auto cut = png;
    cut.resize(png.size() / 2);
    ASSAY_REFUSED(decode_png(cut, "cat.png"), kind, {"cat.png", "damaged PNG", "truncated"});
    cut.resize(20);
    ASSAY_REFUSED(decode_png(cut, "cat.png"), kind, {"cat.png", "truncated"});
    auto flipped = png;
    flipped[png.size() / 2] ^= 1;
    ASSAY_REFUSED(decode_png(flipped, "cat.png"), kind, {"cat.png", "damaged PNG"});
    auto jpeg = read_file(test::data("images/rgb.jpg"));
    jpeg.resize(jpeg.size() - 300);
    ASSAY_REFUSED(decode_jpeg(jpeg, "cat.jpg"), kind, {"cat.jpg", "damaged JPEG"});
    ASSAY_REFUSED(read_image(test::data("images/cmyk.jpg")), kind, {"cmyk.jpg", "CMYK"});
    ASSAY_REFUSED(read_image(test::data("README.md")), kind, {"README.md", "neither PNG nor JPEG"});
    ASSAY_REFUSED(read_png("/nowhere/cat.png"), ErrorKind::not_found, {"/nowhere/cat.png"});
    ASSAY_REFUSED(encode_png({.width = 2, .height = 2, .channels = 2, .pixels = {}}),
                  ErrorKind::bad_input, {"2 channels"});
    ASSAY_REFUSED(encode_png({.width = 2, .height = 2, .channels = 1, .pixels = {1}}),
                  ErrorKind::bad_input, {"2 x 2 x 1"});
  }

  // A header of 10^12 pixels, or of more than the bytes can hold, must cost nothing.
  void refuses_a_bomb_before_it_allocates() {
    const auto with_size = [](std::uint32_t width, std::uint32_t height) {
      auto png = read_file(test::data("images/grey.png"));
      for (unsigned i = 0; i < 4; ++i) {
        png[16 + i] = static_cast<std::uint8_t>(width >> (24 - 8 * i));
        png[20 + i] = static_cast<std::uint8_t>(height >> (24 - 8 * i));
      }
      // IHDR's checksum, so that the size is believed.
      std::uint32_t crc = 0xFFFFFFFF;
      for (std::size_t i = 12; i < 29; ++i) {
        crc ^= png[i];
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0);
      }
      crc = ~crc;
      for (unsigned i = 0; i < 4; ++i) png[29 + i] = static_cast<std::uint8_t>(crc >> (24 - 8 * i));
      return png;
    };
    ASSAY_REFUSED(decode_png(with_size(1'000'000, 1'000'000), "bomb.png"), ErrorKind::unreadable,
                  {"bomb.png", "100 million"});
    ASSAY_REFUSED(decode_png(with_size(10'000, 9'000), "bomb.png"), ErrorKind::unreadable,
                  {"bomb.png", "cannot come from"});
    // The 48 x 40 rows do not fill a slightly larger picture.
    ASSAY_REFUSED(decode_png(with_size(48, 60), "bomb.png"), ErrorKind::unreadable, {"bomb.png"});
  }

  void lays_out_contact_sheets() {
    const Image black{.width = 2, .height = 1, .channels = 1, .pixels = {0, 0}};
    const Image grey{.width = 2, .height = 1, .channels = 1, .pixels = {9, 8}};
    const Image sheet = contact_sheet({black, grey, black}, 2, 1);
    QCOMPARE(sheet.width, 5);
    QCOMPARE(sheet.height, 3);
    const std::vector<std::uint8_t> expected{0,   0,   255, 9, 8,   255, 255, 255,
                                             255, 255, 0,   0, 255, 255, 255};
    QVERIFY(sheet.pixels == expected);
    QCOMPARE(contact_sheet({black}, 5).width, 2);
    ASSAY_REFUSED(
        contact_sheet({black, Image{.width = 1, .height = 1, .channels = 1, .pixels = {0}}}, 2),
        ErrorKind::bad_input, {"one size", "1x1x1"});
    ASSAY_REFUSED(contact_sheet({}, 2), ErrorKind::bad_input, {"needs images"});
  }

  void resizes_like_a_known_library() {
    const Image photo = read_png(test::data("images/rgb.png"));
    for (const int side : {16, 64}) {
      const Image resized = resize_and_crop(photo, side);
      QCOMPARE(resized.width, side);
      QCOMPARE(resized.height, side);
      QVERIFY(largest_difference(resized.pixels, raw("resized_" + std::to_string(side))) <= 1);
    }
    QVERIFY(resize_antialiased(photo, 48, 40).pixels == photo.pixels);
    // A constant picture stays constant: the weights sum to one.
    const Image flat{
        .width = 7, .height = 11, .channels = 1, .pixels = std::vector<std::uint8_t>(77, 200)};
    for (const std::uint8_t value : resize_antialiased(flat, 5, 29).pixels)
      QCOMPARE(int{value}, 200);
    ASSAY_REFUSED(resize_antialiased(photo, 0, 5), ErrorKind::bad_input, {"0 x 5"});
  }

  void converts_channels() {
    const Image photo = read_png(test::data("images/rgb.png"));
    QVERIFY(largest_difference(with_channels(photo, 1).pixels, raw("grey")) <= 1);
    const Image grey{.width = 1, .height = 1, .channels = 1, .pixels = {5}};
    QVERIFY(with_channels(grey, 3).pixels == (std::vector<std::uint8_t>{5, 5, 5}));
    ASSAY_REFUSED(with_channels(grey, 2), ErrorKind::bad_input, {"not 2"});
  }
};

QTEST_APPLESS_MAIN(ImageTest)
#include "image_test.moc"
