// "robustness": accuracy over beta with and without an attack; no weight is trained after the
// source set (released code: robustness.py). Each beta is attacked anew. Unlike the release, beta
// is chosen on validation images and the attack keeps to pixels, unless asked otherwise.
#include <fmt/core.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/torch/attack/attack.h"
#include "core/torch/math/generator.h"
#include "core/torch/nn/replace.h"
#include "plugins/curvature_tuning/experiment/attack_data.h"
#include "plugins/curvature_tuning/experiment/experiments.h"
#include "plugins/curvature_tuning/experiment/pictures.h"
#include "plugins/curvature_tuning/experiment/transfer_report.h"
#include "plugins/curvature_tuning/model/curvature.h"

namespace assay::curvature_tuning {
namespace {

enum class Stage { source, attacking, done };

// What the images of one part say at one beta.
struct Tally {
  std::int64_t seen = 0, clean = 0, robust = 0;
  double loss = 0.0;
  double clean_accuracy() const { return static_cast<double>(clean) / static_cast<double>(seen); }
  double robust_accuracy() const { return static_cast<double>(robust) / static_cast<double>(seen); }
};

Json to_json(const Tally& tally) {
  return Json{tally.seen, tally.clean, tally.robust, tally.loss};
}
Tally tally_from(const Json& json) {
  return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>(),
          json.at(2).get<std::int64_t>(), json.at(3).get<double>()};
}

// Mean and deviation that torchvision's weights were trained with.
Normalization imagenet_normalization() {
  Normalization normalization;
  normalization.mean = {0.485, 0.456, 0.406};
  normalization.deviation = {0.229, 0.224, 0.225};
  return normalization;
}

class Robustness final : public Experiment {
 public:
  void prepare(RunContext& context) override {
    const ParameterSet& parameters = context.parameters();
    read_attack(parameters);
    attack_seed_ = context.seed_for("attack");
    curvature_->c = parameters.real("c");
    curvature_->beta = 1.0;
    betas_ = parameters.reals("beta_sweep");
    betas_.push_back(1.0);  // ReLU is what all others are compared with
    std::sort(betas_.rbegin(), betas_.rend());
    betas_.erase(std::unique(betas_.begin(), betas_.end()), betas_.end());
    tallies_.assign(betas_.size(), {});
    transferred_.assign(betas_.size(), 0);

    BackboneOptions backbone = backbone_options(parameters);
    backbone.seed = context.seed_for("source weights");
    AttackData data = read_attack_data(context, backbone);
    backbone.channels = data.channels;
    backbone.classes = data.test.class_count();
    parts_[0] = std::move(data.validation);
    parts_[1] = std::move(data.test);
    net_ = make_backbone(backbone, true);
    context.text(fmt::format("{} validation and {} test images, {} betas", parts_[0].count(),
                             parts_[1].count(), betas_.size()));
    if (data.train) {
      training_.emplace(net_, std::move(*data.train), parts_[0], source_options(context));
      normalization_ = training_->normalization();
      return;
    }
    context.data_used("weights", backbone.weights);
    normalization_ = imagenet_normalization();
    begin_attacking();
  }

  bool step(RunContext& context) override {
    if (stage_ == Stage::source) {
      if (!training_->advance(context)) begin_attacking();
    } else if (stage_ == Stage::attacking) {
      attack_some(context);
    }
    report_progress(context);
    return stage_ != Stage::done;
  }

  void finish(RunContext& context) override {
    const Tally& relu = tallies_[0][1];
    show_table(context);
    context.metric("robust/relu_accuracy", 0, relu.robust_accuracy());
    if (betas_.size() < 2) return;  // no beta below 1 was asked for
    const std::size_t chosen = chosen_beta();
    const Tally& best = tallies_[chosen][1];
    context.metric("robust/chosen_beta", 0, betas_[chosen]);
    context.metric("robust/chosen_accuracy", 0, best.robust_accuracy());
    context.metric("robust/gain", 0, best.robust_accuracy() - relu.robust_accuracy());
    context.metric("clean/change", 0, best.clean_accuracy() - relu.clean_accuracy());
    context.text(fmt::format(
        "beta {} (chosen on {} images): robust accuracy {:.4f}, ReLU {:.4f}; clean {:.4f}, {:.4f}",
        shortest(betas_[chosen]), select_on_test_ ? "test" : "validation", best.robust_accuracy(),
        relu.robust_accuracy(), best.clean_accuracy(), relu.clean_accuracy()));
  }

