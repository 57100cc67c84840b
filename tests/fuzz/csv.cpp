// Fuzzes the CSV reader, with and without a header.
#include "core/formats/table.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::parse_csv({bytes.begin(), bytes.end()}, "fuzz", size % 2 == 0))
