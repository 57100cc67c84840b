#include "core/engine/failure.h"

#include <fmt/core.h>

#include <new>

#include "core/base/error.h"

namespace assay {
namespace {

constexpr std::size_t longest_reason = 1000;

// LibTorch appends a C++ stack to its messages ("Exception raised from ...") and breaks lines; a
// reason is one line of what went wrong.
std::string one_line(std::string text) {
  if (const auto stack = text.find("\nException raised from"); stack != std::string::npos) {
    text.resize(stack);
  }
  std::string line;
  for (const char letter : text) {
    const bool space = letter == '\n' || letter == '\r' || letter == '\t' || letter == ' ';
    if (space && (line.empty() || line.back() == ' ')) continue;
    line += space ? ' ' : letter;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() > longest_reason) line = line.substr(0, longest_reason) + "...";
  return line.empty() ? "an error without a message" : line;
}

}  // namespace

Failure describe_failure(const std::exception_ptr& fault, bool preparing) {
  try {
    std::rethrow_exception(fault);
  } catch (const Error& error) {
    return {one_line(error.what()), preparing ? error.exit_code() : 3};
  } catch (const std::bad_alloc&) {
    return {
        "out of memory: the run asked for more than this machine has free; try a smaller batch or "
        "model",
        3};
  } catch (const std::logic_error& error) {
    return {one_line(fmt::format("a fault in the experiment's code: {}", error.what())), 3};
  } catch (const std::exception& error) {
    return {one_line(error.what()), 3};
  } catch (...) {
    return {"the experiment threw something that is no exception", 3};
  }
}

}  // namespace assay
