// What the formats' tests share: test data, scratch files, the message of an expected refusal.
#pragma once

#include <QtTest>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/files.h"

namespace assay::test {

inline std::filesystem::path data(const std::string& name) {
  return std::filesystem::path(ASSAY_TEST_SOURCE_DIR) / "data" / name;
}

inline std::vector<std::uint8_t> bytes_of_text(std::string_view text) {
  return {text.begin(), text.end()};
}

// `work` must throw an Error of `kind` whose message holds every one of `parts`: what is wrong with
// that, or nothing when all is well. (A function, not all in the macro: it compiles much faster.)
inline std::string refusal_fault(const std::function<void()>& work, ErrorKind kind,
                                 std::initializer_list<std::string_view> parts) {
  try {
    work();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (error.kind() != kind) return "another kind of error: " + message;
    for (const std::string_view part : parts)
      if (message.find(part) == std::string::npos)
        return "the message lacks \"" + std::string(part) + "\": " + message;
    return {};
  }
  return "nothing was refused";
}

}  // namespace assay::test

// ASSAY_REFUSED(read(path), ErrorKind::unreadable, {"name", "truncated"})
#define ASSAY_REFUSED(work, kind, ...)                                        \
  do {                                                                        \
    const std::string refusal_text =                                          \
        assay::test::refusal_fault([&] { (void)(work); }, kind, __VA_ARGS__); \
    QVERIFY2(refusal_text.empty(), refusal_text.c_str());                     \
  } while (false)
