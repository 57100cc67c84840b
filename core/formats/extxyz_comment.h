// The comment line of an extended XYZ frame: key=value pairs with quotes. Private to core/formats.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// key=value, key="several words", key={...} or [...], a bare key counts as "T" (true). The first of
// two equal keys stands. A line without "=", or that does not keep to the form, gives no pairs:
// it is plain XYZ.
std::map<std::string, std::string> parse_comment(std::string_view line);
// The inverse: quotes what needs it.
std::string comment_pair(const std::string& key, const std::string& value);

// One entry of Properties=species:S:1:pos:R:3.
struct AtomProperty {
  std::string name;
  char type = 'S';  // S text, R real, I integer, L logical
  int columns = 1;
};
// Empty when the text has another form.
std::vector<AtomProperty> parse_properties(std::string_view text);

}  // namespace assay
