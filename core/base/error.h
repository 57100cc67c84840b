// The one exception type for everything a user, a file or the machine can cause.
#pragma once

#include <stdexcept>
#include <string>

namespace assay {

// What kind of fault it is decides the exit code of the programs: bad_input exits 2, the rest 3.
enum class ErrorKind {
  bad_input,      // a value, key, file name or file content that the user gave and can change
  not_found,      // a run, plugin, experiment or file that does not exist
  unreadable,     // a file that is damaged, truncated or of another format
  storage,        // disk full, no permission, locked
  newer_version,  // written by a newer Assay; nothing was touched
  failed,         // the work itself failed (a diverged loss, a missing device, ...)
};

// what() is one clear line for the person: what failed, where (file, key, line), what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  // 2 for bad_input, not_found and unreadable; 3 otherwise.
  int exit_code() const {
    return kind_ == ErrorKind::bad_input || kind_ == ErrorKind::not_found ||
                   kind_ == ErrorKind::unreadable
               ? 2
               : 3;
  }

 private:
  ErrorKind kind_;
};

}  // namespace assay
