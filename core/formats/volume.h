// NIfTI-1 volumes (.nii, .nii.gz): read and write.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay {

struct Volume {
  std::vector<std::int64_t> shape;         // x, y, z (, t ...); x fastest in `values`
  std::array<double, 3> spacing{1, 1, 1};  // mm
  std::array<std::array<double, 4>, 3>
      to_world{};             // voxel index -> mm (sform, else qform, else spacing)
  std::vector<float> values;  // scl_slope and scl_inter applied (0, NaN slope: 1; NaN inter: 0)
};

// All integer and real data types, both byte orders; sizes are checked against the file first.
Volume read_nifti(const std::filesystem::path& path);
Volume parse_nifti(const std::vector<std::uint8_t>& bytes, const std::string& name);
void write_nifti(const std::filesystem::path& path, const Volume& volume);  // float32, gzip by name

}  // namespace assay