  void save(Checkpoint& checkpoint) const override {
    if (training_) training_->save(checkpoint);
    Json tallies = Json::array();
    for (const auto& pair : tallies_) tallies.push_back({to_json(pair[0]), to_json(pair[1])});
    checkpoint.values["stage"] = static_cast<int>(stage_);
    checkpoint.values["beta"] = beta_;
    checkpoint.values["part"] = part_;
    checkpoint.values["tallies"] = tallies;
    checkpoint.values["transferred"] = transferred_;
  }

  void load(const Checkpoint& checkpoint) override {
    if (training_) training_->load(checkpoint);
    const auto stage = static_cast<Stage>(checkpoint.value("stage").get<int>());
    if (stage != Stage::source && stage_ == Stage::source) begin_attacking();
    stage_ = stage;
    beta_ = checkpoint.value("beta").get<std::size_t>();
    part_ = checkpoint.value("part").get<std::size_t>();
    const Json& tallies = checkpoint.value("tallies");
    for (std::size_t i = 0; i < tallies_.size(); ++i) {
      for (std::size_t part = 0; part < 2; ++part) {
        tallies_[i][part] = tally_from(tallies.at(i).at(part));
      }
    }
    transferred_ = checkpoint.value("transferred").get<std::vector<std::int64_t>>();
  }

 private:
  void read_attack(const ParameterSet& parameters) {
    attack_ = parameters.text("attack");
    normalized_space_ = parameters.text("space") == "normalized";
    select_on_test_ = parameters.text("selection") == "test";
    batch_ = parameters.integer("attack_batch");
    options_.norm = parameters.text("norm") == "l2" ? Norm::l2 : Norm::linf;
    options_.epsilon = parameters.real("epsilon");
    options_.steps = static_cast<int>(parameters.integer("attack_steps"));
    options_.restarts = static_cast<int>(parameters.integer("restarts"));
  }

  void begin_attacking() {
    nn::set_trainable(*net_, false);
    steer(*net_, curvature_);
    net_->eval();
    stage_ = Stage::attacking;
  }

  // The best below 1 by robust accuracy; the first, that is the largest, of equals.
  std::size_t chosen_beta() const {
    const std::size_t part = select_on_test_ ? 1 : 0;
    std::size_t best = 1;
    for (std::size_t i = 2; i < betas_.size(); ++i) {
      if (tallies_[i][part].robust > tallies_[best][part].robust) best = i;
    }
    return best;
  }

  // The attacker's space: pixels, or normalised values as in the release.
  at::Tensor to_space(const Dataset& part, const at::Tensor& indices) const {
    const at::Tensor pixels = unit_images(part.images.index_select(0, indices));
    return normalized_space_ ? normalization_.apply(pixels) : pixels;
  }
  at::Tensor to_pixels(const at::Tensor& images) const {
    if (!normalized_space_) return images;
    const auto shaped = [&](const std::vector<double>& values) {
      return torch::tensor(at::ArrayRef<double>(values), torch::kFloat).view({1, -1, 1, 1});
    };
    return (images * shaped(normalization_.deviation) + shaped(normalization_.mean)).clamp(0, 1);
  }
  at::Tensor logits(const at::Tensor& images) const {
    return net_->forward(normalized_space_ ? images : normalization_.apply(images));
  }

