// Fuzzes the reader of pixel tables.
#include "core/formats/image_sets.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::parse_pixel_csv({bytes.begin(), bytes.end()}, "fuzz", 2, 2, 16))
