// The log can't be opened: what is wrong and what to do, in a window of its own.
#pragma once

#include <QString>
#include <filesystem>

#include "core/base/error.h"

namespace assay {

QString whatToDo(ErrorKind kind, const std::filesystem::path& logDirectory);
// Shows it and returns the exit code once it is closed.
int showStartFault(const Error& error, const std::filesystem::path& logDirectory);

}  // namespace assay
