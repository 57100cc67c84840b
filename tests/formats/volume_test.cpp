// NIfTI-1: real files, every type in both byte orders, geometry, round trips, refusals.
#include "core/formats/volume.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/formats/gzip.h"
#include "core/formats/nifti_header.h"
#include "formats/support.h"

using namespace assay;

namespace {

void put(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint64_t value, std::size_t width,
         bool big) {
  for (std::size_t i = 0; i < width; ++i)
    bytes[at + (big ? width - 1 - i : i)] = static_cast<std::uint8_t>(value >> (8 * i));
}

void put_real(std::vector<std::uint8_t>& bytes, std::size_t at, float value, bool big) {
  put(bytes, at, std::bit_cast<std::uint32_t>(value), 4, big);
}

// A 2 x 1 x 1 file of `type` whose voxels are the two bit patterns.
std::vector<std::uint8_t> nifti(NiftiType type, std::uint64_t first, std::uint64_t second,
                                bool big = false) {
  const std::size_t width = bytes_of(type);
  std::vector<std::uint8_t> bytes(352 + 2 * width, 0);
  put(bytes, 0, 348, 4, big);
  for (std::size_t i = 0; i < 8; ++i) put(bytes, 40 + 2 * i, i == 0 ? 3 : i == 1 ? 2 : 1, 2, big);
  put(bytes, 70, static_cast<std::uint64_t>(type), 2, big);
  put(bytes, 72, 8 * width, 2, big);
  for (std::size_t i = 0; i < 4; ++i)
    put_real(bytes, 76 + 4 * i, 1.0F + static_cast<float>(i) / 2, big);
  put_real(bytes, 108, 352, big);
  std::memcpy(bytes.data() + 344, "n+1", 4);
  put(bytes, 352, first, width, big);
  put(bytes, 352 + width, second, width, big);
  return bytes;
}

double sum(const Volume& volume) {
  return std::accumulate(volume.values.begin(), volume.values.end(), 0.0);
}

}  // namespace

class VolumeTest : public QObject {
  Q_OBJECT
 private slots:
  // Numbers by numpy from the files' bytes.
  void reads_a_big_endian_head() {
    const Volume volume = read_nifti(test::data("volumes/anatomical.nii"));
    QVERIFY(volume.shape == (std::vector<std::int64_t>{33, 41, 25}));
    QCOMPARE(volume.spacing[2], 2.0);
    QCOMPARE(volume.values[0], 10712.0F);
    QCOMPARE(volume.values[3], 11951.0F);
    QCOMPARE(sum(volume), 284166082.0);
    QCOMPARE(volume.to_world[0], (std::array<double, 4>{-2, 0, 0, 32}));
    QCOMPARE(volume.to_world[1], (std::array<double, 4>{0, 2, 0, -40}));
    QCOMPARE(volume.to_world[2], (std::array<double, 4>{0, 0, 2, -16}));
  }

  void reads_gzip_and_a_nan_intercept() {
    for (const char* name : {"sample_int16.nii.gz", "sample_int16_nan_intercept.nii.gz"}) {
      const Volume volume = read_nifti(test::data(std::string("volumes/") + name));
      QVERIFY(volume.shape == (std::vector<std::int64_t>{12, 10, 6}));
      QCOMPARE(volume.values[(3 * 10 + 5) * 12 + 5], 321.0F);
      QCOMPARE(sum(volume), 14621.0);
      QCOMPARE(volume.spacing, (std::array<double, 3>{2, 2, 3}));
      QCOMPARE(volume.to_world[2], (std::array<double, 4>{0, 0, 3, -7.5}));
    }
  }

