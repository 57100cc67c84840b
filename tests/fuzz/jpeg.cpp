// Fuzzes the JPEG reader.
#include "core/formats/image.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::decode_jpeg(bytes, "fuzz"))
