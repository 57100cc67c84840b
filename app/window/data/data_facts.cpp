// A look at a data set or weight file: what it is, how much, and a preview.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/window/data/data_entry.h"
#include "app/window/widgets/looks.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/formats/image.h"
#include "core/formats/image_sets.h"
#include "core/formats/table.h"
#include "core/formats/tensors.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int previewImages = 60;
constexpr int previewColumns = 12;
constexpr int folderSide = 64;
constexpr std::size_t namesShown = 40;

std::vector<fs::path> filesBelow(const fs::path& path) {
  std::vector<fs::path> files;
  std::error_code fault;
  if (fs::is_regular_file(path, fault)) return {path};
  for (fs::recursive_directory_iterator entry(path, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The pairs of the MNIST family: NAME-images-idx3-ubyte beside NAME-labels-idx1-ubyte.
std::vector<std::pair<fs::path, fs::path>> idxPairs(const std::vector<fs::path>& files) {
  std::vector<std::pair<fs::path, fs::path>> pairs;
  for (const fs::path& images : files) {
    std::string name = images.filename().string();
    const auto at = name.find("images-idx3");
    if (at == std::string::npos) continue;
    name.replace(at, 11, "labels-idx1");
    const fs::path labels = images.parent_path() / name;
    if (std::find(files.begin(), files.end(), labels) != files.end())
      pairs.emplace_back(images, labels);
  }
  return pairs;
}

QImage toImage(const Image& image) {
  const auto format = image.channels == 1   ? QImage::Format_Grayscale8
                      : image.channels == 3 ? QImage::Format_RGB888
                                            : QImage::Format_RGBA8888;
  return QImage(image.pixels.data(), image.width, image.height, image.width * image.channels,
                format)
      .copy();
}

Image imageOf(const ImageSet& set, std::int64_t index) {
  Image image{set.width, set.height, set.channels, {}};
  const auto plane = static_cast<std::size_t>(set.width) * static_cast<std::size_t>(set.height);
  const auto channels = static_cast<std::size_t>(set.channels);
  const auto first = static_cast<std::size_t>(index) * plane * channels;
  image.pixels.resize(plane * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t p = 0; p < plane; ++p) {
      image.pixels[p * channels + c] = set.pixels[first + c * plane + p];
    }
  }
  return image;
}

// Spread over the whole set, so that more than the first class is seen.
QImage sheetOf(const ImageSet& set) {
  const std::int64_t shown = std::min<std::int64_t>(previewImages, set.count);
  std::vector<Image> images;
  for (std::int64_t i = 0; i < shown; ++i) images.push_back(imageOf(set, i * set.count / shown));
  return images.empty() ? QImage() : toImage(contact_sheet(images, previewColumns, 2));
}

QString countOf(const ImageSet& set, std::int64_t count) {
  return QString("%1 images of %2 × %3%4, %5")
      .arg(countText(count))
      .arg(set.width)
      .arg(set.height)
      .arg(set.channels == 3 ? ", colour" : "",
           plural(static_cast<std::int64_t>(set.classes.size()), "class", "classes"));
}

void lookAtIdx(const std::vector<std::pair<fs::path, fs::path>>& pairs, DataFacts& facts) {
  facts.kind = "images (IDX)";
  std::int64_t count = 0;
  for (const auto& [images, labels] : pairs) {
    const ImageSet set = read_idx(images, labels);
    count += set.count;
    if (facts.preview.isNull()) facts.preview = sheetOf(set);
    facts.count = countOf(set, count);
  }
}

bool lookAtImages(const fs::path& path, const std::vector<fs::path>& files, DataFacts& facts) {
  if (const auto pairs = idxPairs(files); !pairs.empty()) {
    lookAtIdx(pairs, facts);
    return true;
  }
  const std::string kind = image_set_kind(path);
  if (kind == "folder") {
    const ImageSet set = read_image_folder(path, folderSide, 3);
    facts.kind = "images (folder)";
    facts.count =
        QString("%1 images, %2")
            .arg(countText(set.count),
                 plural(static_cast<std::int64_t>(set.classes.size()), "class", "classes"));
    facts.preview = sheetOf(set);
    return true;
  }
  if (kind == "cifar") {
    const ImageSet set = read_cifar({path});
    facts.kind = "images (CIFAR)";
    facts.count = countOf(set, set.count);
    facts.preview = sheetOf(set);
    return true;
  }
  return false;
}

bool lookAtWeights(const fs::path& path, DataFacts& facts) {
  const std::string ending = path.extension().string();
  if (ending != ".safetensors" && ending != ".pth" && ending != ".pt") return false;
  const TensorFile file = read_weights(path);
  facts.kind = "weights";
  std::int64_t elements = 0;
  QStringList lines;
  for (const auto& [name, tensor] : file.tensors) {
    elements += tensor.elements();
    if (static_cast<std::size_t>(lines.size()) >= namesShown) continue;
    QStringList shape;
    for (const std::int64_t size : tensor.shape) shape << QString::number(size);
    lines << QString::fromStdString(name) + "  " + shape.join(" × ");
  }
  if (file.tensors.size() > namesShown) {
    lines << QString("and %1 more").arg(file.tensors.size() - namesShown);
  }
  facts.count =
      QString("%1 in %2")
          .arg(plural(elements, "number", "numbers"),
               plural(static_cast<std::int64_t>(file.tensors.size()), "tensor", "tensors"));
  facts.details = lines.join('\n');
  return true;
}

bool lookAtTable(const fs::path& path, DataFacts& facts) {
  const std::string name = path.filename().string();
  if (name.find(".csv") == std::string::npos) return false;
  const Table table = read_csv(path);
  facts.kind = "table (CSV)";
  facts.count =
      QString("%1 of %2")
          .arg(plural(static_cast<std::int64_t>(table.rows.size()), "row", "rows"),
               plural(static_cast<std::int64_t>(table.columns.size()), "column", "columns"));
  return true;
}

bool lookAtPicture(const fs::path& path, DataFacts& facts) {
  const std::string ending = path.extension().string();
  if (ending != ".png" && ending != ".jpg" && ending != ".jpeg") return false;
  const Image image = read_image(path);
  facts.kind = "image";
  facts.count = QString("%1 × %2").arg(image.width).arg(image.height);
  facts.preview = toImage(image);
  return true;
}

}  // namespace

DataFacts lookAt(const QString& given) {
  DataFacts facts;
  const fs::path path(given.toStdString());
  std::error_code fault;
  facts.exists = !given.isEmpty() && fs::exists(path, fault);
  if (!facts.exists) return facts;
  try {
    const std::vector<fs::path> files = filesBelow(path);
    for (const fs::path& file : files) {
      std::error_code ignored;
      const auto size = fs::file_size(file, ignored);
      if (!ignored) facts.bytes += size;
    }
    if (lookAtWeights(path, facts) || lookAtImages(path, files, facts) ||
        lookAtPicture(path, facts) || lookAtTable(path, facts)) {
      return facts;
    }
    facts.kind = fs::is_directory(path, fault) ? "folder" : "file";
    facts.count = plural(static_cast<std::int64_t>(files.size()), "file", "files");
  } catch (const std::exception& error) {
    facts.problem = QString::fromUtf8(error.what());
  }
  return facts;
}

QString checksumOf(const QString& given) {
  const fs::path path(given.toStdString());
  try {
    std::error_code fault;
    if (fs::is_regular_file(path, fault)) return QString::fromStdString(sha256_of_file(path));
    Sha256 digest;
    for (const fs::path& file : filesBelow(path)) {
      digest.update(fs::relative(file, path).generic_string());
      digest.update(sha256_of_file(file));
    }
    return QString::fromStdString(digest.hex());
  } catch (const std::exception& error) {
    return "can't be computed: " + QString::fromUtf8(error.what());
  }
}

}  // namespace assay
