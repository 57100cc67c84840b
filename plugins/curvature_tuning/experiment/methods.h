// The four ways to carry a network to another set, as things that Tuning can train.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "plugins/curvature_tuning/experiment/backbone.h"
#include "plugins/curvature_tuning/experiment/tuning.h"

namespace assay::curvature_tuning {

inline constexpr std::array<const char*, 4> method_names = {"linear_probe", "steering", "trainable",
                                                            "lora"};
inline constexpr std::array<const char*, 4> method_titles = {"Linear probe", "Steering CT",
                                                             "Trainable CT", "LoRA"};
enum class Method : std::size_t { linear_probe, steering, trainable, lora };
inline std::string name_of(Method method) {
  return method_names[static_cast<std::size_t>(method)];
}

// One training: a method with one beta (steering) or one learning rate (LoRA).
struct Job {
  Method method = Method::linear_probe;
  double setting = 1.0;
};
// In the order they run; betas and rates from the largest down, so that the first of equals is the
// largest beta.
std::vector<Job> jobs_of(const ParameterSet& parameters);

struct MethodOptions {
  BackboneOptions backbone;
  std::int64_t classes = 10;  // of the target
  std::uint64_t head_seed = 0, lora_seed = 0;
  double head_rate = 1e-3, curvature_rate = 0.1, c = 0.5;
  double raw_beta = 1.386, raw_c = 0.0;
  std::int64_t lora_rank = 1;
  double lora_alpha = 1.0;
  bool frozen_statistics = false;
};
MethodOptions method_options(RunContext& context, const BackboneOptions& backbone,
                             std::int64_t classes);

// A copy of the trained source net with a fresh head (the same for every job) and what the job
// adds.
std::unique_ptr<TuningModel> make_model(const Job& job, const nn::Classifier& source,
                                        const MethodOptions& options);

}  // namespace assay::curvature_tuning
