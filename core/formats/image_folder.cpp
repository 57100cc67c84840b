// Folders of images, one subfolder a class.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/formats/image_resize.h"
#include "core/formats/image_sets.h"

namespace assay {
namespace {

constexpr std::uint64_t set_limit = std::uint64_t{8} << 30;

bool is_hidden(const std::filesystem::path& path) {
  return path.filename().string().starts_with('.');
}

bool is_image_name(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension == ".png" || extension == ".jpg" || extension == ".jpeg";
}

// Entries of a folder in alphabetical (byte) order, so that the order of a data set never depends
// on the file system.
template <typename Wanted>
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder,
                                                  Wanted wanted) {
  std::vector<std::filesystem::path> entries;
  std::error_code fault;
  std::filesystem::directory_iterator it(folder, fault), end;
  for (; !fault && it != end; it.increment(fault))
    if (!is_hidden(it->path()) && wanted(*it)) entries.push_back(it->path());
  if (fault)
    throw Error(ErrorKind::storage, fmt::format("{}: {}", folder.string(), fault.message()));
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.native() < b.native(); });
  return entries;
}

std::vector<std::filesystem::path> images_in(const std::filesystem::path& folder) {
  return sorted_entries(folder, [](const std::filesystem::directory_entry& entry) {
    std::error_code ignored;
    return entry.is_regular_file(ignored) && is_image_name(entry.path());
  });
}

std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder) {
  return sorted_entries(folder, [](const std::filesystem::directory_entry& entry) {
    std::error_code ignored;
    return entry.is_directory(ignored);
  });
}

void append_planar(const Image& image, std::vector<std::uint8_t>& pixels) {
  const auto channels = static_cast<std::size_t>(image.channels);
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t i = c; i < image.pixels.size(); i += channels)
      pixels.push_back(image.pixels[i]);
}

}  // namespace

bool is_image_folder(const std::filesystem::path& folder) {
  const auto classes = folders_in(folder);
  return std::any_of(classes.begin(), classes.end(),
                     [](const auto& sub) { return !images_in(sub).empty(); });
}

ImageSet read_image_folder(const std::filesystem::path& folder, int side, int channels) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored))
    throw Error(ErrorKind::not_found, folder.string() + ": no such folder");
  if (!std::filesystem::is_directory(folder, ignored))
    throw Error(ErrorKind::bad_input, folder.string() + ": not a folder");
  if (side < 1 || side > 4096)
    throw Error(ErrorKind::bad_input, fmt::format("a side of {} pixels; 1 to 4096", side));
  if (channels != 1 && channels != 3)
    throw Error(ErrorKind::bad_input, fmt::format("{} channels; 1 or 3", channels));
  const auto classes = folders_in(folder);
  if (classes.empty())
    throw Error(ErrorKind::bad_input,
                folder.string() + ": no class folders; expected <class>/<image>.png or .jpg");

  ImageSet set;
  set.channels = channels;
  set.height = set.width = side;
  std::vector<std::filesystem::path> files;
  for (const auto& sub : classes) {
    const auto images = images_in(sub);
    if (images.empty())
      throw Error(ErrorKind::bad_input, sub.string() + ": no .png or .jpg image in this class");
    files.insert(files.end(), images.begin(), images.end());
    set.labels.insert(set.labels.end(), images.size(),
                      static_cast<std::int64_t>(set.classes.size()));
    set.classes.push_back(sub.filename().string());
  }
  set.count = static_cast<std::int64_t>(files.size());
  const std::uint64_t bytes = static_cast<std::uint64_t>(files.size()) *
                              static_cast<std::uint64_t>(channels) *
                              static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side);
  if (bytes > set_limit)
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: {} images of side {} need {} GiB of memory; at most 8 are taken",
                            folder.string(), files.size(), side, bytes >> 30));
  set.pixels.reserve(bytes);
  for (const auto& file : files)
    append_planar(resize_and_crop(with_channels(read_image(file), channels), side), set.pixels);
  return set;
}

}  // namespace assay