  AttackResult attacked(const at::Tensor& images, const at::Tensor& labels, std::int64_t start,
                        const RunContext& context) const {
    const LogitFunction model = [this](const at::Tensor& x) { return logits(x); };
    AttackOptions options = options_;
    options.interrupted = [&context] { return context.interrupted(); };
    // The same random starts for every beta: a paired comparison.
    const at::Generator generator =
        make_generator(mix_seed(mix_seed(attack_seed_, part_), static_cast<std::uint64_t>(start)));
    if (attack_ == "apgd") return apgd(model, images, labels, options, generator);
    if (attack_ == "pgd") return pgd(model, images, labels, options, generator);
    if (attack_ == "fgsm") return fgsm(model, images, labels, options);
    AttackResult none;
    const torch::NoGradGuard no_gradient;
    const at::Tensor said = logits(images);
    none.images = images;
    none.correct = said.argmax(1).eq(labels);
    none.loss = torch::cross_entropy_loss(said, labels, {}, at::Reduction::None);
    return none;
  }

  // One batch of one part at one beta.
  void attack_some(RunContext& context) {
    curvature_->beta = betas_[beta_];
    const Dataset& part = parts_[part_];
    Tally& tally = tallies_[beta_][part_];
    const std::int64_t start = tally.seen;
    const at::Tensor indices = torch::arange(start, std::min(start + batch_, part.count()));
    const at::Tensor labels = part.labels.index_select(0, indices);
    const at::Tensor images = to_space(part, indices);
    const AttackResult result = attacked(images, labels, start, context);
    if (context.interrupted()) return;  // maybe cut short: made again after the resume

    {
      const torch::NoGradGuard no_gradient;
      const at::Tensor clean = logits(images).argmax(1).eq(labels);
      tally.clean += clean.sum().item<std::int64_t>();
      tally.robust += result.correct.logical_and(clean).sum().item<std::int64_t>();
      tally.loss += result.loss.sum().item<double>();
      tally.seen += indices.numel();
      if (beta_ == 0 && part_ == 1) transfer_to_all(result.images, labels);
    }
    if (part_ == 1 && start == 0 && attack_ != "none") {
      show_perturbations(context, images, result);
    }
    if (tally.seen == part.count()) end_part(context);
  }

  // What ReLU's adversarial images do to every beta.
  void transfer_to_all(const at::Tensor& images, const at::Tensor& labels) {
    for (std::size_t i = 0; i < betas_.size(); ++i) {
      curvature_->beta = betas_[i];
      transferred_[i] += logits(images).argmax(1).eq(labels).sum().item<std::int64_t>();
    }
    curvature_->beta = betas_[beta_];
  }

  void end_part(RunContext& context) {
    const auto step = static_cast<std::int64_t>(beta_);
    const Tally& tally = tallies_[beta_][part_];
    if (part_ == 0) {
      context.metric("beta", step, betas_[beta_]);
      context.metric("clean/validation_accuracy", step, tally.clean_accuracy());
      context.metric("robust/validation_accuracy", step, tally.robust_accuracy());
      part_ = 1;
      return;
    }
    context.metric("clean/accuracy", step, tally.clean_accuracy());
    context.metric("robust/accuracy", step, tally.robust_accuracy());
    context.metric("robust/loss", step, tally.loss / static_cast<double>(tally.seen));
    if (beta_ == 0) {
      for (std::size_t i = 0; i < betas_.size(); ++i) {
        context.metric("robust/transferred", static_cast<std::int64_t>(i),
                       static_cast<double>(transferred_[i]) / static_cast<double>(tally.seen));
      }
    }
    context.text(fmt::format("beta {}: clean {:.4f}, robust {:.4f}", shortest(betas_[beta_]),
                             tally.clean_accuracy(), tally.robust_accuracy()));
    part_ = 0;
    ++beta_;
    if (beta_ == betas_.size()) stage_ = Stage::done;
  }

