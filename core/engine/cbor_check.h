// A look over CBOR bytes before a parser sees them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// The JSON library's CBOR reader calls itself for nested values and grows with what it reads, so a
// hostile frame could exhaust the stack or the memory. This walks the bytes without recursion and
// accepts one value of definite lengths, no tags, at most 32 levels, 4,096 keys a map and 4 million
// values. Returns what is wrong, none when all is well.
std::optional<std::string> cbor_fault(const std::vector<std::uint8_t>& bytes);

}  // namespace assay
