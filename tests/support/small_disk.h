// A file system of a few kilobytes, to see what happens when a disk is full.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace assay {

// Runs `work` in a child process that sees a tmpfs of `bytes` at the path it is given, and returns
// what it returns ("exception: ..." for one that escapes). Needs root or user namespaces; throws
// std::runtime_error that says so where neither is allowed.
std::string on_small_disk(std::size_t bytes,
                          const std::function<std::string(const std::filesystem::path&)>& work);

}  // namespace assay
