// A parameter's value as the columns (type, number, text) of the table `parameter`, and back. For
// core/log only.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "core/study/parameters.h"

namespace assay {

// Binds type, number and text at `first`, `first + 1` and `first + 2`.
void bind_value(SQLite::Statement& statement, int first, const Value& value);
// Reads the same three columns from `first` on.
Value read_value(SQLite::Statement& row, int first);

Origin origin_from(const std::string& text);

}  // namespace assay
