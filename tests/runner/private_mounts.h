// File systems of a test's own: a small one that fills up, and a read-only one.
#pragma once

#include <string>

namespace assay::test {

// To be called first in main(), before any thread: a mount namespace of this process and its
// children, so that nothing leaks. As root directly, else as root of a user namespace. Returns what
// went wrong, empty when all is well.
std::string enter_private_mounts();

// Each returns what went wrong, empty when all is well.
std::string mount_small(const std::string& folder, int kilobytes);
std::string mount_read_only(const std::string& folder);  // bound onto itself
std::string unmount(const std::string& folder);

}  // namespace assay::test
