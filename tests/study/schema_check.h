// A validator for the part of JSON Schema (draft 2020-12) that resources/plugin.schema.json uses.
#pragma once

#include <string>

#include "core/base/json.h"

namespace assay {

// The first fault with its place, or empty. Throws std::logic_error for a keyword of the schema
// that it does not know: nothing is passed over in silence.
std::string schema_fault(const Json& schema, const Json& value);

}  // namespace assay
