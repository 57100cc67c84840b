// What a call complains about, for tests of messages that people read.
#pragma once

#include <string>

#include "core/base/error.h"

namespace assay {

// The message of the Error that `call` throws; "(no error)" when it throws none. Anything else that
// is thrown is passed on and fails the test.
template <typename Call>
std::string error_message(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

// Its exit code; 0 when there is no error.
template <typename Call>
int error_exit_code(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.exit_code();
  }
  return 0;
}

}  // namespace assay

// Fails with the whole text when a part is not in it.
#define VERIFY_HOLDS(text, part)                                               \
  do {                                                                         \
    const std::string verified_text = (text);                                  \
    const std::string verified_part = (part);                                  \
    QVERIFY2(verified_text.find(verified_part) != std::string::npos,           \
             ("'" + verified_part + "' is not in: " + verified_text).c_str()); \
  } while (false)
