// Fuzzes the reader of PyTorch checkpoints: the zip archive around the pickle.
#include "core/formats/tensors.h"
#include "reader.h"

ASSAY_FUZZ_READER(assay::parse_pytorch(bytes, "fuzz"))
