// Reading a JSON object key by key, with the exact place in every complaint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/study/value.h"

namespace assay {

// Every look marks its key as known; refuse_unknown() then refuses the rest. All faults are
// Error(bad_input): "file: place.key: what is expected".
class ObjectReader {
 public:
  // Throws when `json` is no object. `place` is empty at the top.
  // Holds a reference: `json` must live as long.
  ObjectReader(const Json& json, std::string place, std::filesystem::path file);
  ObjectReader(Json&& json, std::string place, std::filesystem::path file) = delete;

  // Required, and not empty.
  std::string text(const std::string& key);
  // snake_case, as identifiers are.
  std::string identifier(const std::string& key);
  std::string text_or(const std::string& key, const std::string& fallback);
  std::int64_t integer(const std::string& key, std::int64_t minimum, std::int64_t maximum);
  std::int64_t integer_or(const std::string& key, std::int64_t fallback, std::int64_t minimum,
                          std::int64_t maximum);
  std::optional<double> number(const std::string& key);
  bool boolean_or(const std::string& key, bool fallback);
  // The position in `names` of a text that must be one of them; no fallback: required.
  std::size_t one_of(const std::string& key, const std::vector<std::string>& names,
                     std::optional<std::size_t> fallback = std::nullopt);
  std::vector<std::string> texts(const std::string& key);  // empty when absent

  // nullptr when absent.
  const Json* find(const std::string& key);
  const Json& require(const std::string& key);
  // Each element of a list with its place ("experiments[0]"); nothing when absent.
  void each(const std::string& key,
            const std::function<void(const Json&, const std::string&)>& use);
  // Each member of an object with its place ("values.beta"); nothing when absent.
  void each_member(const std::string& key,
                   const std::function<void(const std::string& name, const Json&,
                                            const std::string& place)>& use);

  void refuse_unknown() const;
  std::string place_of(const std::string& key) const;
  [[noreturn]] void fail(const std::string& key, const std::string& what) const;
  [[noreturn]] void fail_at(const std::string& place, const std::string& what) const;
  const std::filesystem::path& file() const { return file_; }

 private:
  const Json& json_;
  std::string place_;
  std::filesystem::path file_;
  std::vector<std::string> known_;
};

// True for ^[a-z][a-z0-9_]*$.
bool is_identifier(const std::string& text);

// A JSON value as it stands in a complaint, shortened.
std::string excerpt(const Json& json);

}  // namespace assay
