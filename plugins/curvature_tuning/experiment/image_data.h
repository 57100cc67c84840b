// Labelled images for the experiments: the sets that come with Debian or with this plugin, and
// whatever set a path leads to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/engine/experiment.h"
#include "core/formats/image_sets.h"

namespace assay::curvature_tuning {

struct SetRequest {
  std::string set;           // "fashion_mnist", "digits" or "own"
  std::string parameter;     // "source" or "target", for messages: "source_path: ..."
  std::string path, labels;  // of "own"
  std::string test_path;     // of "own"; may be empty
  int side = 28;             // image folders are read at this size
};

struct RawSets {
  ImageSet train;
  std::optional<ImageSet> test;  // none: to be split off
};

// Reads the set and records its files in the provenance. Throws bad_input, not_found or unreadable
// with the parameter or the file's name.
RawSets read_sets(RunContext& context, const SetRequest& request);

// The folder that holds this plugin's library (and plugin.json, data/, ...).
std::filesystem::path plugin_folder();

}  // namespace assay::curvature_tuning
