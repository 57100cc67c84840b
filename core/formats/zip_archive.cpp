// Zip (PKWARE APPNOTE 6.3): end record, zip64 end record, central directory, local headers.
#include "core/formats/zip_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/formats/byte_reader.h"

namespace assay {
namespace {

constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t zip64_locator_signature = 0x07064b50;
constexpr std::uint32_t zip64_end_signature = 0x06064b50;
constexpr std::uint32_t central_signature = 0x02014b50;
constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::size_t end_bytes = 22, zip64_locator_bytes = 20, central_bytes = 46;
constexpr std::uint32_t in_zip64_32 = 0xFFFFFFFF;
constexpr std::uint16_t in_zip64_16 = 0xFFFF;
// Deflate packs at most 1032 bytes into one.
constexpr std::uint64_t deflate_ratio = 1040;

// Takes the fields that did not fit in 32 bits from the zip64 extra field (id 1).
void apply_zip64(std::span<const std::uint8_t> extra, const std::string& file, ZipEntry& entry) {
  ByteReader reader(extra, file);
  while (reader.left() >= 4) {
    const auto id = reader.little<std::uint16_t>("a zip extra field");
    const auto size = reader.little<std::uint16_t>("a zip extra field");
    const auto content = reader.take(size, "a zip extra field");
    if (id != 1) continue;
    ByteReader field(content, file);
    for (std::uint64_t* value : {&entry.unpacked, &entry.packed, &entry.local_header})
      if (*value == in_zip64_32) *value = field.little<std::uint64_t>("a zip64 extra field");
    return;
  }
}

// Inflates raw deflate data into exactly `out`; false when it is damaged or of another size.
bool inflate_raw(std::span<const std::uint8_t> packed, std::vector<std::uint8_t>& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  constexpr std::size_t most = 1U << 30;  // zlib counts in 32 bits
  std::size_t in = 0, produced = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const std::size_t give = std::min(most, packed.size() - in);
    const std::size_t room = std::min(most, out.size() - produced);
    stream.next_in = const_cast<Bytef*>(packed.data() + in);  // zlib's field lacks const
    stream.avail_in = static_cast<uInt>(give);
    std::uint8_t spare = 0;  // a full output must still accept the end mark
    stream.next_out = room > 0 ? out.data() + produced : &spare;
    stream.avail_out = room > 0 ? static_cast<uInt>(room) : 1;
    state = inflate(&stream, Z_NO_FLUSH);
    in += give - stream.avail_in;
    if (room > 0)
      produced += room - stream.avail_out;
    else if (stream.avail_out == 0)
      state = Z_DATA_ERROR;  // more data than the directory says
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END && produced == out.size();
}

std::uint32_t checksum(const std::vector<std::uint8_t>& bytes) {
  return static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), bytes.data(), bytes.size()));
}

}  // namespace

ZipArchive::ZipArchive(std::span<const std::uint8_t> bytes, std::string name)
    : bytes_(bytes), name_(std::move(name)) {
  read_directory(find_directory());
}

ZipArchive::Directory ZipArchive::find_directory() const {
  ByteReader reader(bytes_, name_);
  if (bytes_.size() < end_bytes) reader.refuse("too short for a zip archive");
  // The end record stands before a comment of at most 65535 bytes.
  const std::size_t last = bytes_.size() - end_bytes;
  const std::size_t first = last > 65'535 ? last - 65'535 : 0;
  for (std::size_t at = last + 1; at-- > first;) {
    reader.seek(at, "the end record");
    if (reader.little<std::uint32_t>("the end record") != end_signature) continue;
    reader.seek(at + 10, "the end record");
    Directory directory;
    directory.entries = reader.little<std::uint16_t>("the end record");
    directory.bytes = reader.little<std::uint32_t>("the end record");
    directory.offset = reader.little<std::uint32_t>("the end record");
    if (directory.entries == in_zip64_16 || directory.bytes == in_zip64_32 ||
        directory.offset == in_zip64_32)
      return find_zip64_directory(at);
    return directory;
  }
  reader.refuse("no zip end record: the file is truncated or no zip archive");
}

