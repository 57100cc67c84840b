// The few classes and functions a checkpoint's pickle may name, and what a call of them means.
// Private to core/formats.
#pragma once

#include <string>

#include "core/formats/byte_reader.h"
#include "core/formats/pickle.h"

namespace assay {

// Throws unreadable naming "module.name" when it is none of the known ones.
PickleGlobal known_global(const std::string& module, const std::string& name,
                          const ByteReader& reader);

// The persistent id ("storage", torch.FloatStorage, "0", "cpu", 12).
PickleStorage storage_from(const PickleValue& id, const ByteReader& reader);

// What calling `global` with `arguments` would give.
PickleValue result_of_call(const PickleValue& global, const PickleValue& arguments,
                           const ByteReader& reader);

}  // namespace assay
