// NIfTI-1 volumes: voxels to float32 with scaling, voxel index to world by sform or qform.
#include "core/formats/volume.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/formats/byte_reader.h"
#include "core/formats/gzip.h"
#include "core/formats/nifti_header.h"

namespace assay {
namespace {

using Affine = std::array<std::array<double, 4>, 3>;

template <typename Stored, typename Bits>
void convert(std::span<const std::uint8_t> data, const NiftiHeader& header,
             std::vector<float>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Bits bits;
    std::memcpy(&bits, data.data() + i * sizeof(Bits), sizeof bits);
    if (header.big_endian) {
      Bits swapped = 0;
      for (std::size_t b = 0; b < sizeof(Bits); ++b)
        swapped = static_cast<Bits>(swapped |
                                    static_cast<Bits>(static_cast<Bits>((bits >> (8 * b)) & 0xFFU)
                                                      << (8 * (sizeof(Bits) - 1 - b))));
      bits = swapped;
    }
    const auto value = static_cast<double>(std::bit_cast<Stored>(bits));
    out[i] = static_cast<float>(value * header.slope + header.intercept);
  }
}

void convert_any(std::span<const std::uint8_t> data, const NiftiHeader& header,
                 std::vector<float>& out) {
  switch (header.type) {
    case NiftiType::u8:
      return convert<std::uint8_t, std::uint8_t>(data, header, out);
    case NiftiType::i8:
      return convert<std::int8_t, std::uint8_t>(data, header, out);
    case NiftiType::i16:
      return convert<std::int16_t, std::uint16_t>(data, header, out);
    case NiftiType::u16:
      return convert<std::uint16_t, std::uint16_t>(data, header, out);
    case NiftiType::i32:
      return convert<std::int32_t, std::uint32_t>(data, header, out);
    case NiftiType::u32:
      return convert<std::uint32_t, std::uint32_t>(data, header, out);
    case NiftiType::f32:
      return convert<float, std::uint32_t>(data, header, out);
    case NiftiType::f64:
      return convert<double, std::uint64_t>(data, header, out);
    case NiftiType::i64:
      return convert<std::int64_t, std::uint64_t>(data, header, out);
    case NiftiType::u64:
      return convert<std::uint64_t, std::uint64_t>(data, header, out);
  }
}

// nifti1.h, method 2: rotation by the quaternion (a, b, c, d), a = sqrt(1 - b^2 - c^2 - d^2).
Affine affine_of_qform(const NiftiHeader& header) {
  const auto [b, c, d] = header.quaternion;
  const double a = std::sqrt(std::max(0.0, 1 - (b * b + c * c + d * d)));
  const Affine rotation{{
      {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c), 0},
      {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b), 0},
      {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c, 0},
  }};
  const double qfac = header.pixdim[0] < 0 ? -1 : 1;
  Affine affine{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      affine[i][j] = rotation[i][j] * header.pixdim[j + 1] * (j == 2 ? qfac : 1);
    affine[i][3] = header.offset[i];
  }
  return affine;
}

bool all_finite(const Affine& affine) {
  for (const auto& row : affine)
    for (const double value : row)
      if (!std::isfinite(value)) return false;
  return true;
}

Affine affine_of_spacing(const std::array<double, 3>& spacing) {
  Affine affine{};
  for (std::size_t i = 0; i < 3; ++i) affine[i][i] = spacing[i];
  return affine;
}

Affine affine_of(const NiftiHeader& header) {
  Affine affine = affine_of_spacing({header.pixdim[1], header.pixdim[2], header.pixdim[3]});
  if (header.qform > 0 && all_finite(affine_of_qform(header))) affine = affine_of_qform(header);
  if (header.sform > 0 && all_finite(header.sform_rows)) affine = header.sform_rows;
  for (auto& row : affine)
    for (double& value : row) value *= header.millimetres;
  return affine;
}

NiftiHeader header_for(const Volume& volume) {
  NiftiHeader header;
  std::uint64_t count = 1;
  if (volume.shape.empty() || volume.shape.size() > 7)
    throw Error(ErrorKind::bad_input, "a NIfTI-1 volume has 1 to 7 dimensions");
  for (const std::int64_t extent : volume.shape) {
    if (extent < 1 || extent > 32'767)
      throw Error(ErrorKind::bad_input,
                  fmt::format("NIfTI-1 cannot hold an extent of {}: 1 to 32767", extent));
    if (!multiply_checked(count, static_cast<std::uint64_t>(extent), count)) count = 0;
  }
  if (count != volume.values.size())
    throw Error(ErrorKind::bad_input,
                fmt::format("a volume of [{}] does not have {} values",
                            fmt::join(volume.shape, ", "), volume.values.size()));
  header.shape = volume.shape;
  for (std::size_t i = 0; i < 3; ++i) header.pixdim[i + 1] = volume.spacing[i];
  header.sform = 1;
  header.sform_rows =
      volume.to_world == Affine{} ? affine_of_spacing(volume.spacing) : volume.to_world;
  return header;
}

}  // namespace

Volume parse_nifti(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  const NiftiHeader header = parse_nifti_header(bytes, name);
  std::uint64_t count = 1, needed = 0;
  for (const std::int64_t extent : header.shape)
    if (!multiply_checked(count, static_cast<std::uint64_t>(extent), count)) count = UINT64_MAX;
  ByteReader reader(bytes, name);
  if (!multiply_checked(count, bytes_of(header.type), needed))
    reader.refuse("its dimensions are too large");
  reader.seek(header.data_offset, "the voxels");
  const auto data = reader.take(needed, "the voxels");

  Volume volume;
  volume.shape = header.shape;
  for (std::size_t i = 0; i < 3; ++i) volume.spacing[i] = header.pixdim[i + 1] * header.millimetres;
  volume.to_world = affine_of(header);
  volume.values.resize(static_cast<std::size_t>(count));
  convert_any(data, header, volume.values);
  return volume;
}

Volume read_nifti(const std::filesystem::path& path) {
  return parse_nifti(gunzip_if_needed(read_file(path), path.string()), path.string());
}

void write_nifti(const std::filesystem::path& path, const Volume& volume) {
  static_assert(std::endian::native == std::endian::little, "voxels are written as they lie");
  std::vector<std::uint8_t> bytes = encode_nifti_header(header_for(volume));
  const std::size_t header_bytes = bytes.size();
  bytes.resize(header_bytes + volume.values.size() * sizeof(float));
  std::memcpy(bytes.data() + header_bytes, volume.values.data(),
              volume.values.size() * sizeof(float));
  write_atomically(path, path.extension() == ".gz" ? gzip(bytes) : bytes);
}

}  // namespace assay