  // qform and sform of a real file agree: the quaternion alone must give the same matrix.
  void qform_gives_what_sform_gives() {
    auto bytes = read_file(test::data("volumes/anatomical.nii"));
    const auto by_sform = parse_nifti(bytes, "m").to_world;
    put(bytes, 254, 0, 2, true);
    QCOMPARE(parse_nifti(bytes, "m").to_world, by_sform);
    put(bytes, 252, 0, 2, true);
    QCOMPARE(parse_nifti(bytes, "m").to_world[0], (std::array<double, 4>{2, 0, 0, 0}));
    // A turn of 90 degrees about z: x to y, y to -x.
    put(bytes, 252, 1, 2, true);
    put_real(bytes, 76, 1, true);
    put_real(bytes, 256, 0, true);
    put_real(bytes, 260, 0, true);
    put_real(bytes, 264, std::sqrt(0.5F), true);
    const auto turned = parse_nifti(bytes, "m").to_world;
    QVERIFY(std::abs(turned[1][0] - 2) < 1e-6 && std::abs(turned[0][1] + 2) < 1e-6);
    QVERIFY(std::abs(turned[0][0]) < 1e-6 && turned[2][2] == 2);
  }

  void reads_every_type_in_both_orders() {
    const auto check = [](NiftiType type, std::uint64_t a, std::uint64_t b, float x, float y) {
      for (const bool big : {false, true}) {
        const Volume volume = parse_nifti(nifti(type, a, b, big), "m");
        if (volume.values != std::vector<float>{x, y} || volume.spacing[1] != 2.0) return false;
      }
      return true;
    };
    QVERIFY(check(NiftiType::u8, 0xFE, 1, 254, 1));
    QVERIFY(check(NiftiType::i8, 0xFE, 1, -2, 1));
    QVERIFY(check(NiftiType::i16, 0xFFFE, 0x0102, -2, 258));
    QVERIFY(check(NiftiType::u16, 0xFFFE, 0x0102, 65534, 258));
    QVERIFY(check(NiftiType::i32, 0xFFFFFFFE, 0x01020304, -2, 16909060));
    QVERIFY(check(NiftiType::u32, 0xFFFFFFFE, 7, 4294967294.0F, 7));
    QVERIFY(check(NiftiType::i64, UINT64_MAX - 1, 7, -2, 7));
    QVERIFY(check(NiftiType::u64, UINT64_MAX, 7, 18446744073709551615.0F, 7));
    QVERIFY(check(NiftiType::f32, std::bit_cast<std::uint32_t>(-1.5F), 0, -1.5F, 0));
    QVERIFY(check(NiftiType::f64, std::bit_cast<std::uint64_t>(0.25), 0, 0.25F, 0));
  }

