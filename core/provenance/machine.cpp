// Machine, libraries and process: read when asked for, from the kernel and the libraries
// themselves.
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <openssl/crypto.h>
#include <png.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
// jpeglib.h needs FILE and size_t declared before it.
#include <jpeglib.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include "core/base/process.h"
#include "core/provenance/provenance.h"

namespace assay {
namespace {

// The value of the first line "key : value" or "key=value" of a text file of the kernel's.
std::string value_in(const char* path, std::string_view key, char separator) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(key)) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    if (line.find_first_not_of(" \t", key.size()) != at) continue;  // a longer key
    const std::size_t begin = line.find_first_not_of(" \t\"", at + 1);
    if (begin == std::string::npos) return {};
    const std::size_t end = line.find_last_not_of(" \t\"\r");
    return line.substr(begin, end - begin + 1);
  }
  return {};
}

std::int64_t memory_bytes() {
  const std::string text = value_in("/proc/meminfo", "MemTotal", ':');  // "16384 kB"
  std::int64_t kilobytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), kilobytes);
  return kilobytes * 1024;
}

// The vector instructions that decide which code path ran.
Json vector_instructions() {
  const std::string flags = fmt::format(" {} ", value_in("/proc/cpuinfo", "flags", ':'));
  Json found = Json::array();
  for (const char* name : {"sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_bf16", "amx_tile"})
    if (flags.find(fmt::format(" {} ", name)) != std::string::npos) found.push_back(name);
  return found;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

Json command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  Json arguments = Json::array();
  std::string argument;
  while (std::getline(file, argument, '\0')) arguments.push_back(argument);
  return arguments;
}

// Variables that change results or speed; nothing else of the environment is recorded.
Json environment() {
  constexpr std::array names{"OMP_NUM_THREADS",      "OMP_PROC_BIND",        "MKL_NUM_THREADS",
                             "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE",    "ATEN_CPU_CAPABILITY",
                             "DNNL_MAX_CPU_ISA",     "CUDA_VISIBLE_DEVICES", "ASSAY_LOG",
                             "ASSAY_PLUGINS"};
  Json set = Json::object();
  for (const char* name : names)
    if (const char* value = std::getenv(name)) set[name] = value;
  return set;
}

// Bytes that are no UTF-8 (a path, an argument) become U+FFFD: the record must always be storable.
Json as_utf8(const Json& json) {
  return Json::parse(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

Json machine_provenance() {
  utsname system{};
  uname(&system);
  return as_utf8(Json{{"host", system.nodename},
                      {"cpu", value_in("/proc/cpuinfo", "model name", ':')},
                      {"vector_instructions", vector_instructions()},
                      {"cores", core_count()},
                      {"memory_bytes", memory_bytes()},
                      {"kernel", fmt::format("{} {}", system.sysname, system.release)},
                      {"architecture", system.machine},
                      {"distribution", value_in("/etc/os-release", "PRETTY_NAME", '=')},
                      {"boot_id", this_process().boot_id}});
}

Json library_provenance() {
  constexpr int json_version[] = {NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                  NLOHMANN_JSON_VERSION_PATCH};
  Json libraries = {{"SQLite", sqlite3_libversion()},
                    {"zlib", zlibVersion()},
                    {"libpng", png_get_libpng_ver(nullptr)},
                    {"libjpeg API", fmt::format("{}", JPEG_LIB_VERSION)},
                    {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
                    {"glibc", gnu_get_libc_version()},
                    {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                                        FMT_VERSION % 100)},
                    {"nlohmann-json",
                     fmt::format("{}.{}.{}", json_version[0], json_version[1], json_version[2])}};
#ifdef __GLIBCXX__
  libraries["libstdc++"] = fmt::format("{}", __GLIBCXX__);
#endif
  return libraries;
}

Json provenance(int threads) {
  std::error_code fault;
  const auto folder = std::filesystem::current_path(fault);
  return Json{{"build", build_provenance()},
              {"machine", machine_provenance()},
              {"libraries", library_provenance()},
              {"command_line", as_utf8(command_line())},
              {"working_directory", as_utf8(Json(fault ? std::string() : folder.string()))},
              {"time", utc_now()},
              {"threads", threads},
              {"environment", as_utf8(environment())}};
}

}  // namespace assay
