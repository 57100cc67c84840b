// "counts": builds the paper's residual networks, exchanges their activations for trainable units,
// and counts; the same with LoRA. Nothing is taken from a table.
#include <fmt/format.h>
#include <torch/types.h>

#include "core/torch/math/generator.h"
#include "core/torch/nn/lora.h"
#include "core/torch/nn/replace.h"
#include "core/torch/nn/resnet.h"
#include "plugins/curvature_tuning/experiment/experiments.h"
#include "plugins/curvature_tuning/model/curvature.h"

namespace assay::curvature_tuning {
namespace {

struct Count {
  std::string network;
  std::int64_t all = 0, units = 0, curvature = 0, lora = 0;
};

// Three ReLUs a bottleneck, as in the paper's own copy of the network: each has its own width.
std::shared_ptr<nn::ResNet> build(const std::string& network) {
  nn::ResNetOptions options;
  options.depth = std::stoi(network.substr(std::string("resnet").size()));
  options.separate_relus = true;
  return std::make_shared<nn::ResNet>(options);
}

std::int64_t all_parameters(const torch::nn::Module& net) {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : net.parameters()) count += parameter.numel();
  return count;
}

class Counts final : public Experiment {
 public:
  void prepare(RunContext& context) override {
    networks_ = context.parameters().texts("networks");
    rank_ = context.parameters().integer("lora_rank");
    seed_ = context.seed_for("weights");
  }

  bool step(RunContext& context) override {
    const std::string& network = networks_[counts_.size()];
    const SeededInitialisation seeded(seed_);
    Count count;
    count.network = network;
    const auto net = build(network);
    count.all = all_parameters(*net);
    const std::vector<NamedCtu> units = make_trainable(*net);
    count.units = static_cast<std::int64_t>(units.size());
    count.curvature = parameter_count(units);
    list_units(network, units);
    nn::wrap_with_lora(*net, {rank_, static_cast<double>(rank_)},
                       [&](const std::string& path) { return path == net->head_name(); });
    count.lora = lora_parameters(*net);
    report(context, count);
    counts_.push_back(count);
    context.progress(static_cast<std::int64_t>(counts_.size()),
                     static_cast<std::int64_t>(networks_.size()), "counting");
    return counts_.size() < networks_.size();
  }

  void finish(RunContext& context) override {
    Table table;
    table.columns = {"network", "all_parameters", "replaced_activations", "curvature_parameters",
                     "lora_parameters"};
    for (const Count& count : counts_) {
      table.rows.push_back({count.network, fmt::to_string(count.all), fmt::to_string(count.units),
                            fmt::to_string(count.curvature), fmt::to_string(count.lora)});
    }
    context.table("counts", 0, table);
    Table units;
    units.columns = {"network", "activation", "channels"};
    units.rows = unit_rows_;
    context.table("units", 0, units);
  }

  void save(Checkpoint& checkpoint) const override {
    Json counts = Json::array();
    for (const Count& count : counts_) {
      counts.push_back({count.network, count.all, count.units, count.curvature, count.lora});
    }
    checkpoint.values = {{"counts", counts}, {"units", unit_rows_}};
  }

  void load(const Checkpoint& checkpoint) override {
    counts_.clear();
    for (const Json& count : checkpoint.value("counts")) {
      const auto number = [&](std::size_t i) { return count.at(i).get<std::int64_t>(); };
      counts_.push_back(
          {count.at(0).get<std::string>(), number(1), number(2), number(3), number(4)});
    }
    unit_rows_ = checkpoint.value("units").get<std::vector<std::vector<std::string>>>();
  }

 private:
  // The trainable units stay in the net while it is counted with LoRA, but are not LoRA's.
  static std::int64_t lora_parameters(const torch::nn::Module& net) {
    std::int64_t count = 0;
    for (const auto& item : net.named_parameters()) {
      const std::string& name = item.key();
      if (name.ends_with(".A") || name.ends_with(".B")) count += item.value().numel();
    }
    return count;
  }

  void list_units(const std::string& network, const std::vector<NamedCtu>& units) {
    for (const NamedCtu& named : units) {
      unit_rows_.push_back({network, named.name, fmt::to_string(named.unit->raw_beta.numel())});
    }
  }

  static void report(RunContext& context, const Count& count) {
    const auto metric = [&](const char* key, std::int64_t value) {
      context.metric(count.network + "/" + key, 0, static_cast<double>(value));
    };
    metric("network_parameters", count.all);
    metric("curvature_units", count.units);
    metric("curvature_parameters", count.curvature);
    metric("lora_parameters", count.lora);
    context.text(fmt::format("{}: {} activations replaced, {} parameters; LoRA {}", count.network,
                             count.units, count.curvature, count.lora));
  }

  std::vector<std::string> networks_;
  std::int64_t rank_ = 1;
  std::uint64_t seed_ = 0;
  std::vector<Count> counts_;
  std::vector<std::vector<std::string>> unit_rows_;
};

}  // namespace

std::unique_ptr<Experiment> make_counts() {
  return std::make_unique<Counts>();
}

}  // namespace assay::curvature_tuning
