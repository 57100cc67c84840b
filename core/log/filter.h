// The filter line of the Runs page, as SQL. This grammar is the simple one:
//   words            every word must occur in name, plugin, experiment, state, tags or notes
//   key OP value     OP one of > >= < <= = != ; key: a metric (its last value) or a parameter
//   paper:ID experiment:ID state:NAME tag:NAME preset:ID seed:N   (":" is "equals")
// Terms are joined by AND; "quotes" keep a space.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace assay {

struct Filter {
  std::string where;  // an SQL condition over `run`, "1" when empty
  std::vector<std::variant<double, std::string>> bindings;  // of its ? in order
};

// Throws Error(bad_input) with the position of the fault ("at character 7: ...").
Filter parse_filter(const std::string& line);

}  // namespace assay
