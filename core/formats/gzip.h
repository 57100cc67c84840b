// Packing with gzip. (Unpacking is gunzip_if_needed in core/base/files.h.) Private to core/formats.
#pragma once

#include <cstdint>
#include <vector>

namespace assay {

// No time stamp and no name inside: the same bytes always pack to the same bytes.
std::vector<std::uint8_t> gzip(const std::vector<std::uint8_t>& bytes);

}  // namespace assay
