// How the window and `assay-run serve` talk: frames over a local socket, each a 4-byte
// little-endian length and one CBOR map.
//   request  {"id": n, "explorable": "activation", "arguments": {...}}
//   answer   {"id": n, "seconds": s, "values": {...},
//             "tensors": {name: {"dtype": "F32", "shape": [..], "data": <bytes>}}}
//   fault    {"id": n, "error": "one line"}
// The server answers in order; the client drops answers to requests it has since replaced.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/experiment.h"

namespace assay {

inline constexpr std::uint32_t explore_frame_limit = 256U << 20;

struct ExploreRequest {
  std::int64_t id = 0;
  std::string explorable;
  Json arguments = Json::object();
};
struct ExploreAnswer {
  std::int64_t id = 0;
  double seconds = 0.0;
  Answer answer;
  std::string error;  // not empty: a fault
};

// With the length in front.
std::vector<std::uint8_t> encode(const ExploreRequest& request);
std::vector<std::uint8_t> encode(const ExploreAnswer& answer);
// Takes one whole frame off the front of `buffer`, none when it isn't complete. Throws unreadable
// for a frame over the limit or damaged CBOR.
std::optional<ExploreRequest> take_request(std::vector<std::uint8_t>& buffer);
std::optional<ExploreAnswer> take_answer(std::vector<std::uint8_t>& buffer);

}  // namespace assay
