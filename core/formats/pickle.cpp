// The pickle machine. Opcodes as in Python's Lib/pickle.py; calls are recognised, never made.
#include "core/formats/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "core/base/error.h"
#include "core/formats/byte_reader.h"
#include "core/formats/pickle_calls.h"

namespace assay {
namespace {

// Far more than any checkpoint has; keeps a hostile stream of one-byte opcodes from eating memory.
constexpr std::size_t most_values = 8'000'000;

// What a value takes, in units of about a hundred bytes.
struct Weight {
  std::size_t operator()(const PickleSequence& sequence) const { return sequence.items.size(); }
  std::size_t operator()(const PickleDict& dict) const { return dict.items.size(); }
  std::size_t operator()(const PickleTensor& tensor) const { return tensor.shape.size() / 4; }
  template <typename Other>
  std::size_t operator()(const Other&) const {
    return 0;
  }
};

class PickleMachine {
 public:
  PickleMachine(std::span<const std::uint8_t> bytes, const std::string& file)
      : reader_(bytes, file + ": the pickle"),
        allowed_(std::min(most_values, 4 * bytes.size() + 1000)) {}

  PickleResult run() {
    while (true) {
      const std::uint8_t code = reader_.u8("the next opcode");
      if (code == '.') break;
      if (!scalar(code) && !text(code) && !container(code) && !stack_or_memo(code) && !call(code))
        reader_.refuse(fmt::format("opcode 0x{:02x} at byte {} is not supported", code,
                                   reader_.position() - 1));
    }
    result_.root = pop();
    return std::move(result_);
  }

 private:
  template <typename T>
  void push(T&& content) {
    result_.arena.push_back(PickleValue{std::forward<T>(content)});
    stack_.push_back(&result_.arena.back());
    // Calls copy what they are given, so the number of opcodes alone bounds nothing.
    used_ += 1 + std::visit(Weight{}, result_.arena.back().content);
    if (used_ > allowed_) reader_.refuse("builds far more values than its size warrants");
  }

  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  PickleValue* pop() {
    if (stack_.size() <= floor()) reader_.refuse("takes a value from an empty stack");
    PickleValue* value = stack_.back();
    stack_.pop_back();
    return value;
  }

