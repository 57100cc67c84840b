// Opens lib<id>.so of a plugin.
#pragma once

#include "core/engine/experiment.h"
#include "core/study/manifest.h"

namespace assay {

// dlopen, factory, ABI check. The library stays loaded for the life of the process. Throws
// Error(failed) with file and reason.
Plugin& load_plugin(const Manifest& manifest);

}  // namespace assay
