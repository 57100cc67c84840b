// The header has one fixed form: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0,
// 24]},
// "__metadata__": {"key": "text"}}. A handler of the parser's events accepts that form alone, keeps
// no tree (so depth and number of keys cost nothing) and sees a key given twice.
#include "core/formats/safetensors_header.h"

#include <fmt/format.h>

#include <set>

#include "core/base/error.h"
#include "core/formats/tensor_checks.h"

namespace assay {
namespace {

constexpr std::size_t most_dimensions = 64;

class HeaderHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderHandler(const std::string& file) : file_(file) {}
  SafetensorsHeader take() { return std::move(header_); }

  bool null() override { unexpected("null"); }
  bool boolean(bool) override { unexpected("a truth value"); }
  bool number_float(number_float_t, const string_t&) override { unexpected("a real number"); }
  bool number_integer(number_integer_t) override { unexpected("a negative number"); }
  bool binary(binary_t&) override { unexpected("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ == Place::shape) {
      if (value > static_cast<std::uint64_t>(INT64_MAX)) refuse("an extent is out of range");
      if (entry_.shape.size() == most_dimensions) refuse("more than 64 dimensions");
      entry_.shape.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (place_ != Place::offsets) unexpected("a number");
    if (offsets_ == 2) refuse("\"data_offsets\" holds more than two numbers");
    (offsets_ == 0 ? entry_.begin : entry_.end) = value;
    ++offsets_;
    return true;
  }

  bool string(string_t& text) override {
    if (place_ == Place::metadata) {
      if (!header_.metadata.emplace(key_, text).second) refuse("metadata \"" + key_ + "\" twice");
      return true;
    }
    if (place_ != Place::entry || key_ != "dtype") unexpected("a text");
    const auto dtype = dtype_named(text);
    if (!dtype) refuse(fmt::format("element type \"{}\" is not supported", text));
    entry_.dtype = *dtype;
    return true;
  }

  bool start_object(std::size_t) override {
    switch (place_) {
      case Place::start:
        place_ = Place::top;
        return true;
      case Place::top:
        if (key_ == "__metadata__") {
          place_ = Place::metadata;
          return true;
        }
        entry_ = SafetensorsEntry{};
        entry_.name = key_;
        fields_.clear();
        offsets_ = 0;
        place_ = Place::entry;
        return true;
      default:
        unexpected("an object");
    }
  }

  bool end_object() override {
    if (place_ == Place::entry) {
      for (const char* field : {"dtype", "shape", "data_offsets"})
        if (!fields_.contains(field)) refuse(fmt::format("\"{}\" is missing", field));
      header_.entries.push_back(std::move(entry_));
      entry_ = {};
    }
    place_ = place_ == Place::top ? Place::end : Place::top;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::entry && key_ == "shape")
      place_ = Place::shape;
    else if (place_ == Place::entry && key_ == "data_offsets")
      place_ = Place::offsets;
    else
      unexpected("a list");
    return true;
  }

  bool end_array() override {
    if (place_ == Place::offsets && offsets_ != 2)
      refuse("\"data_offsets\" does not hold two numbers");
    place_ = Place::entry;
    return true;
  }

  bool key(string_t& name) override {
    if (place_ == Place::top && !names_.insert(name).second)
      refuse(fmt::format("\"{}\" stands in the header twice", name));
    if (place_ == Place::entry) {
      if (name != "dtype" && name != "shape" && name != "data_offsets")
        refuse(fmt::format("unknown field \"{}\"", name));
      if (!fields_.insert(name).second) refuse(fmt::format("\"{}\" twice", name));
    }
    key_ = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    refuse(fmt::format("the header is no valid JSON at byte {}", 8 + position));
  }

 private:
  enum class Place { start, top, entry, shape, offsets, metadata, end };

  [[noreturn]] void unexpected(const std::string& what) const {
    refuse(fmt::format("{} where the header has no place for it (key \"{}\")", what, key_));
  }
  [[noreturn]] void refuse(const std::string& message) const {
    const std::string where =
        entry_.name.empty() ? std::string() : fmt::format("tensor \"{}\": ", entry_.name);
    throw Error(ErrorKind::unreadable, file_ + ": " + where + message);
  }

  const std::string& file_;
  SafetensorsHeader header_;
  SafetensorsEntry entry_;
  std::string key_;
  std::set<std::string> names_, fields_;
  int offsets_ = 0;
  Place place_ = Place::start;
};

}  // namespace

SafetensorsHeader parse_safetensors_header(std::span<const std::uint8_t> json,
                                           const std::string& file) {
  HeaderHandler handler(file);
  nlohmann::json::sax_parse(json.begin(), json.end(), &handler);
  return handler.take();
}

}  // namespace assay
