// The documented example of a manifest, as the tests of core/study use it.
#include "study/sample.h"

#include <stdexcept>

#include "core/base/files.h"

namespace assay::sample {

std::string json_text() {
  const std::string text = read_text(std::string(ASSAY_TEST_PROJECT_DIR) + "/resources/README.md");
  const std::string open = "```json\n";
  const std::size_t begin = text.find(open);
  const std::size_t end = text.find("```", begin + open.size());
  if (begin == std::string::npos || end == std::string::npos) {
    throw std::runtime_error("resources/README.md holds no example");
  }
  return text.substr(begin + open.size(), end - begin - open.size());
}

Json json() {
  return Json::parse(json_text());
}

Manifest manifest() {
  return parse_manifest(json(), "sample/plugin.json");
}

Json changed(const std::string& pointer, const Json& value) {
  Json copy = json();
  const Json::json_pointer place(pointer);
  if (value.is_discarded()) {
    copy.at(place.parent_pointer()).erase(place.back());
  } else {
    copy[place] = value;
  }
  return copy;
}

}  // namespace assay::sample
