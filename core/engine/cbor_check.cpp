#include "core/engine/cbor_check.h"

namespace assay {
namespace {

constexpr std::size_t level_limit = 32;
constexpr std::uint64_t key_limit = 4096;
constexpr std::uint64_t value_limit = 4'000'000;

// RFC 8949, section 3: the head of an item is a major type and an argument.
struct Head {
  std::uint8_t major = 0;
  std::uint8_t low = 0;
  std::uint64_t argument = 0;
};

class Walk {
 public:
  explicit Walk(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  std::optional<std::string> fault() {
    open_.push_back(1);  // one value is expected at the top
    while (!open_.empty()) {
      if (open_.back() == 0) {
        open_.pop_back();
        continue;
      }
      --open_.back();
      if (auto fault = item()) return fault;
    }
    if (at_ != bytes_.size()) return "bytes after the value";
    return std::nullopt;
  }

 private:
  std::optional<std::string> item() {
    if (++values_ > value_limit) return "too many values";
    Head head;
    if (auto fault = read(head)) return fault;
    switch (head.major) {
      case 2:
      case 3:  // byte and text strings
        if (head.argument > bytes_.size() - at_) return "truncated";
        at_ += static_cast<std::size_t>(head.argument);
        return std::nullopt;
      case 4:
        return open(head.argument, value_limit);
      case 5:
        if (head.argument > key_limit) return "too many keys in a map";
        return open(2 * head.argument, value_limit);
      case 6:
        return "a tag";
      default:  // integers, simple values, reals: the head is all
        return std::nullopt;
    }
  }

  std::optional<std::string> open(std::uint64_t count, std::uint64_t limit) {
    if (count > limit) return "too many values";
    if (count > bytes_.size() - at_) return "truncated";  // each takes at least a byte
    if (open_.size() > level_limit) return "nested too deeply";
    open_.push_back(count);
    return std::nullopt;
  }

  std::optional<std::string> read(Head& head) {
    if (at_ >= bytes_.size()) return "truncated";
    const std::uint8_t first = bytes_[at_++];
    head.major = static_cast<std::uint8_t>(first >> 5);
    head.low = first & 0x1F;
    if (head.low < 24) {
      head.argument = head.low;
      return std::nullopt;
    }
    if (head.low > 27) return "an indefinite length";
    const std::size_t width = std::size_t{1} << (head.low - 24);
    if (width > bytes_.size() - at_) return "truncated";
    for (std::size_t i = 0; i < width; ++i) head.argument = head.argument << 8 | bytes_[at_++];
    return std::nullopt;
  }

  const std::vector<std::uint8_t>& bytes_;
  std::size_t at_ = 0;
  std::uint64_t values_ = 0;
  std::vector<std::uint64_t> open_;  // values still to come, level by level
};

}  // namespace

std::optional<std::string> cbor_fault(const std::vector<std::uint8_t>& bytes) {
  return Walk(bytes).fault();
}

}  // namespace assay
