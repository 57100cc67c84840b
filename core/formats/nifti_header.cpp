// The NIfTI-1 header, read in either byte order, written little-endian.
#include "core/formats/nifti_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/formats/byte_reader.h"

namespace assay {
namespace {

// Byte offsets of the fields (nifti1.h).
constexpr std::size_t at_dim = 40, at_datatype = 70, at_bitpix = 72, at_pixdim = 76,
                      at_vox_offset = 108, at_slope = 112, at_intercept = 116, at_units = 123,
                      at_qform = 252, at_sform = 254, at_quaternion = 256, at_offset = 268,
                      at_rows = 280, at_magic = 344;

class Fields {
 public:
  Fields(std::span<const std::uint8_t> bytes, const std::string& file, bool big)
      : reader_(bytes, file), big_(big) {}

  std::int16_t i16(std::size_t at) {
    reader_.seek(at, "the header");
    return static_cast<std::int16_t>(big_ ? reader_.big<std::uint16_t>("the header")
                                          : reader_.little<std::uint16_t>("the header"));
  }
  double f32(std::size_t at) {
    reader_.seek(at, "the header");
    return static_cast<double>(
        std::bit_cast<float>(big_ ? reader_.big<std::uint32_t>("the header")
                                  : reader_.little<std::uint32_t>("the header")));
  }
  std::uint8_t u8(std::size_t at) {
    reader_.seek(at, "the header");
    return reader_.u8("the header");
  }
  [[noreturn]] void refuse(const std::string& message) const { reader_.refuse(message); }

