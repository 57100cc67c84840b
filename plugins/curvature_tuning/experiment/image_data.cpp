#include "plugins/curvature_tuning/experiment/image_data.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/formats/table.h"

namespace assay::curvature_tuning {
namespace {

namespace fs = std::filesystem;

constexpr const char* fashion_folder = "/usr/share/datasets/fashion-mnist";

class Reader {
 public:
  Reader(RunContext& context, const SetRequest& request) : context_(context), request_(request) {}

  RawSets read() {
    if (request_.set == "fashion_mnist") return read_fashion_mnist();
    if (request_.set == "digits") return {read_digits(), std::nullopt};
    if (request_.path.empty()) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("{0}_path: is empty; {0} = own needs the path of images",
                              request_.parameter));
    }
    RawSets sets = read_path(request_.path);
    if (!request_.test_path.empty()) sets.test = read_path(request_.test_path).train;
    if (sets.test) check_alike(sets);
    return sets;
  }

 private:
  void note(const fs::path& file, const std::string& licence = {}) {
    context_.data_used(request_.parameter, file.string(), licence);
  }

  RawSets read_fashion_mnist() {
    const fs::path folder = fashion_folder;
    const auto part = [&](const std::string& name) {
      const fs::path images = folder / (name + "-images-idx3-ubyte.gz");
      const fs::path labels = folder / (name + "-labels-idx1-ubyte.gz");
      if (!fs::exists(images)) {
        throw Error(ErrorKind::not_found,
                    fmt::format("{}: Fashion-MNIST is not installed; install Debian's package "
                                "dataset-fashion-mnist, or choose {} = own",
                                images.string(), request_.parameter));
      }
      note(images, "MIT");
      note(labels, "MIT");
      return read_idx(images, labels);
    };
    RawSets sets = {part("train"), part("t10k")};
    const std::vector<std::string> names = {"T-shirt", "trouser", "pullover", "dress", "coat",
                                            "sandal",  "shirt",   "sneaker",  "bag",   "boot"};
    sets.train.classes = names;
    sets.test->classes = names;
    return sets;
  }

  ImageSet read_digits() {
    const fs::path file = plugin_folder() / "data" / "digits.csv.gz";
    note(file, "BSD-3-Clause");
    return read_pixel_csv(file, 8, 8, 16.0);
  }

  RawSets read_path(const fs::path& path) {
    if (!fs::exists(path)) {
      throw Error(ErrorKind::not_found, path.string() + ": there is no such file or folder");
    }
    if (fs::is_directory(path)) return read_folder(path);
    return {read_file_of_kind(path, request_.labels), std::nullopt};
  }

  ImageSet read_file_of_kind(const fs::path& path, const fs::path& labels) {
    const std::string kind = image_set_kind(path);
    note(path);
    if (kind == "cifar") return read_cifar_of_either_kind({path});
    if (kind == "csv") return read_square_csv(path);
    // What begins like nothing known may still be a damaged IDX file: its reader says what is
    // wrong.
    const bool named_idx = path.filename().string().find("idx") != std::string::npos;
    if (kind == "idx" || named_idx) {
      const fs::path beside = labels.empty() ? labels_beside(path) : labels;
      note(beside);
      return read_idx(path, beside);
    }
    throw Error(ErrorKind::unreadable,
                fmt::format("{}: no images that can be read here; allowed: IDX, CIFAR binaries, a "
                            "CSV of pixels with the label last, or a folder of class folders",
                            path.string()));
  }

  fs::path labels_beside(const fs::path& images) const {
    std::string name = images.filename().string();
    for (const auto& [from, to] : {std::pair{"images", "labels"}, {"idx3", "idx1"}}) {
      const auto at = name.find(from);
      if (at != std::string::npos) name.replace(at, std::string(from).size(), to);
    }
    const fs::path labels = images.parent_path() / name;
    if (labels != images && fs::exists(labels)) return labels;
    throw Error(ErrorKind::bad_input,
                fmt::format("{}_labels: is empty and there is no {} beside the images; name the "
                            "file of labels",
                            request_.parameter, labels.string()));
  }

  // CIFAR-10 has one label byte a record, CIFAR-100 two.
  static ImageSet read_cifar_of_either_kind(const std::vector<fs::path>& files) {
    try {
      return read_cifar(files);
    } catch (const Error&) {
      try {
        return read_cifar(files, true);
      } catch (const Error&) {
      }
      throw;  // as CIFAR-10, which is more usual
    }
  }

  static ImageSet read_square_csv(const fs::path& path) {
    const Table table = read_csv(path, false);
    const auto pixels = static_cast<double>(table.columns.size()) - 1.0;
    const int side = static_cast<int>(std::lround(std::sqrt(pixels)));
    if (side < 1 || side * side != static_cast<int>(pixels)) {
      throw Error(ErrorKind::unreadable,
                  fmt::format("{}: {} columns of pixels make no square", path.string(), pixels));
    }
    double largest = 0.0;
    for (const auto& row : table.rows) {
      for (std::size_t i = 0; i + 1 < row.size(); ++i) {
        largest = std::max(largest, std::strtod(row[i].c_str(), nullptr));
      }
    }
    return read_pixel_csv(path, side, side, largest > 16.0 ? 255.0 : 16.0);
  }

  // Class folders, a train and a test folder of them, or IDX or CIFAR files.
  RawSets read_folder(const fs::path& folder) {
    const auto images = [&](const fs::path& part) {
      note(part);
      return read_image_folder(part, request_.side, 3);
    };
    if (fs::is_directory(folder / "train") && fs::is_directory(folder / "test")) {
      return {images(folder / "train"), images(folder / "test")};
    }
    std::vector<fs::path> train, test;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string kind = image_set_kind(entry.path());
      const std::string name = entry.path().filename().string();
      const bool labels = name.find("label") != std::string::npos;
      if ((kind != "idx" && kind != "cifar") || labels) continue;
      const bool for_test =
          name.find("test") != std::string::npos || name.find("t10k") != std::string::npos;
      (for_test ? test : train).push_back(entry.path());
    }
    if (train.empty()) return {images(folder), std::nullopt};
    std::sort(train.begin(), train.end());
    std::sort(test.begin(), test.end());
    RawSets sets = {read_files(train), std::nullopt};
    if (!test.empty()) sets.test = read_files(test);
    return sets;
  }

  ImageSet read_files(const std::vector<fs::path>& files) {
    if (image_set_kind(files.front()) == "idx") return read_file_of_kind(files.front(), {});
    for (const fs::path& file : files) note(file);
    return read_cifar_of_either_kind(files);
  }

  // A class that one part lacks keeps its number: the longer list of names holds for both.
  void check_alike(RawSets& sets) const {
    if (sets.test->classes.size() > sets.train.classes.size()) {
      sets.train.classes = sets.test->classes;
    } else {
      sets.test->classes = sets.train.classes;
    }
  }

  RunContext& context_;
  const SetRequest& request_;
};

}  // namespace

RawSets read_sets(RunContext& context, const SetRequest& request) {
  return Reader(context, request).read();
}

fs::path plugin_folder() {
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(&plugin_folder), &info) != 0;
  if (!found || info.dli_fname == nullptr) {
    throw Error(ErrorKind::failed, "the plugin's own folder can't be found");
  }
  return fs::absolute(info.dli_fname).parent_path();
}

}  // namespace assay::curvature_tuning
