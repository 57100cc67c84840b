// The parts of checking that the manifest and the parameters share; inside core/study only.
#pragma once

#include "core/study/parameters.h"

namespace assay {

// check_value without looking whether a path exists: a manifest is read on other machines too.
Checked check_form(const ParameterSpec& spec, const Value& value);

// Texts go into JSON and SQLite, which take UTF-8 without zero bytes only.
bool is_plain_utf8(const std::string& text);

}  // namespace assay
