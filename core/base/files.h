// Files: whole reads with a limit, atomic writes, the folders of the XDG base directory rules.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Reads a whole file. Throws not_found when it is missing, unreadable when it is larger than
// `limit` bytes or no regular file, storage on an I/O fault.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path,
                                    std::uint64_t limit = std::uint64_t{8} << 30);
std::string read_text(const std::filesystem::path& path, std::uint64_t limit = 64U << 20);

// Writes to `path + ".partial"`, syncs, renames. Throws storage with the path and the reason
// ("No space left on device", ...); the partial file is removed and an older `path` is untouched.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);
void write_atomically(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes);

// gzip (by magic number 1f 8b) is unpacked, anything else returned as it is. Throws unreadable on
// damaged data or when more than `limit` bytes come out.
std::vector<std::uint8_t> gunzip_if_needed(std::vector<std::uint8_t> bytes, const std::string& name,
                                           std::uint64_t limit = std::uint64_t{4} << 30);

// Free bytes for this user on the file system that holds `path`.
std::uint64_t free_bytes(const std::filesystem::path& path);

// The log directory: `given` when not empty, else $ASSAY_LOG, else $XDG_DATA_HOME/assay (or
// ~/.local/share/assay). Not created.
std::filesystem::path log_directory(const std::string& given = {});
// Users' own plugins: $XDG_DATA_HOME/assay/plugins.
std::filesystem::path user_plugin_directory();
// The folder of the running program's executable.
std::filesystem::path program_directory();
// Where Assay's plugins are: $ASSAY_PLUGINS (colon separated), <build>/plugins or
// <prefix>/lib/assay/plugins beside the program, then the user's own. Only folders that exist.
std::vector<std::filesystem::path> plugin_directories();
// Resources at run time: <build>/../resources or <prefix>/share/assay.
std::filesystem::path resource_directory();

}  // namespace assay
