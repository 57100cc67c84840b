// The comment line of an extended XYZ frame.
#include "core/formats/extxyz_comment.h"

#include <charconv>

namespace assay {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

class CommentParser {
 public:
  explicit CommentParser(std::string_view line) : line_(line) {}

  std::map<std::string, std::string> pairs() {
    std::map<std::string, std::string> out;
    while (true) {
      while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
      if (at_ >= line_.size()) return out;
      std::string key = word();
      std::string value = "T";
      if (at_ < line_.size() && line_[at_] == '=') {
        ++at_;
        value = word();
      }
      if (broken_ || key.empty()) return {};
      out.emplace(std::move(key), std::move(value));
    }
  }

 private:
  std::string word() {
    if (at_ < line_.size()) {
      if (line_[at_] == '"' || line_[at_] == '\'') return quoted(line_[at_]);
      if (line_[at_] == '{') return quoted('}');
      if (line_[at_] == '[') return quoted(']');
    }
    const std::size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_]) && line_[at_] != '=') ++at_;
    return std::string(line_.substr(begin, at_ - begin));
  }

  std::string quoted(char closing) {
    std::string text;
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] == closing) {
        ++at_;
        return text;
      }
      if (line_[at_] == '\\' && at_ + 1 < line_.size()) {
        ++at_;
        text += line_[at_] == 'n' ? '\n' : line_[at_];
        continue;
      }
      text += line_[at_];
    }
    broken_ = true;
    return text;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  bool broken_ = false;
};

std::string quoted_if_needed(const std::string& text) {
  if (!text.empty() && text.find_first_of(" \t\r\n=\"'\\{}[],") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::map<std::string, std::string> parse_comment(std::string_view line) {
  if (line.find('=') == std::string_view::npos) return {};
  return CommentParser(line).pairs();
}

std::string comment_pair(const std::string& key, const std::string& value) {
  return quoted_if_needed(key) + "=" + quoted_if_needed(value);
}

std::vector<AtomProperty> parse_properties(std::string_view text) {
  std::vector<AtomProperty> properties;
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (parts.size() % 3 != 0) return {};
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    const std::string_view type = parts[i + 1], count = parts[i + 2];
    int columns = 0;
    const auto [end, fault] = std::from_chars(count.data(), count.data() + count.size(), columns);
    if (fault != std::errc() || end != count.data() + count.size() || columns < 1 ||
        columns > 1000 || type.size() != 1 ||
        std::string_view("SRIL").find(type[0]) == std::string_view::npos)
      return {};
    properties.push_back({std::string(parts[i]), type[0], columns});
  }
  return properties;
}

}  // namespace assay