ZipArchive::Directory ZipArchive::find_zip64_directory(std::size_t end_record) const {
  ByteReader reader(bytes_, name_);
  if (end_record < zip64_locator_bytes) reader.refuse("the zip64 locator is missing");
  reader.seek(end_record - zip64_locator_bytes, "the zip64 locator");
  if (reader.little<std::uint32_t>("the zip64 locator") != zip64_locator_signature)
    reader.refuse("the zip64 locator is missing");
  reader.take(4, "the zip64 locator");
  reader.seek(reader.little<std::uint64_t>("the zip64 locator"), "the zip64 end record");
  if (reader.little<std::uint32_t>("the zip64 end record") != zip64_end_signature)
    reader.refuse("the zip64 end record is missing");
  reader.take(28, "the zip64 end record");
  Directory directory;
  directory.entries = reader.little<std::uint64_t>("the zip64 end record");
  directory.bytes = reader.little<std::uint64_t>("the zip64 end record");
  directory.offset = reader.little<std::uint64_t>("the zip64 end record");
  return directory;
}

void ZipArchive::read_directory(const Directory& directory) {
  ByteReader whole(bytes_, name_);
  whole.seek(directory.offset, "the central directory");
  ByteReader reader(whole.take(directory.bytes, "the central directory"), name_);
  if (directory.entries > directory.bytes / central_bytes)
    reader.refuse(
        fmt::format("{} entries in a directory of {} bytes", directory.entries, directory.bytes));
  std::uint64_t packed = 0;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    constexpr const char* what = "the central directory";
    if (reader.little<std::uint32_t>(what) != central_signature)
      reader.refuse(fmt::format("entry {} of the central directory is damaged", i));
    reader.take(4, what);
    ZipEntry entry;
    entry.flags = reader.little<std::uint16_t>(what);
    entry.method = reader.little<std::uint16_t>(what);
    reader.take(4, what);
    entry.crc = reader.little<std::uint32_t>(what);
    entry.packed = reader.little<std::uint32_t>(what);
    entry.unpacked = reader.little<std::uint32_t>(what);
    const auto name_bytes = reader.little<std::uint16_t>(what);
    const auto extra_bytes = reader.little<std::uint16_t>(what);
    const auto comment_bytes = reader.little<std::uint16_t>(what);
    reader.take(8, what);
    entry.local_header = reader.little<std::uint32_t>(what);
    const auto text = reader.take(name_bytes, what);
    std::string name(text.begin(), text.end());
    apply_zip64(reader.take(extra_bytes, what), name_, entry);
    reader.take(comment_bytes, what);
    if (entry.packed > bytes_.size() - std::min<std::uint64_t>(packed, bytes_.size()))
      reader.refuse("its entries overlap or are longer than the file");
    packed += entry.packed;
    if (!entries_.emplace(name, entry).second)
      reader.refuse(fmt::format("entry \"{}\" is there twice", name));
  }
}

std::span<const std::uint8_t> ZipArchive::packed_bytes(const std::string& name,
                                                       const ZipEntry& entry) const {
  ByteReader reader(bytes_, fmt::format("{}: entry \"{}\"", name_, name));
  if ((entry.flags & 1U) != 0) reader.refuse("is encrypted");
  if (entry.method != 0 && entry.method != 8)
    reader.refuse(fmt::format("is packed by method {}; stored and deflate are read", entry.method));
  reader.seek(entry.local_header, "the local header");
  if (reader.little<std::uint32_t>("the local header") != local_signature)
    reader.refuse("its local header is damaged");
  reader.take(22, "the local header");
  const auto name_bytes = reader.little<std::uint16_t>("the local header");
  const auto extra_bytes = reader.little<std::uint16_t>("the local header");
  reader.take(std::uint64_t{name_bytes} + extra_bytes, "the local header");
  if (entry.method == 0 && entry.packed != entry.unpacked)
    reader.refuse("is stored, yet its two sizes differ");
  if (entry.unpacked / deflate_ratio > entry.packed)
    reader.refuse(fmt::format("{} bytes cannot unpack to {}", entry.packed, entry.unpacked));
  return reader.take(entry.packed, "its data");
}

std::vector<std::uint8_t> ZipArchive::read(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end())
    throw Error(ErrorKind::unreadable, fmt::format("{}: entry \"{}\" is missing", name_, name));
  const ZipEntry& entry = found->second;
  const auto packed = packed_bytes(name, entry);
  std::vector<std::uint8_t> out;
  if (entry.method == 0) {
    out.assign(packed.begin(), packed.end());
  } else {
    out.resize(static_cast<std::size_t>(entry.unpacked));
    if (!inflate_raw(packed, out))
      throw Error(ErrorKind::unreadable,
                  fmt::format("{}: entry \"{}\": damaged deflate data", name_, name));
  }
  if (checksum(out) != entry.crc)
    throw Error(
        ErrorKind::unreadable,
        fmt::format("{}: entry \"{}\": its checksum differs; the file is damaged", name_, name));
  return out;
}

}  // namespace assay
