// What the formats' tests share: test data, scratch files, the message of an expected refusal.
#pragma once

#include <QtTest>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/files.h"

namespace assay::test {

inline std::filesystem::path data(const std::string& name) {
  return std::filesystem::path(ASSAY_TEST_SOURCE_DIR) / "data" / name;
}

inline std::vector<std::uint8_t> bytes_of_text(std::string_view text) {
  return {text.begin(), text.end()};
}

// The error that `work` throws; an empty one when it throws none.
inline std::optional<Error> refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace assay::test

// `work` must throw an assay::Error of `expected_kind` whose message holds every text in
// `expected_parts` (a list in braces).
#define ASSAY_REFUSED(work, expected_kind, ...)                                                   \
  do {                                                                                            \
    const auto refused_error = assay::test::refusal([&] { (void)(work); });                       \
    QVERIFY2(refused_error.has_value(), "nothing was refused");                                   \
    QCOMPARE(static_cast<int>(refused_error->kind()), static_cast<int>(expected_kind));           \
    for (const std::string& part : std::vector<std::string> __VA_ARGS__)                          \
      QVERIFY2(                                                                                   \
          std::string(refused_error->what()).find(part) != std::string::npos,                     \
          (std::string("the message lacks \"") + part + "\": " + refused_error->what()).c_str()); \
  } while (false)
