// Fuzzes the pickle machine, which an archive's checksums would hide from mutations.
#include "core/formats/pickle.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::interpret_pickle(bytes, "fuzz"))