 private:
  ByteReader reader_;
  bool big_;
};

bool is_big_endian(std::span<const std::uint8_t> bytes, const std::string& file) {
  ByteReader reader(bytes, file);
  const auto size = reader.little<std::uint32_t>("the NIfTI header");
  if (size == nifti_header_bytes) return false;
  const auto swapped = __builtin_bswap32(size);
  if (swapped == nifti_header_bytes) return true;
  if (size == 540 || swapped == 540)
    reader.refuse("a NIfTI-2 file; only NIfTI-1 is read, convert it (e.g. with nibabel)");
  reader.refuse("no NIfTI-1 file (its first four bytes are not 348)");
}

void check_magic(std::span<const std::uint8_t> bytes, const Fields& fields) {
  const std::string magic(bytes.begin() + at_magic, bytes.begin() + at_magic + 3);
  if (magic == "n+1") return;
  if (magic == "ni1")
    fields.refuse("a header whose image is in a separate file; convert it to one .nii file");
  fields.refuse("no NIfTI-1 magic (an Analyze 7.5 file?)");
}

std::vector<std::int64_t> shape_from(Fields& fields) {
  const int dimensions = fields.i16(at_dim);
  if (dimensions < 1 || dimensions > 7)
    fields.refuse(fmt::format("{} dimensions; 1 to 7 are allowed", dimensions));
  std::vector<std::int64_t> shape;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(dimensions); ++i) {
    shape.push_back(fields.i16(at_dim + 2 * i));
    if (shape.back() < 1) fields.refuse(fmt::format("dimension {} is {}", i, shape.back()));
  }
  return shape;
}

NiftiType type_from(Fields& fields) {
  const std::int16_t code = fields.i16(at_datatype);
  for (const NiftiType type :
       {NiftiType::u8, NiftiType::i16, NiftiType::i32, NiftiType::f32, NiftiType::f64,
        NiftiType::i8, NiftiType::u16, NiftiType::u32, NiftiType::i64, NiftiType::u64}) {
    if (static_cast<std::int16_t>(type) != code) continue;
    const int bits = fields.i16(at_bitpix);
    if (bits != static_cast<int>(8 * bytes_of(type)))
      fields.refuse(fmt::format("data type {} with {} bits a voxel", code, bits));
    return type;
  }
  fields.refuse(fmt::format("data type {} (complex, colour or 128-bit?) is not read", code));
}

// The standard: a slope of 0 means "not scaled"; NaN in either is met in the wild.
void read_scaling(Fields& fields, NiftiHeader& header) {
  const double slope = fields.f32(at_slope), intercept = fields.f32(at_intercept);
  if (slope == 0 || !std::isfinite(slope)) return;
  header.slope = slope;
  header.intercept = std::isfinite(intercept) ? intercept : 0;
}

double millimetres_of(int units) {
  switch (units & 0x07) {
    case 1:
      return 1000;  // metres
    case 3:
      return 0.001;  // micrometres
    default:
      return 1;
  }
}

void read_geometry(Fields& fields, NiftiHeader& header) {
  header.millimetres = millimetres_of(fields.u8(at_units));
  for (std::size_t i = 0; i < 4; ++i) header.pixdim[i] = fields.f32(at_pixdim + 4 * i);
  for (std::size_t i = 1; i < 4; ++i) {
    header.pixdim[i] = std::abs(header.pixdim[i]);
    if (!std::isfinite(header.pixdim[i]) || header.pixdim[i] == 0) header.pixdim[i] = 1;
  }
  header.qform = fields.i16(at_qform);
  header.sform = fields.i16(at_sform);
  for (std::size_t i = 0; i < 3; ++i) {
    header.quaternion[i] = fields.f32(at_quaternion + 4 * i);
    header.offset[i] = fields.f32(at_offset + 4 * i);
    for (std::size_t j = 0; j < 4; ++j)
      header.sform_rows[i][j] = fields.f32(at_rows + 16 * i + 4 * j);
  }
}

void put_i16(std::vector<std::uint8_t>& bytes, std::size_t at, std::int64_t value) {
  bytes[at] = static_cast<std::uint8_t>(value);
  bytes[at + 1] = static_cast<std::uint8_t>(value >> 8);
}

void put_f32(std::vector<std::uint8_t>& bytes, std::size_t at, double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

}  // namespace

std::size_t bytes_of(NiftiType type) {
  switch (type) {
    case NiftiType::u8:
    case NiftiType::i8:
      return 1;
    case NiftiType::i16:
    case NiftiType::u16:
      return 2;
    case NiftiType::i32:
    case NiftiType::u32:
    case NiftiType::f32:
      return 4;
    case NiftiType::f64:
    case NiftiType::i64:
    case NiftiType::u64:
      return 8;
  }
  return 8;
}

NiftiHeader parse_nifti_header(std::span<const std::uint8_t> bytes, const std::string& file) {
  NiftiHeader header;
  header.big_endian = is_big_endian(bytes, file);
  const auto first = ByteReader(bytes, file).take(nifti_header_bytes, "the NIfTI header");
  Fields fields(first, file, header.big_endian);
  check_magic(first, fields);
  header.shape = shape_from(fields);
  header.type = type_from(fields);
  const double offset = fields.f32(at_vox_offset);
  if (!(offset >= 348) || offset > 1e9)
    fields.refuse(fmt::format("the voxels should stand at byte {}", offset));
  header.data_offset = static_cast<std::uint64_t>(offset);
  read_scaling(fields, header);
  read_geometry(fields, header);
  return header;
}

std::vector<std::uint8_t> encode_nifti_header(const NiftiHeader& header) {
  std::vector<std::uint8_t> bytes(nifti_header_bytes + 4, 0);
  put_i16(bytes, 0, nifti_header_bytes);
  put_i16(bytes, at_dim, static_cast<std::int64_t>(header.shape.size()));
  for (std::size_t i = 1; i < 8; ++i)
    put_i16(bytes, at_dim + 2 * i, i <= header.shape.size() ? header.shape[i - 1] : 1);
  put_i16(bytes, at_datatype, static_cast<std::int16_t>(NiftiType::f32));
  put_i16(bytes, at_bitpix, 32);
  for (std::size_t i = 0; i < 8; ++i)
    put_f32(bytes, at_pixdim + 4 * i, i < 4 ? header.pixdim[i] : 1);
  put_f32(bytes, at_vox_offset, nifti_header_bytes + 4);
  put_f32(bytes, at_slope, 1);
  bytes[at_units] = 2;  // millimetres
  put_i16(bytes, at_sform, header.sform);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      put_f32(bytes, at_rows + 16 * i + 4 * j, header.sform_rows[i][j]);
  std::memcpy(bytes.data() + at_magic, "n+1", 4);
  return bytes;
}

}  // namespace assay
