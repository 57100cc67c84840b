// A row of the table `run` as a Run. For core/log only.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <string>

#include "core/log/records.h"

namespace assay {

// The columns that read_run expects, in its order.
extern const char* const run_columns;

// Tags and provenance are not filled.
Run read_run(SQLite::Statement& row);

std::optional<double> optional_real(const SQLite::Column& column);
std::optional<int> optional_int(const SQLite::Column& column);
// NULL is NaN (see schema.cpp).
double real_or_nan(const SQLite::Column& column);
void bind_optional(SQLite::Statement& statement, int index, std::optional<double> value);
void bind_optional(SQLite::Statement& statement, int index, std::optional<int> value);

}  // namespace assay
