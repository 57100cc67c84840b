// Fuzzes the readers of IDX and CIFAR files, which read from a path; the file lies in memory.
#include <sys/mman.h>
#include <unistd.h>

#include "core/formats/image_sets.h"
#include "reader.h"

namespace {

void read_as_image_set(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("fuzz", 0);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) return;
  const std::string kind = assay::image_set_kind(path);
  if (kind == "cifar") assay::read_cifar({path}, size % 2 == 1);
  assay::read_idx(path, path);
}

}  // namespace

ASSAY_FUZZ_READER(read_as_image_set(data, size))
