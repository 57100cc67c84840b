#include "core/engine/run_context.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/provenance/provenance.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string_view as_text(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A key becomes a folder name below the run's folder and must stay there.
void check_artifact_key(std::string_view key) {
  const bool plain = !key.empty() && key.front() != '/' &&
                     key.find("..") == std::string_view::npos &&
                     key.find('\0') == std::string_view::npos;
  if (!plain) throw std::logic_error(fmt::format("'{}' is no key for an artifact", key));
}

// Large folders are known by the names and sizes of their files: reading gigabytes of images at
// every start would cost more than the run.
Json folder_facts(const fs::path& folder) {
  std::vector<std::pair<std::string, std::uintmax_t>> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files.emplace_back(entry.path().lexically_relative(folder).string(), entry.file_size());
  }
  std::sort(files.begin(), files.end());
  Sha256 digest;
  std::uintmax_t bytes = 0;
  for (const auto& [name, size] : files) {
    digest.update(fmt::format("{}:{}{};", name.size(), name, size));
    bytes += size;
  }
  return Json{
      {"files", files.size()}, {"bytes", bytes}, {"sha256_of_names_and_sizes", digest.hex()}};
}

Json data_facts(const std::string& path) {
  try {
    if (fs::is_directory(path)) return folder_facts(path);
    return Json{{"bytes", fs::file_size(path)}, {"sha256", sha256_of_file(path)}};
  } catch (const fs::filesystem_error& fault) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: can't be read: {}", path, fault.code().message()));
  }
}

}  // namespace

EngineContext::EngineContext(const fs::path& log_directory, const Run& run, ParameterSet parameters,
                             int threads, const EngineOptions& options, RunWriter& writer)
    : log_directory_(log_directory),
      run_(run),
      parameters_(std::move(parameters)),
      threads_(threads),
      options_(options),
      writer_(writer) {}

std::uint64_t EngineContext::seed_for(std::string_view name) {
  const std::uint64_t derived = derive_seed(run_.seed, name);
  const std::string key(name);
  if (!seeds_.contains(key)) {
    seeds_[key] = derived;
    recorded_changed = true;
  }
  return derived;
}

bool EngineContext::stop_asked() const {
  if (writer_.stop_requested()) return true;
  return !writer_.pause_requested() && options_.stop_signalled && options_.stop_signalled();
}

bool EngineContext::interrupted() const {
  return stop_asked() || pause_asked();
}

void EngineContext::metric(std::string_view key, std::int64_t step, double value) {
  writer_.metric(key, step, value, clock.seconds());
}

void EngineContext::progress(std::int64_t done, std::int64_t total, std::string_view what) {
  if (const auto due = meter_.update(done, total, what, clock.seconds())) report(*due);
}

void EngineContext::flush_progress() {
  if (const auto latest = meter_.latest()) report(*latest);
}

void EngineContext::report(const ProgressReport& report) {
  writer_.progress(report.done, report.total, report.text, report.per_second, report.eta_seconds);
  writer_.work_seconds(clock.seconds());
  if (options_.progress) options_.progress(report);
}

void EngineContext::line(EventLevel level, std::string_view text) {
  writer_.event(level, text, ordinal++);
  if (options_.say)
    options_.say((level == EventLevel::warning ? "warning: " : "") + std::string(text));
}

void EngineContext::text(std::string_view text) {
  line(EventLevel::info, text);
}

void EngineContext::warning(std::string_view text) {
  line(EventLevel::warning, text);
}

void EngineContext::announce(EventLevel level, const std::string& text) {
  writer_.event(level, text, -1);
  if (options_.say) options_.say((level == EventLevel::warning ? "warning: " : "") + text);
}

void EngineContext::timing(std::string_view key, double seconds) {
  writer_.timing(key, seconds);
}

void EngineContext::image(std::string_view key, std::int64_t step, const Image& image,
                          const Json& meta) {
  store(key, "image", step, "png", as_text(encode_png(image)), meta);
}

void EngineContext::table(std::string_view key, std::int64_t step, const Table& table,
                          const Json& meta) {
  store(key, "table", step, "csv", to_csv(table), meta);
}

void EngineContext::tensors(std::string_view key, std::int64_t step, const NamedTensors& tensors,
                            const Json& meta) {
  store(key, "tensor", step, "safetensors", as_text(encode_safetensors(tensors)), meta);
}

void EngineContext::document(std::string_view key, std::int64_t step, std::string_view text,
                             const Json& meta) {
  store(key, "text", step, "txt", text, meta);
}

void EngineContext::store(std::string_view key, const char* kind, std::int64_t step,
                          const char* extension, std::string_view bytes, const Json& meta) {
  check_artifact_key(key);
  const fs::path relative = fs::path("runs") / run_.public_id / "artifacts" / fs::path(key) /
                            fmt::format("{}.{}", step, extension);
  const fs::path file = log_directory_ / relative;
  std::error_code fault;
  fs::create_directories(file.parent_path(), fault);
  if (fault) {
    throw Error(ErrorKind::storage, fmt::format("{}: can't be created: {}",
                                                file.parent_path().string(), fault.message()));
  }
  write_atomically(file, bytes);
  Artifact artifact;
  artifact.key = std::string(key);
  artifact.kind = kind;
  artifact.step = step;
  artifact.path = relative.generic_string();
  artifact.bytes = bytes.size();
  artifact.sha256 = sha256_of(bytes);
  artifact.meta = meta;
  writer_.artifact(artifact);
}

void EngineContext::data_used(std::string_view name, const std::string& path,
                              std::string_view licence) {
  Json entry{{"name", std::string(name)}, {"path", path}};
  entry.update(data_facts(path));
  if (!licence.empty()) entry["licence"] = std::string(licence);
  data_.push_back(std::move(entry));
  recorded_changed = true;
}

}  // namespace assay
