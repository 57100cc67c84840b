#include "plugins/curvature_tuning/experiment/methods.h"

#include <torch/types.h>

#include <algorithm>

#include "core/torch/math/generator.h"
#include "core/torch/nn/lora.h"
#include "core/torch/nn/replace.h"
#include "plugins/curvature_tuning/model/curvature.h"

namespace assay::curvature_tuning {
namespace {

std::vector<double> falling(std::vector<double> values) {
  std::sort(values.rbegin(), values.rend());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::shared_ptr<nn::Classifier> copy_of(const nn::Classifier& source,
                                        const MethodOptions& options) {
  BackboneOptions fresh = options.backbone;
  fresh.weights.clear();
  // ResNets come from a file; their copy is fresh and takes every value from the original.
  const auto net = make_backbone(fresh, true);
  copy_state(source, *net);
  const SeededInitialisation seeded(options.head_seed);
  net->reset_head(options.classes);
  return net;
}

std::vector<at::Tensor> head_of(nn::Classifier& net) {
  std::vector<at::Tensor> parameters = module_of(net.at_place(net.head_name()))->parameters();
  for (at::Tensor& parameter : parameters) parameter.set_requires_grad(true);
  return parameters;
}

std::vector<at::Tensor> trained_outside_head(nn::Classifier& net) {
  std::vector<at::Tensor> parameters;
  const std::string head = net.head_name() + ".";
  for (const auto& item : net.named_parameters()) {
    if (item.value().requires_grad() && !item.key().starts_with(head)) {
      parameters.push_back(item.value());
    }
  }
  return parameters;
}

TuningModel::Kind whole(const MethodOptions& options) {
  return options.frozen_statistics ? TuningModel::Kind::whole_with_frozen_statistics
                                   : TuningModel::Kind::whole;
}

}  // namespace

std::vector<Job> jobs_of(const ParameterSet& parameters) {
  const std::string& wanted = parameters.text("method");
  const auto wants = [&](Method method) { return wanted == "all" || wanted == name_of(method); };
  std::vector<Job> jobs;
  if (wants(Method::linear_probe)) jobs.push_back({Method::linear_probe, 1.0});
  if (wants(Method::steering)) {
    for (const double beta : falling(parameters.reals("beta_sweep"))) {
      jobs.push_back({Method::steering, beta});
    }
  }
  if (wants(Method::trainable)) jobs.push_back({Method::trainable, 0.0});
  if (wants(Method::lora)) {
    for (const double rate : falling(parameters.reals("lora_rates"))) {
      jobs.push_back({Method::lora, rate});
    }
  }
  return jobs;
}

MethodOptions method_options(RunContext& context, const BackboneOptions& backbone,
                             std::int64_t classes) {
  const ParameterSet& parameters = context.parameters();
  MethodOptions options;
  options.backbone = backbone;
  options.classes = classes;
  options.head_seed = context.seed_for("head");
  options.lora_seed = context.seed_for("lora");
  options.head_rate = parameters.real("head_rate");
  options.curvature_rate = parameters.real("curvature_rate");
  options.c = parameters.real("c");
  options.raw_beta = parameters.real("initial_raw_beta");
  options.raw_c = parameters.real("initial_raw_c");
  options.lora_rank = parameters.integer("lora_rank");
  options.lora_alpha = parameters.real("lora_alpha");
  options.frozen_statistics = parameters.text("batch_norm") == "eval";
  return options;
}

std::unique_ptr<TuningModel> make_model(const Job& job, const nn::Classifier& source,
                                        const MethodOptions& options) {
  const auto net = copy_of(source, options);
  nn::set_trainable(*net, false);
  using Group = TuningModel::Group;
  switch (job.method) {
    case Method::linear_probe:
      return std::make_unique<TuningModel>(net, TuningModel::Kind::head,
                                           std::vector<Group>{{head_of(*net), options.head_rate}});
    case Method::steering: {
      const auto curvature = std::make_shared<Curvature>();
      curvature->beta = job.setting;
      curvature->c = options.c;
      steer(*net, curvature);
      return std::make_unique<TuningModel>(net, TuningModel::Kind::head,
                                           std::vector<Group>{{head_of(*net), options.head_rate}});
    }
    case Method::trainable: {
      const auto units = make_trainable(*net, options.raw_beta, options.raw_c);
      return std::make_unique<TuningModel>(
          net, whole(options),
          std::vector<Group>{{parameters_of(units), options.curvature_rate},
                             {head_of(*net), options.head_rate}});
    }
    case Method::lora: {
      const SeededInitialisation seeded(options.lora_seed);
      nn::wrap_with_lora(*net, {options.lora_rank, options.lora_alpha},
                         [&](const std::string& path) { return path == net->head_name(); });
      std::vector<at::Tensor> factors = trained_outside_head(*net);
      return std::make_unique<TuningModel>(
          net, whole(options),
          std::vector<Group>{{std::move(factors), job.setting}, {head_of(*net), job.setting}});
    }
  }
  return nullptr;
}

}  // namespace assay::curvature_tuning
