// Fuzzes the NIfTI-1 reader, packed files included.
#include "core/base/files.h"
#include "core/formats/volume.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::parse_nifti(assay::gunzip_if_needed(bytes, "fuzz", 64U << 20), "fuzz"))
