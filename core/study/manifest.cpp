// plugin.json as a whole: reading, top level, paper.
#include "core/study/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/study/manifest_parts.h"

namespace assay {
namespace {

constexpr std::uint64_t largest_manifest = 8U << 20;

Paper parse_paper(const Json& json, const std::filesystem::path& file) {
  ObjectReader reader(json, "paper", file);
  Paper paper;
  paper.title = reader.text("title");
  paper.authors = reader.texts("authors");
  if (paper.authors.empty()) reader.fail("authors", "must name at least one author");
  paper.venue = reader.text("venue");
  paper.year = static_cast<int>(reader.integer("year", 1900, 2200));
  paper.abstract = reader.text("abstract");
  paper.bibtex_key = reader.text_or("bibtex_key", "");
  paper.bibtex = reader.text_or("bibtex", "");
  paper.url = reader.text_or("url", "");
  const bool web = paper.url.starts_with("https://") || paper.url.starts_with("http://");
  if (!paper.url.empty() && !web) reader.fail("url", "must begin with https:// or http://");
  reader.refuse_unknown();
  return paper;
}

ExplorableSpec parse_explorable(const Json& json, const std::string& place,
                                const std::filesystem::path& file) {
  ObjectReader reader(json, place, file);
  ExplorableSpec explorable;
  explorable.id = reader.identifier("id");
  explorable.title = reader.text("title");
  explorable.summary = reader.text("summary");
  explorable.parameters = parse_parameters(reader);
  reader.refuse_unknown();
  return explorable;
}

void parse_experiments(ObjectReader& reader, Manifest& manifest) {
  reader.require("experiments");
  reader.each("experiments", [&](const Json& json, const std::string& place) {
    manifest.experiments.push_back(parse_experiment(json, place, reader.file()));
    refuse_duplicate(manifest.experiments, &ExperimentSpec::id, reader, "experiments");
  });
  if (manifest.experiments.empty()) {
    reader.fail("experiments", "must hold at least one experiment");
  }
  std::vector<std::string> names;
  for (const ExperimentSpec& experiment : manifest.experiments) names.push_back(experiment.id);
  manifest.try_it = names[reader.one_of("try_it", names, 0)];
}

void parse_explorables_and_claims(ObjectReader& reader, Manifest& manifest) {
  reader.each("explorables", [&](const Json& json, const std::string& place) {
    manifest.explorables.push_back(parse_explorable(json, place, reader.file()));
    refuse_duplicate(manifest.explorables, &ExplorableSpec::id, reader, "explorables");
  });
  reader.each("claims", [&](const Json& json, const std::string& place) {
    manifest.claims.push_back(parse_claim(json, place, reader.file(), manifest.experiments));
    refuse_duplicate(manifest.claims, &ClaimSpec::id, reader, "claims");
  });
}

DataSpec parse_data(const Json& json, const std::string& place, const std::filesystem::path& file) {
  ObjectReader reader(json, place, file);
  DataSpec data;
  data.id = reader.identifier("id");
  data.title = reader.text("title");
  data.path = reader.text_or("path", "");
  data.kind = reader.text_or("kind", "");
  data.licence = reader.text_or("licence", "");
  data.help = reader.text_or("help", "");
  data.how_to_get = reader.text_or("how_to_get", "");
  reader.refuse_unknown();
  return data;
}

// nlohmann's messages begin with "[json.exception.parse_error.101] parse error".
std::string without_prefix(const std::string& message) {
  const std::size_t end = message.find("] ");
  return end == std::string::npos ? message : message.substr(end + 2);
}

// nlohmann keeps one of two equal keys in silence; a manifest with both is a mistake.
class DuplicateKeys {
 public:
  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!open_.back().insert(key).second && duplicate.empty()) duplicate = key;
    }
    return true;
  }
  std::string duplicate;

 private:
  std::vector<std::set<std::string>> open_;
};

Json parse_json(const std::string& text, const std::filesystem::path& file) {
  DuplicateKeys duplicates;
  Json json;
  try {
    json = Json::parse(text, std::ref(duplicates));
  } catch (const Json::exception& fault) {
    throw Error(ErrorKind::bad_input, file.string() + ": " + without_prefix(fault.what()));
  }
  if (!duplicates.duplicate.empty()) {
    throw Error(ErrorKind::bad_input,
                file.string() + ": the key \"" + duplicates.duplicate + "\" is there twice");
  }
  return json;
}

}  // namespace

Manifest parse_manifest(const Json& json, const std::filesystem::path& file) {
  ObjectReader reader(json, "", file);
  Manifest manifest;
  manifest.folder = file.parent_path();
  reader.find("$schema");  // for editors
  manifest.id = reader.identifier("id");
  manifest.title = reader.text("title");
  manifest.abi = static_cast<int>(reader.integer("abi", 1, 1'000'000));
  if (manifest.abi != plugin_abi) {
    // Another ABI may have another layout: nothing more can be read safely.
    manifest.fault = fmt::format(
        "made for plugin interface {}, this Assay has {}: get the plugin's version for it",
        manifest.abi, plugin_abi);
    return manifest;
  }
  manifest.idea = reader.text("idea");
  manifest.version = reader.text("version");
  manifest.paper = parse_paper(reader.require("paper"), file);
  manifest.explanation = reader.texts("explanation");
  parse_experiments(reader, manifest);
  parse_explorables_and_claims(reader, manifest);
  reader.each("data", [&](const Json& each, const std::string& place) {
    manifest.data.push_back(parse_data(each, place, file));
    refuse_duplicate(manifest.data, &DataSpec::id, reader, "data");
  });
  reader.refuse_unknown();
  return manifest;
}

Manifest read_manifest(const std::filesystem::path& file) {
  Manifest manifest = parse_manifest(parse_json(read_text(file, largest_manifest), file), file);
  const std::string folder = std::filesystem::absolute(file).parent_path().filename().string();
  if (manifest.id != folder) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: id: must be the folder's name '{}', not '{}'", file.string(),
                            folder, manifest.id));
  }
  return manifest;
}

}  // namespace assay
