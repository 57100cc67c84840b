// Fuzzes the extended XYZ reader.
#include "core/formats/extxyz.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::parse_extxyz({bytes.begin(), bytes.end()}, "fuzz"))
