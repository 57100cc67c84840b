// The 348-byte NIfTI-1 header: the fields Assay uses, with their offsets. Private to core/formats.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay {

constexpr std::size_t nifti_header_bytes = 348;

// Values of `datatype` (nifti1.h); complex, colour and 128-bit types are not read.
enum class NiftiType : std::int16_t {
  u8 = 2,
  i16 = 4,
  i32 = 8,
  f32 = 16,
  f64 = 64,
  i8 = 256,
  u16 = 512,
  u32 = 768,
  i64 = 1024,
  u64 = 1280,
};
std::size_t bytes_of(NiftiType type);

struct NiftiHeader {
  bool big_endian = false;
  std::vector<std::int64_t> shape;
  NiftiType type = NiftiType::f32;
  std::uint64_t data_offset = 352;
  double slope = 1, intercept = 0;
  double millimetres = 1;                    // of one unit of length in the header
  std::array<double, 4> pixdim{1, 1, 1, 1};  // [0] is qfac
  std::int16_t qform = 0, sform = 0;
  std::array<double, 3> quaternion{}, offset{};
  std::array<std::array<double, 4>, 3> sform_rows{};
};

// Throws unreadable naming `file` for another format (NIfTI-2, Analyze, a pair of files), bad
// dimensions or a type that is not read.
NiftiHeader parse_nifti_header(std::span<const std::uint8_t> bytes, const std::string& file);

// Header and four extension bytes of a little-endian float32 file, data at byte 352.
std::vector<std::uint8_t> encode_nifti_header(const NiftiHeader& header);

}  // namespace assay
