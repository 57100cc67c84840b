// Fuzzes the PNG reader.
#include "core/formats/image.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::decode_png(bytes, "fuzz"))
