// Fuzzes the safetensors reader.
#include "core/formats/tensors.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::parse_safetensors(bytes, "fuzz"))
