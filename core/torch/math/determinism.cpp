#include "core/torch/math/determinism.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

namespace assay {

void configure_torch(int threads) {
  at::set_num_threads(threads);
  // A warm runner may be configured twice; the inter-op pool can be sized only once.
  if (at::get_num_interop_threads() != 1) at::set_num_interop_threads(1);
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
}

Json torch_libraries() {
  Json json = Json::object();
  json["libtorch"] = TORCH_VERSION;
  json["mkldnn"] = at::hasMKLDNN();
  json["cuda"] = at::hasCUDA();
  json["threads"] = at::get_num_threads();
  json["parallel"] = at::get_parallel_info();
  return json;
}

}  // namespace assay
