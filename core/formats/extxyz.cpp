// Extended XYZ: a count, a comment line with key=value pairs, one line an atom; frame after frame.
#include "core/formats/extxyz.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/formats/extxyz_comment.h"
#include "core/formats/gzip.h"
#include "core/formats/table.h"

namespace assay {
namespace {

constexpr std::uint64_t text_limit = std::uint64_t{2} << 30;

std::optional<double> as_number(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at >= line.size()) return words;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    words.push_back(line.substr(begin, at - begin));
  }
}

// Where species, positions and forces stand in an atom's line.
struct Layout {
  std::size_t species = 0, position = 1, columns = 4;
  std::optional<std::size_t> forces;
};

class FrameParser {
 public:
  FrameParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::vector<MoleculeFrame> frames() {
    std::vector<MoleculeFrame> out;
    while (skip_blank_lines()) out.push_back(frame());
    if (out.empty()) throw Error(ErrorKind::unreadable, name_ + ": holds no frame");
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw Error(ErrorKind::unreadable, fmt::format("{}: line {}: {}", name_, line_, message));
  }

  // False at the end of the text.
  bool skip_blank_lines() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      if (!words_of(text_.substr(at_, end - at_)).empty()) return true;
      at_ = std::min(end + 1, text_.size());
      ++line_;
    }
    return false;
  }

  std::string_view next_line(const char* what) {
    ++line_;
    if (at_ >= text_.size()) refuse(fmt::format("the text ends where {} should stand", what));
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  std::size_t atom_count() {
    const auto words = words_of(next_line("the number of atoms"));
    std::uint64_t count = 0;
    const auto [end, fault] =
        std::from_chars(words[0].data(), words[0].data() + words[0].size(), count);
    if (words.size() != 1 || fault != std::errc() || end != words[0].data() + words[0].size() ||
        count == 0)
      refuse(fmt::format("\"{}\" is no number of atoms", words[0].substr(0, 40)));
    // An atom's line has at least "H 0 0 0" and its end.
    if (count > (text_.size() - at_) / 7)
      refuse(fmt::format("{} atoms do not fit in the rest of the file (truncated?)", count));
    return static_cast<std::size_t>(count);
  }

  Layout layout_of(std::map<std::string, std::string>& info) {
    const auto given = info.find("Properties");
    if (given == info.end()) return {};
    const auto properties = parse_properties(given->second);
    if (properties.empty())
      refuse(fmt::format("Properties=\"{}\" is not of the form name:type:columns:...",
                         given->second.substr(0, 80)));
    Layout layout;
    std::optional<std::size_t> species, position;
    std::size_t column = 0;
    for (const AtomProperty& property : properties) {
      const bool vector = property.type == 'R' && property.columns == 3;
      if (property.name == "species" && property.type == 'S') species = column;
      if (property.name == "pos" && vector) position = column;
      if ((property.name == "forces" || property.name == "force") && vector) layout.forces = column;
      column += static_cast<std::size_t>(property.columns);
      if (column > 10'000) refuse("more than 10000 columns an atom");
    }
    if (!species || !position) refuse("Properties lacks species:S:1 or pos:R:3");
    layout.species = *species;
    layout.position = *position;
    layout.columns = column;
    info.erase(given);
    return layout;
  }

  std::array<double, 3> vector_at(const std::vector<std::string_view>& words, std::size_t at) {
    std::array<double, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto value = as_number(words[at + i]);
      if (!value) refuse(fmt::format("\"{}\" is no number", words[at + i].substr(0, 40)));
      out[i] = *value;
    }
    return out;
  }

  void read_lattice(MoleculeFrame& frame) {
    const auto given = frame.info.find("Lattice");
    if (given == frame.info.end()) return;
    const auto words = words_of(given->second);
    if (words.size() != 9) refuse("Lattice does not hold nine numbers");
    frame.lattice.emplace();
    for (std::size_t i = 0; i < 3; ++i) (*frame.lattice)[i] = vector_at(words, 3 * i);
    frame.info.erase(given);
  }

  void read_energy(MoleculeFrame& frame) {
    const auto given = frame.info.find("energy");
    if (given == frame.info.end()) return;
    frame.energy = as_number(given->second);
    if (!frame.energy)
      refuse(fmt::format("energy \"{}\" is no number", given->second.substr(0, 40)));
    frame.info.erase(given);
  }

  MoleculeFrame frame() {
    MoleculeFrame frame;
    --line_;
    const std::size_t count = atom_count();
    frame.info = parse_comment(next_line("the comment line"));
    const Layout layout = layout_of(frame.info);
    read_lattice(frame);
    read_energy(frame);
    frame.symbols.reserve(count);
    frame.positions.reserve(count);
    if (layout.forces) frame.forces.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto words = words_of(next_line("an atom"));
      if (words.size() < layout.columns)
        refuse(fmt::format("atom {} of {} has {} columns, {} are needed", i + 1, count,
                           words.size(), layout.columns));
      frame.symbols.emplace_back(words[layout.species].substr(0, 64));
      frame.positions.push_back(vector_at(words, layout.position));
      if (layout.forces) frame.forces.push_back(vector_at(words, *layout.forces));
    }
    ++line_;
    return frame;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

void append_vector(std::string& out, const std::array<double, 3>& vector) {
  for (const double value : vector) {
    out += ' ';
    out += shortest(value);
  }
}

void append_comment(std::string& out, const MoleculeFrame& frame) {
  if (frame.lattice) {
    std::string numbers;
    for (const auto& row : *frame.lattice) append_vector(numbers, row);
    out += "Lattice=\"" + numbers.substr(1) + "\" ";
  }
  out += "Properties=species:S:1:pos:R:3";
  if (!frame.forces.empty()) out += ":forces:R:3";
  if (frame.energy) out += " energy=" + shortest(*frame.energy);
  for (const auto& [key, value] : frame.info) {
    out += ' ';
    out += comment_pair(key, value);
  }
  out += '\n';
}

}  // namespace

std::vector<MoleculeFrame> parse_extxyz(const std::string& text, const std::string& name) {
  return FrameParser(text, name).frames();
}

std::vector<MoleculeFrame> read_extxyz(const std::filesystem::path& path) {
  const auto bytes = gunzip_if_needed(read_file(path, text_limit), path.string(), text_limit);
  return parse_extxyz(std::string(bytes.begin(), bytes.end()), path.string());
}

std::string to_extxyz(const std::vector<MoleculeFrame>& frames) {
  std::string out;
  for (const MoleculeFrame& frame : frames) {
    const std::size_t count = frame.symbols.size();
    if (count == 0 || frame.positions.size() != count ||
        (!frame.forces.empty() && frame.forces.size() != count))
      throw Error(ErrorKind::bad_input,
                  fmt::format("a frame of {} atoms has {} positions and {} forces", count,
                              frame.positions.size(), frame.forces.size()));
    out += std::to_string(count) + "\n";
    append_comment(out, frame);
    for (std::size_t i = 0; i < count; ++i) {
      out += frame.symbols[i];
      append_vector(out, frame.positions[i]);
      if (!frame.forces.empty()) append_vector(out, frame.forces[i]);
      out += '\n';
    }
  }
  return out;
}

void write_extxyz(const std::filesystem::path& path, const std::vector<MoleculeFrame>& frames) {
  const std::string text = to_extxyz(frames);
  if (path.extension() == ".gz")
    write_atomically(path, gzip({text.begin(), text.end()}));
  else
    write_atomically(path, std::string_view(text));
}

}  // namespace assay
