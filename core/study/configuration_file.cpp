// FILE.toml to a configuration; every complaint with its line.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/study/nearest.h"
#include "core/study/parameters.h"

// After the standard headers; the library is one large header and is read here only.
#include <toml++/toml.h>

namespace assay {
namespace {

constexpr std::uint64_t largest_configuration = 1U << 20;
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {}

  Configuration read(const toml::table& table) {
    refuse_unknown(table);
    configuration_.experiment = text(table, "experiment");
    if (configuration_.experiment.empty() && problems_.empty()) {
      problems_.push_back(
          fmt::format("{}: experiment: is missing; allowed: the address of one, "
                      "\"plugin.experiment\"",
                      file_.string()));
    }
    configuration_.preset = text(table, "preset");
    if (const auto seed = integer(table, "seed", 0)) {
      configuration_.seed = static_cast<std::uint64_t>(*seed);
    }
    if (const auto version = integer(table, "version", 1)) {
      configuration_.version =
          static_cast<int>(std::min<std::int64_t>(*version, std::numeric_limits<int>::max()));
    }
    read_parameters(table);
    read_sweep(table);
    if (!problems_.empty()) {
      throw Error(ErrorKind::bad_input, fmt::format("{}", fmt::join(problems_, "\n")));
    }
    return std::move(configuration_);
  }

 private:
  void complain(const toml::node& node, const std::string& key, const std::string& what) {
    problems_.push_back(
        fmt::format("{}:{}: {}: {}", file_.string(), node.source().begin.line, key, what));
  }

  void refuse_unknown(const toml::table& table) {
    const std::vector<std::string> allowed = {"experiment", "preset",     "seed",
                                              "version",    "parameters", "sweep"};
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
      complain(node, name,
               fmt::format("unknown key{}; allowed: {} (a parameter belongs below "
                           "[parameters])",
                           did_you_mean(name, allowed), fmt::join(allowed, ", ")));
    }
  }

  std::string text(const toml::table& table, const char* key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (const auto* string = node->as_string()) return string->get();
    complain(*node, key, "must be a text in quotes, not " + shown(*node));
    return {};
  }

  std::optional<std::int64_t> integer(const toml::table& table, const char* key,
                                      std::int64_t minimum) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const auto* number = node->as_integer();
    if (number != nullptr && number->get() >= minimum) return number->get();
    complain(*node, key,
             fmt::format("must be a whole number, at least {}, not {}", minimum, shown(*node)));
    return std::nullopt;
  }

  void read_parameters(const toml::table& table) {
    const toml::table* parameters = subtable(table, "parameters");
    if (parameters == nullptr) return;
    for (const auto& [key, node] : *parameters) {
      const std::string name(key.str());
      if (auto value = value_of(node)) {
        configuration_.file_values[name] = std::move(*value);
      } else {
        complain(node, name,
                 "must be a number, text, true, false or a list of numbers or of "
                 "texts, not " +
                     shown(node));
      }
    }
  }

  void read_sweep(const toml::table& table) {
    const toml::table* sweep = subtable(table, "sweep");
    if (sweep == nullptr) return;
    for (const auto& [key, node] : *sweep) {
      const std::string name = "sweep." + std::string(key.str());
      const toml::array* array = node.as_array();
      if (array == nullptr || array->empty()) {
        complain(node, name, "must be a list of values that is not empty, not " + shown(node));
        continue;
      }
      std::vector<Value>& values = configuration_.sweep[std::string(key.str())];
      for (const toml::node& element : *array) {
        if (auto value = value_of(element)) {
          values.push_back(std::move(*value));
        } else {
          complain(element, name, "can't hold " + shown(element));
        }
      }
    }
  }

  const toml::table* subtable(const toml::table& table, const char* key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) complain(*node, key, "must be a table, not " + shown(*node));
    return node->as_table();
  }

  static std::optional<Value> value_of(const toml::node& node) {
    if (const auto* boolean = node.as_boolean()) return boolean->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* string = node.as_string()) return string->get();
    if (const auto* array = node.as_array()) return list_of(*array);
    return std::nullopt;
  }

  static std::optional<Value> list_of(const toml::array& array) {
    std::vector<double> reals;
    std::vector<std::string> texts;
    for (const toml::node& node : array) {
      if (const auto* whole = node.as_integer()) {
        // Lists hold doubles; a number that would change on the way is none of ours.
        if (whole->get() > largest_exact || whole->get() < -largest_exact) return std::nullopt;
        reals.push_back(static_cast<double>(whole->get()));
      } else if (const auto* real = node.as_floating_point()) {
        reals.push_back(real->get());
      } else if (const auto* string = node.as_string()) {
        texts.push_back(string->get());
      } else {
        return std::nullopt;
      }
    }
    if (!reals.empty() && !texts.empty()) return std::nullopt;
    if (!texts.empty()) return texts;
    return reals;
  }

  static std::string shown(const toml::node& node) {
    if (const auto value = value_of(node)) {
      if (!node.is_array())
        return to_json(*value).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    switch (node.type()) {
      case toml::node_type::table:
        return "a table";
      case toml::node_type::array:
        return "this list";
      default:
        return "a date or time";
    }
  }

  std::filesystem::path file_;
  Configuration configuration_;
  std::vector<std::string> problems_;
};

}  // namespace

Configuration read_configuration(const std::filesystem::path& file) {
  const std::string content = read_text(file, largest_configuration);
  toml::table table;
  try {
    table = toml::parse(content, file.string());
  } catch (const toml::parse_error& fault) {
    const std::string what(fault.description());
    throw Error(ErrorKind::bad_input,
                fmt::format("{}:{}: {}", file.string(), fault.source().begin.line, what));
  }
  return Reader(file).read(table);
}

}  // namespace assay