  void applies_slope_and_intercept() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto scaled = [](float slope, float intercept) {
      auto bytes = nifti(NiftiType::i16, 10, 20);
      put_real(bytes, 112, slope, false);
      put_real(bytes, 116, intercept, false);
      return parse_nifti(bytes, "m").values;
    };
    QVERIFY(scaled(0.5F, 3) == (std::vector<float>{8, 13}));
    QVERIFY(scaled(2, nan) == (std::vector<float>{20, 40}));
    QVERIFY(scaled(0, 3) == (std::vector<float>{10, 20}));
    QVERIFY(scaled(nan, nan) == (std::vector<float>{10, 20}));
  }

  void converts_units() {
    auto bytes = nifti(NiftiType::u8, 1, 2);
    bytes[123] = 3;  // micrometres
    const Volume volume = parse_nifti(bytes, "m");
    QVERIFY(std::abs(volume.spacing[0] - 0.0015) < 1e-12);
    QVERIFY(std::abs(volume.to_world[2][2] - 0.0025) < 1e-12);
  }

  void reads_what_it_wrote() {
    Volume volume;
    volume.shape = {3, 2, 2, 2};
    volume.spacing = {0.5, 1, 2};
    volume.to_world = {{{0, -0.5, 0, 10}, {1, 0, 0, -20}, {0, 0, 2, 30}}};
    for (int i = 0; i < 24; ++i) volume.values.push_back(static_cast<float>(i) / 3);
    QTemporaryDir folder;
    for (const char* name : {"v.nii", "v.nii.gz"}) {
      const std::filesystem::path path = folder.filePath(name).toStdString();
      write_nifti(path, volume);
      const Volume again = read_nifti(path);
      QVERIFY(again.shape == volume.shape);
      QVERIFY(again.values == volume.values);
      QCOMPARE(again.spacing, volume.spacing);
      QCOMPARE(again.to_world, volume.to_world);
    }
    QVERIFY(read_file(folder.filePath("v.nii.gz").toStdString())[0] == 0x1f);
    volume.to_world = {};
    write_nifti(folder.filePath("w.nii").toStdString(), volume);
    QCOMPARE(read_nifti(folder.filePath("w.nii").toStdString()).to_world[1],
             (std::array<double, 4>{0, 1, 0, 0}));
  }

  void refuses_other_and_damaged_files() {
    const auto kind = ErrorKind::unreadable;
    const auto changed = [](std::size_t at, std::uint64_t value, std::size_t width) {
      auto bytes = nifti(NiftiType::i16, 1, 2);
      put(bytes, at, value, width, false);
      return bytes;
    };
    auto cut = nifti(NiftiType::i16, 1, 2);
    cut.pop_back();
    ASSAY_REFUSED(parse_nifti(cut, "h.nii"), kind, {"h.nii", "truncated", "of the voxels"});
    cut.resize(200);
    ASSAY_REFUSED(parse_nifti(cut, "h.nii"), kind, {"h.nii", "truncated"});
    ASSAY_REFUSED(parse_nifti(changed(0, 540, 4), "h.nii"), kind, {"h.nii", "NIfTI-2"});
    ASSAY_REFUSED(parse_nifti(changed(0, 12, 4), "h.nii"), kind, {"no NIfTI-1 file"});
    ASSAY_REFUSED(parse_nifti(changed(344, 0x31696E, 3), "h.nii"), kind, {"separate file"});
    ASSAY_REFUSED(parse_nifti(changed(344, 0, 3), "h.nii"), kind, {"Analyze"});
    ASSAY_REFUSED(parse_nifti(changed(70, 32, 2), "h.nii"), kind, {"data type 32", "complex"});
    ASSAY_REFUSED(parse_nifti(changed(72, 8, 2), "h.nii"), kind, {"8 bits"});
    ASSAY_REFUSED(parse_nifti(changed(40, 8, 2), "h.nii"), kind, {"8 dimensions"});
    ASSAY_REFUSED(parse_nifti(changed(42, 0xFFFF, 2), "h.nii"), kind, {"dimension 1 is -1"});
    ASSAY_REFUSED(parse_nifti(changed(42, 32767, 2), "h.nii"), kind, {"65534 bytes of the voxels"});
    ASSAY_REFUSED(parse_nifti(changed(108, 0, 4), "h.nii"), kind, {"should stand at byte 0"});
    auto huge = changed(40, 7, 2);
    for (std::size_t i = 1; i < 8; ++i) put(huge, 40 + 2 * i, 32767, 2, false);
    ASSAY_REFUSED(parse_nifti(huge, "h.nii"), kind, {"h.nii", "too large"});
    ASSAY_REFUSED(read_nifti("/nowhere/h.nii"), ErrorKind::not_found, {"/nowhere/h.nii"});
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("cut.nii.gz").toStdString();
    auto packed = gzip(nifti(NiftiType::i16, 1, 2));
    packed.resize(packed.size() - 9);
    write_atomically(path, packed);
    ASSAY_REFUSED(read_nifti(path), kind, {"cut.nii.gz"});
  }

  void refuses_to_write_what_does_not_fit() {
    Volume volume;
    volume.shape = {40'000};
    volume.values.resize(40'000);
    ASSAY_REFUSED(write_nifti("/nowhere/x.nii", volume), ErrorKind::bad_input, {"40000"});
    volume.shape = {2, 2};
    ASSAY_REFUSED(write_nifti("/nowhere/x.nii", volume), ErrorKind::bad_input, {"[2, 2]"});
  }
};

QTEST_APPLESS_MAIN(VolumeTest)
#include "volume_test.moc"
