// Extended XYZ: molecules and trajectories.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct MoleculeFrame {
  std::vector<std::string> symbols;
  std::vector<std::array<double, 3>> positions;                 // angstrom
  std::vector<std::array<double, 3>> forces;                    // empty or one per atom
  std::optional<std::array<std::array<double, 3>, 3>> lattice;  // rows a, b, c
  std::optional<double> energy;
  std::map<std::string, std::string> info;  // the other key=value pairs of the comment line
};

std::vector<MoleculeFrame> read_extxyz(const std::filesystem::path& path);  // .gz too
std::vector<MoleculeFrame> parse_extxyz(const std::string& text, const std::string& name);
std::string to_extxyz(const std::vector<MoleculeFrame>& frames);
void write_extxyz(const std::filesystem::path& path, const std::vector<MoleculeFrame>& frames);

}  // namespace assay
