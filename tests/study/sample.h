// The documented example of a manifest, as the tests of core/study use it.
#pragma once

#include <string>

#include "core/study/manifest.h"

namespace assay::sample {

std::string json_text();  // the example of resources/README.md
Json json();
Manifest manifest();
// A copy with one place changed; the place is a JSON pointer, "-" in it appends. A value of
// "discarded" (Json::value_t::discarded) removes what is there.
Json changed(const std::string& pointer, const Json& value);

}  // namespace assay::sample
