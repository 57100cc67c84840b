// Reading a JSON object key by key, with the exact place in every complaint.
#include "core/study/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/study/nearest.h"

namespace assay {

bool is_identifier(const std::string& text) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.empty() || !lower(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return lower(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::string excerpt(const Json& json) {
  constexpr std::size_t longest = 60;
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list";
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

ObjectReader::ObjectReader(const Json& json, std::string place, std::filesystem::path file)
    : json_(json), place_(std::move(place)), file_(std::move(file)) {
  if (!json_.is_object()) {
    fail_at(place_.empty() ? "the top" : place_, "must be an object, not " + excerpt(json_));
  }
}

std::string ObjectReader::place_of(const std::string& key) const {
  return place_.empty() ? key : place_ + "." + key;
}

void ObjectReader::fail(const std::string& key, const std::string& what) const {
  fail_at(place_of(key), what);
}

void ObjectReader::fail_at(const std::string& place, const std::string& what) const {
  throw Error(ErrorKind::bad_input, fmt::format("{}: {}: {}", file_.string(), place, what));
}

const Json* ObjectReader::find(const std::string& key) {
  known_.push_back(key);
  const auto found = json_.find(key);
  return found == json_.end() ? nullptr : &*found;
}

const Json& ObjectReader::require(const std::string& key) {
  const Json* found = find(key);
  if (found == nullptr) fail(key, "is missing");
  return *found;
}

std::string ObjectReader::text(const std::string& key) {
  const Json& found = require(key);
  if (!found.is_string() || found.get_ref<const std::string&>().empty()) {
    fail(key, "must be a text that is not empty, not " + excerpt(found));
  }
  return found.get<std::string>();
}

std::string ObjectReader::identifier(const std::string& key) {
  const std::string name = text(key);
  if (!is_identifier(name)) {
    fail(key, fmt::format("must be lower-case letters, digits and underscores, not '{}'", name));
  }
  return name;
}

std::string ObjectReader::text_or(const std::string& key, const std::string& fallback) {
  const Json* found = find(key);
  if (found == nullptr) return fallback;
  if (!found->is_string()) fail(key, "must be a text, not " + excerpt(*found));
  return found->get<std::string>();
}

std::int64_t ObjectReader::integer(const std::string& key, std::int64_t minimum,
                                   std::int64_t maximum) {
  const Json& found = require(key);
  const auto wrong = [&] {
    fail(key, fmt::format("must be a whole number from {} to {}, not {}", minimum, maximum,
                          excerpt(found)));
  };
  if (!found.is_number_integer()) wrong();
  // A number beyond the signed range would wrap round on the way out.
  if (found.is_number_unsigned() &&
      found.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    wrong();
  }
  const auto value = found.get<std::int64_t>();
  if (value < minimum || value > maximum) wrong();
  return value;
}

std::int64_t ObjectReader::integer_or(const std::string& key, std::int64_t fallback,
                                      std::int64_t minimum, std::int64_t maximum) {
  if (!json_.contains(key)) {
    known_.push_back(key);
    return fallback;
  }
  return integer(key, minimum, maximum);
}

std::optional<double> ObjectReader::number(const std::string& key) {
  const Json* found = find(key);
  if (found == nullptr) return std::nullopt;
  if (!found->is_number()) fail(key, "must be a number, not " + excerpt(*found));
  return found->get<double>();
}

bool ObjectReader::boolean_or(const std::string& key, bool fallback) {
  const Json* found = find(key);
  if (found == nullptr) return fallback;
  if (!found->is_boolean()) fail(key, "must be true or false, not " + excerpt(*found));
  return found->get<bool>();
}

std::size_t ObjectReader::one_of(const std::string& key, const std::vector<std::string>& names,
                                 std::optional<std::size_t> fallback) {
  const Json* found = find(key);
  if (found == nullptr && fallback) return *fallback;
  if (found == nullptr) fail(key, "is missing");
  const auto name = found->is_string()
                        ? std::find(names.begin(), names.end(), found->get<std::string>())
                        : names.end();
  if (name == names.end()) {
    fail(key, fmt::format("must be one of: {}; not {}", fmt::join(names, ", "), excerpt(*found)));
  }
  return static_cast<std::size_t>(name - names.begin());
}

void ObjectReader::each(const std::string& key,
                        const std::function<void(const Json&, const std::string&)>& use) {
  const Json* found = find(key);
  if (found == nullptr) return;
  if (!found->is_array()) fail(key, "must be a list, not " + excerpt(*found));
  for (std::size_t i = 0; i < found->size(); ++i) {
    use((*found)[i], fmt::format("{}[{}]", place_of(key), i));
  }
}

void ObjectReader::each_member(
    const std::string& key,
    const std::function<void(const std::string&, const Json&, const std::string&)>& use) {
  const Json* found = find(key);
  if (found == nullptr) return;
  if (!found->is_object()) fail(key, "must be an object, not " + excerpt(*found));
  for (const auto& [name, value] : found->items()) use(name, value, place_of(key) + "." + name);
}

std::vector<std::string> ObjectReader::texts(const std::string& key) {
  std::vector<std::string> result;
  each(key, [&](const Json& element, const std::string& place) {
    if (!element.is_string()) fail_at(place, "must be a text, not " + excerpt(element));
    result.push_back(element.get<std::string>());
  });
  return result;
}

void ObjectReader::refuse_unknown() const {
  for (const auto& [key, value] : json_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    fail(key, fmt::format("unknown key{}; allowed: {}", did_you_mean(key, known_),
                          fmt::join(known_, ", ")));
  }
}

}  // namespace assay
