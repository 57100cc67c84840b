// gzip: what gzip packs comes back; what is damaged is refused.
#include <zlib.h>

#include <QTest>
#include <random>

#include "core/base/files.h"
#include "support/error_message.h"

using namespace assay;
using Bytes = std::vector<std::uint8_t>;

namespace {

Bytes gzip(const Bytes& bytes) {
  z_stream stream{};
  if (::deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  Bytes packed(::deflateBound(&stream, bytes.size()) + 32);
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  const int code = ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("deflate");
  return packed;
}

Bytes some_bytes(std::size_t size) {
  std::mt19937 generator(7);
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(generator() % 17);
  return bytes;
}

Bytes joined(Bytes left, const Bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

}  // namespace

class GunzipTest : public QObject {
  Q_OBJECT

 private slots:
  void unpacks_what_gzip_packs();
  void leaves_other_bytes_alone();
  void unpacks_all_members();
  void refuses_every_truncation();
  void refuses_more_than_the_limit();
  void a_changed_bit_is_noticed();
};

void GunzipTest::unpacks_what_gzip_packs() {
  for (const std::size_t size : {0U, 1U, 1000U, 3'000'000U}) {
    const Bytes bytes = some_bytes(size);
    QCOMPARE(gunzip_if_needed(gzip(bytes), "x"), bytes);
  }
}

void GunzipTest::leaves_other_bytes_alone() {
  for (const Bytes& bytes : {Bytes{}, Bytes{0x1f}, Bytes{0x1f, 0x8c, 1, 2}, Bytes{'P', 'K'}}) {
    QCOMPARE(gunzip_if_needed(bytes, "x"), bytes);
  }
}

void GunzipTest::unpacks_all_members() {
  const Bytes first = some_bytes(5000);
  const Bytes second = some_bytes(70);
  const Bytes packed = joined(gzip(first), gzip(second));
  QCOMPARE(gunzip_if_needed(packed, "x"), joined(first, second));
  QCOMPARE(gunzip_if_needed(joined(packed, Bytes(512, 0)), "x"), joined(first, second));
  VERIFY_HOLDS(error_message([&] {
                 gunzip_if_needed(joined(packed, {1, 2, 3}), "data.gz");
               }),
               "data.gz: damaged gzip data: something else follows its end");
}

void GunzipTest::refuses_every_truncation() {
  const Bytes packed = gzip(some_bytes(300));
  for (std::size_t size = 2; size < packed.size(); ++size) {
    const Bytes cut(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
    QCOMPARE(error_message([&] { gunzip_if_needed(cut, "cut.gz"); }),
             std::string("cut.gz: damaged gzip data: it ends too early"));
  }
}

void GunzipTest::refuses_more_than_the_limit() {
  // A bomb: 20 MB of zeros in 20 kB.
  const Bytes bomb = gzip(Bytes(20'000'000, 0));
  QVERIFY(bomb.size() < 100'000);
  QCOMPARE(error_message([&] { gunzip_if_needed(bomb, "bomb.gz", 1'000'000); }),
           std::string("bomb.gz: unpacks to more than the limit of 1000000 bytes"));
  const Bytes small = some_bytes(1000);
  QCOMPARE(gunzip_if_needed(gzip(small), "x", 1000), small);
  VERIFY_HOLDS(error_message([&] { gunzip_if_needed(gzip(small), "x", 999); }), "limit of 999");
}

void GunzipTest::a_changed_bit_is_noticed() {
  const Bytes bytes = some_bytes(400);
  const Bytes packed = gzip(bytes);
  // Bytes 4 to 9 of the header (time, flags of the packer, system) say nothing about the data.
  for (std::size_t at = 10; at < packed.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes changed = packed;
      changed[at] ^= static_cast<std::uint8_t>(1 << bit);
      // Padding bits say nothing either; wrong data must never come out.
      Bytes unpacked;
      const std::string message =
          error_message([&] { unpacked = gunzip_if_needed(changed, "changed.gz"); });
      if (message == "(no error)") {
        QCOMPARE(unpacked, bytes);
      } else {
        VERIFY_HOLDS(message, "changed.gz: damaged gzip data: ");
      }
    }
  }
}

QTEST_APPLESS_MAIN(GunzipTest)
#include "gunzip_test.moc"