  // What lies above the last mark.
  std::vector<PickleValue*> pop_mark() {
    if (marks_.empty()) reader_.refuse("a mark is missing");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleValue*> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  template <typename T>
  T& top_as(const char* kind) {
    if (stack_.size() <= floor()) reader_.refuse("takes a value from an empty stack");
    T* content = std::get_if<T>(&stack_.back()->content);
    if (content == nullptr) reader_.refuse(fmt::format("adds items to what is no {}", kind));
    return *content;
  }

  void push_long(std::uint64_t size) {
    const auto bytes = reader_.take(size, "a long integer");
    if (bytes.size() > 8) return push(PickleOpaque{});
    std::uint64_t value = !bytes.empty() && (bytes.back() & 0x80U) != 0 ? UINT64_MAX : 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = (value << 8) | bytes[i];
    push(static_cast<std::int64_t>(value));
  }

  bool scalar(std::uint8_t code) {
    constexpr const char* what = "a number";
    switch (code) {
      case 'N':
        push(PickleNone{});
        return true;
      case 0x88:
      case 0x89:
        push(code == 0x88);
        return true;
      case 'J':
        push(std::int64_t{static_cast<std::int32_t>(reader_.little<std::uint32_t>(what))});
        return true;
      case 'K':
        push(std::int64_t{reader_.u8(what)});
        return true;
      case 'M':
        push(std::int64_t{reader_.little<std::uint16_t>(what)});
        return true;
      case 0x8a:
        push_long(reader_.u8(what));
        return true;
      case 0x8b:
        push_long(reader_.little<std::uint32_t>(what));
        return true;
      case 'G':
        push(std::bit_cast<double>(reader_.big<std::uint64_t>(what)));
        return true;
      default:
        return false;
    }
  }

  void push_text(std::uint64_t size) {
    const auto bytes = reader_.take(size, "a text");
    push(std::string(bytes.begin(), bytes.end()));
  }

  void skip_bytes(std::uint64_t size) {
    reader_.take(size, "a byte string");
    push(PickleOpaque{});
  }

  bool text(std::uint8_t code) {
    constexpr const char* what = "the length of a text";
    switch (code) {
      case 0x8c:
      case 'U':
        push_text(reader_.u8(what));
        return true;
      case 'X':
      case 'T':
        push_text(reader_.little<std::uint32_t>(what));
        return true;
      case 0x8d:
        push_text(reader_.little<std::uint64_t>(what));
        return true;
      case 'C':
        skip_bytes(reader_.u8(what));
        return true;
      case 'B':
        skip_bytes(reader_.little<std::uint32_t>(what));
        return true;
      case 0x8e:
      case 0x96:
        skip_bytes(reader_.little<std::uint64_t>(what));
        return true;
      default:
        return false;
    }
  }

  void push_tuple(std::size_t size) {
    std::vector<PickleValue*> items(size);
    for (std::size_t i = size; i-- > 0;) items[i] = pop();
    push(PickleSequence{std::move(items)});
  }

  void set_items(const std::vector<PickleValue*>& items) {
    auto& dict = top_as<PickleDict>("dictionary");
    if (items.size() % 2 != 0) reader_.refuse("a dictionary key has no value");
    for (std::size_t i = 0; i < items.size(); i += 2)
      dict.items.emplace_back(items[i], items[i + 1]);
  }

  void append_items(const std::vector<PickleValue*>& items) {
    auto& list = top_as<PickleSequence>("list").items;
    list.insert(list.end(), items.begin(), items.end());
  }

  bool container(std::uint8_t code) {
    switch (code) {
      case ')':
      case ']':
      case 0x8f:
        push(PickleSequence{});
        return true;
      case 't':
      case 'l':
      case 0x91:
        push(PickleSequence{pop_mark()});
        return true;
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(code - 0x84U);
        return true;
      case '}':
        push(PickleDict{});
        return true;
      case 'd': {
        const auto items = pop_mark();
        push(PickleDict{});
        set_items(items);
        return true;
      }
      case 's': {
        PickleValue* value = pop();
        set_items({pop(), value});
        return true;
      }
      case 'u':
        set_items(pop_mark());
        return true;
      case 'a':
        append_items({pop()});
        return true;
      case 'e':
      case 0x90:
        append_items(pop_mark());
        return true;
      default:
        return false;
    }
  }

  void remember(std::uint64_t slot) {
    if (stack_.size() <= floor()) reader_.refuse("remembers a value of an empty stack");
    memo_[slot] = stack_.back();
  }

  void recall(std::uint64_t slot) {
    const auto found = memo_.find(slot);
    if (found == memo_.end()) reader_.refuse(fmt::format("recalls value {}, never stored", slot));
    if (stack_.size() == most_values) reader_.refuse("too many values");
    stack_.push_back(found->second);
  }

  bool stack_or_memo(std::uint8_t code) {
    constexpr const char* what = "an argument";
    switch (code) {
      case 0x80:
        if (const std::uint8_t protocol = reader_.u8(what); protocol < 2 || protocol > 5)
          reader_.refuse(fmt::format("protocol {}; 2 to 5 are read", protocol));
        return true;
      case 0x95:
        reader_.take(8, what);  // frame length: only a hint for readers of streams
        return true;
      case '(':
        if (marks_.size() == most_values) reader_.refuse("too many marks");
        marks_.push_back(stack_.size());
        return true;
      case '0':
        pop();
        return true;
      case '1':
        pop_mark();
        return true;
      case '2':
        if (stack_.size() == most_values) reader_.refuse("too many values");
        stack_.push_back(pop());
        stack_.push_back(stack_.back());
        return true;
      case 'q':
        remember(reader_.u8(what));
        return true;
      case 'r':
        remember(reader_.little<std::uint32_t>(what));
        return true;
      case 0x94:
        remember(memo_.size());
        return true;
      case 'h':
        recall(reader_.u8(what));
        return true;
      case 'j':
        recall(reader_.little<std::uint32_t>(what));
        return true;
      default:
        return false;
    }
  }

  std::string line() {
    std::string text;
    for (std::uint8_t c = reader_.u8("a name"); c != '\n'; c = reader_.u8("a name")) {
      if (text.size() == 1000) reader_.refuse("a name of more than 1000 characters");
      text += static_cast<char>(c);
    }
    return text;
  }

  std::string pop_name() {
    const std::string* name = pop()->as<std::string>();
    if (name == nullptr) reader_.refuse("a class is named by what is no text");
    return *name;
  }

  bool call(std::uint8_t code) {
    switch (code) {
      case 'c': {
        const std::string module = line();
        push(known_global(module, line(), reader_));
        return true;
      }
      case 0x93: {
        const std::string name = pop_name();
        push(known_global(pop_name(), name, reader_));
        return true;
      }
      case 'Q':
        push(storage_from(*pop(), reader_));
        return true;
      case 'R':
      case 0x81: {
        const PickleValue* arguments = pop();
        push(result_of_call(*pop(), *arguments, reader_).content);
        return true;
      }
      case 'b':
        // The attributes of a dictionary (a state dict's _metadata) are not its items.
        pop();
        top_as<PickleDict>("dictionary");
        return true;
      default:
        return false;
    }
  }

  ByteReader reader_;
  std::size_t allowed_, used_ = 0;
  PickleResult result_;
  std::vector<PickleValue*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleValue*> memo_;
};

}  // namespace

PickleResult interpret_pickle(std::span<const std::uint8_t> bytes, const std::string& file) {
  return PickleMachine(bytes, file).run();
}

}  // namespace assay
