// From an exception to what a person reads and what the program exits with.
#pragma once

#include <exception>
#include <string>

namespace assay {

struct Failure {
  std::string reason;  // one readable line
  int exit_code = 3;
};

// `preparing`: the fault came up before the first step, where bad input is still the user's matter
// and exits 2.
Failure describe_failure(const std::exception_ptr& fault, bool preparing);

}  // namespace assay