  void show_perturbations(RunContext& context, const at::Tensor& images,
                          const AttackResult& result) const {
    const std::int64_t shown = std::min<std::int64_t>(images.size(0), 8);
    const at::Tensor before = to_pixels(images.slice(0, 0, shown));
    const at::Tensor after = to_pixels(result.images.slice(0, 0, shown));
    const at::Tensor change = after - before;
    const double largest = std::max(change.abs().max().item<double>(), 1e-12);
    std::vector<Image> sheet;
    for (const at::Tensor& row : {before, 0.5 + change / (2.0 * largest), after}) {
      const Dataset bytes{(row * 255.0).round().clamp(0, 255).to(torch::kByte), {}, {}};
      for (std::int64_t i = 0; i < shown; ++i) {
        const Image image = image_at(bytes, i);
        const bool attacked_row = sheet.size() >= 2 * static_cast<std::size_t>(shown);
        const bool fooled = attacked_row && !result.correct[i].item<bool>();
        const Color frame = fooled ? Color{194, 65, 58} : Color{225, 228, 232};
        sheet.push_back(framed(enlarged(image, enlargement(image.width)), frame, 2));
      }
    }
    const double beta = betas_[beta_];
    const Json meta = {
        {"beta", beta},
        {"rows", {"image", "change", "attacked"}},
        {"caption",
         fmt::format("beta {}: images, changes ({} times enlarged, grey is none), attacked images; "
                     "a red frame: fooled",
                     shortest(beta), shortest(std::round(5.0 / largest) / 10.0))}};
    const auto step = static_cast<std::int64_t>(beta_);
    context.image("perturbations", step, contact_sheet(sheet, static_cast<int>(shown), 2), meta);
    context.tensors("attacked", step, {{"before", raw(before)}, {"after", raw(after)}}, meta);
  }

  static RawTensor raw(const at::Tensor& tensor) {
    const at::Tensor flat = tensor.to(torch::kFloat).contiguous();
    return RawTensor::from(
        std::vector<float>(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()),
        flat.sizes().vec());
  }

  void show_table(RunContext& context) const {
    Table table;
    table.columns = {"beta",
                     "clean_accuracy",
                     "robust_accuracy",
                     "accuracy_on_relu_attacks",
                     "clean_validation_accuracy",
                     "robust_validation_accuracy"};
    for (std::size_t i = 0; i < betas_.size(); ++i) {
      const auto& [validation, test] = tallies_[i];
      const double transferred =
          static_cast<double>(transferred_[i]) / static_cast<double>(test.seen);
      table.rows.push_back({shortest(betas_[i]), shortest(test.clean_accuracy()),
                            shortest(test.robust_accuracy()), shortest(transferred),
                            shortest(validation.clean_accuracy()),
                            shortest(validation.robust_accuracy())});
    }
    const Json meta = {{"attack", attack_},
                       {"norm", options_.norm == Norm::l2 ? "l2" : "linf"},
                       {"epsilon", options_.epsilon},
                       {"space", normalized_space_ ? "normalised, as released" : "pixels"},
                       {"selection", select_on_test_ ? "test images, as released" : "validation"}};
    context.table("accuracy_by_beta", 0, table, meta);
  }

  void report_progress(RunContext& context) const {
    // An attack of one image is worth many updates; the ratio only smooths the bar.
    const std::int64_t per_beta = parts_[0].count() + parts_[1].count();
    const std::int64_t source = training_ ? training_->total() : 0;
    const std::int64_t total = source + static_cast<std::int64_t>(betas_.size()) * per_beta;
    std::int64_t done = training_ ? training_->updates() : 0;
    for (const auto& pair : tallies_) done += pair[0].seen + pair[1].seen;
    const bool attacking = stage_ != Stage::source;
    const std::size_t shown = std::min(beta_, betas_.size() - 1);
    context.progress(done, total,
                     attacking ? fmt::format("attacking at beta {}", shortest(betas_[shown]))
                               : std::string("training on the source set"));
  }

  std::string attack_;
  AttackOptions options_;
  bool normalized_space_ = false, select_on_test_ = false;
  std::int64_t batch_ = 50;
  std::uint64_t attack_seed_ = 0;
  std::vector<double> betas_;     // from 1 down
  std::array<Dataset, 2> parts_;  // validation, test
  std::shared_ptr<nn::Classifier> net_;
  std::optional<SourceTraining> training_;
  Normalization normalization_;
  std::shared_ptr<Curvature> curvature_ = std::make_shared<Curvature>();

  Stage stage_ = Stage::source;
  std::size_t beta_ = 0, part_ = 0;
  std::vector<std::array<Tally, 2>> tallies_;
  std::vector<std::int64_t> transferred_;
};

}  // namespace

std::unique_ptr<Experiment> make_robustness() {
  return std::make_unique<Robustness>();
}

}  // namespace assay::curvature_tuning
