// Nets that carry the unit: parameter counts, rule-weight ResNets, low-rank layers, and the
// authors' two toys, evaluated and trained anew.
#ifndef Q_MOC_RUN  // moc takes many seconds over headers it does not need
#include <torch/torch.h>

#include <QElapsedTimer>
#include <QTest>
#include <functional>

#include "core/torch/io/weights.h"
#include "core/torch/math/generator.h"
#include "core/torch/nn/lora.h"
#include "core/torch/nn/resnet.h"
#include "core/torch/nn/small_nets.h"
#include "core/torch/train/schedule.h"
#include "core/torch/train/state.h"
#include "plugins/curvature_tuning/model/curvature.h"
#include "support/golden.h"
#endif

using namespace assay;
using namespace assay::curvature_tuning;
using golden::largest_gap;

namespace {

const char* const folder = "curvature_tuning";

NamedTensors with_prefix(const golden::File& file, const std::string& prefix) {
  NamedTensors some;
  for (const auto& [name, raw] : file.tensors) {
    if (name.compare(0, prefix.size(), prefix) == 0) some[name.substr(prefix.size())] = raw;
  }
  return some;
}

std::shared_ptr<nn::Mlp> mlp_from(const golden::File& file, const std::string& prefix,
                                  const nn::MlpOptions& options) {
  auto net = std::make_shared<nn::Mlp>(options);
  load_weights(*net, with_prefix(file, prefix), prefix);
  return net;
}

// Full-batch binary cross-entropy on logits; the loss before each step.
std::vector<double> train(nn::Mlp& net, const golden::File& file, int steps,
                          const std::function<double(int)>& rate) {
  const at::Tensor x = file.tensor("X"), label = file.tensor("label").to(at::kFloat);
  std::vector<at::Tensor> parameters;
  for (const at::Tensor& parameter : net.parameters()) {
    if (parameter.requires_grad()) parameters.push_back(parameter);
  }
  torch::optim::AdamW optimizer(parameters, torch::optim::AdamWOptions(1e-3));
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) {
    set_rate(optimizer, rate(i));
    optimizer.zero_grad();
    const at::Tensor loss =
        at::binary_cross_entropy_with_logits(net.forward(x).view({-1}), label, {}, {}, 1);
    loss.backward();
    optimizer.step();
    losses.push_back(loss.item<double>());
  }
  return losses;
}

double gap_of_first(const std::vector<double>& losses, const at::Tensor& curve, int count) {
  double gap = 0.0;
  for (int i = 0; i < count; ++i) {
    gap = std::max(gap, std::abs(losses[static_cast<std::size_t>(i)] - curve[i].item<double>()));
  }
  return gap;
}

double constant_rate(int /*step*/) {
  return 1e-3;
}

void within_factor_two(double value, double reference) {
  QVERIFY2(value < 2.0 * reference && value > 0.5 * reference,
           qPrintable(QString("%1 against %2").arg(value).arg(reference)));
}

constexpr int toy_steps = 4000;

}  // namespace

class NetsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void parameterCounts_data();
  void parameterCounts();
  void unitNamesAndShapes();
  void ruleWeightResNets_data();
  void ruleWeightResNets();
  void cifarUnits();
  void learningRates();
  void lowRankLayers();
  void lowRankStartsUnchanged();
  void spiralGrid();
  void spiralTraining();
  void circleBase();
  void circleLowRank();
  void circleTrainable();
  void steeringFollowsTheSlider();
};

void NetsTest::parameterCounts_data() {
  QTest::addColumn<int>("depth");
  QTest::addColumn<int>("units");
  QTest::addColumn<int>("parameters");
  QTest::newRow("resnet18") << 18 << 9 << 3968;
  QTest::newRow("resnet50") << 50 << 49 << 45440;
  QTest::newRow("resnet152") << 152 << 151 << 143744;
}

void NetsTest::parameterCounts() {
  QFETCH(int, depth);
  QFETCH(int, units);
  QFETCH(int, parameters);
  const Json all = golden::read_json(folder, "ct_scalars").at("param_counts");
  const Json& facts = all.at("resnet" + std::to_string(depth));
  QCOMPARE(facts.at("tct_params").get<int>(), parameters);
  QCOMPARE(facts.at("ctu_modules").get<int>(), units);
  nn::ResNet net({depth, 10, true});
  nn::set_trainable(net, false);
  const std::vector<NamedCtu> made = make_trainable(net);
  QCOMPARE(static_cast<int>(made.size()), units);
  QCOMPARE(static_cast<int>(parameter_count(made)), parameters);
  QCOMPARE(static_cast<int>(nn::trainable_count(net)), parameters);

  nn::ResNet lora({depth, 10, false});
  nn::wrap_with_lora(lora, {1, 1.0}, [](const std::string& path) { return path == "fc"; });
  QCOMPARE(static_cast<int>(nn::trainable_count(lora)), facts.at("lora_r1_params").get<int>());
}

void NetsTest::unitNamesAndShapes() {
  const golden::File file = golden::read(folder, "ct_resnet_rule");
  const auto check = [&](torch::nn::Module& net, const char* key) {
    const Json& expected = file.meta.at(key);
    make_trainable(net);
    std::size_t found = 0;
    for (const auto& parameter : net.named_parameters()) {
      const std::string& name = parameter.key();
      if (name.find("_raw_beta") == std::string::npos) continue;
      QVERIFY2(expected.contains(name), name.c_str());
      QCOMPARE(parameter.value().sizes().vec(), expected.at(name).get<std::vector<std::int64_t>>());
      ++found;
    }
    QCOMPARE(found, expected.size());
  };
  nn::ResNet net({18, 10, false});
  check(net, "tv_resnet18_tct_raw_beta_shapes");
  nn::CifarResNet18 cifar(10);
  check(cifar, "repo_cifar_resnet18_tct_raw_beta_shapes");
}

void NetsTest::ruleWeightResNets_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"tv_resnet18", "tv_resnet50_ctbottleneck", "repo_cifar_resnet18"}) {
    QTest::newRow(name) << QString(name);
  }
}

void NetsTest::ruleWeightResNets() {
  QFETCH(QString, name);
  const std::string key = name.toStdString();
  const bool cifar = key == "repo_cifar_resnet18";
  const auto make = [&]() -> std::shared_ptr<nn::Classifier> {
    if (cifar) return std::make_shared<nn::CifarResNet18>(10);
    return std::make_shared<nn::ResNet>(
        nn::ResNetOptions{key == "tv_resnet18" ? 18 : 50, 10, true});
  };
  const golden::File file = golden::read(folder, "ct_resnet_rule");
  const at::Tensor images = golden::uniform(cifar ? "input:res.x32" : "input:res.x",
                                            {2, 3, cifar ? 32 : 64, cifar ? 32 : 64});
  const torch::NoGradGuard no_grad;
  const auto check = [&](const at::Tensor& ours, const at::Tensor& theirs) {
    const at::Tensor gap = (ours - theirs).abs().amax(1) / theirs.abs().amax(1);
    QVERIFY2(gap.max().item<double>() <= 1e-3,
             qPrintable(QString::number(gap.max().item<double>())));
  };
  const auto net = make();
  golden::set_by_rule(*net, key + ".");
  net->eval();
  const at::Tensor expected = file.tensor(key);
  check(net->forward(images), expected[0]);
  auto curvature = std::make_shared<Curvature>();
  QVERIFY(steer(*net, curvature) > 0);
  const auto betas = file.meta.at("betas").get<std::vector<double>>();
  for (std::size_t i = 0; i < betas.size(); ++i) {
    curvature->beta = betas[i];
    check(net->forward(images), expected[static_cast<std::int64_t>(i)]);
  }
  const auto trainable = make();
  golden::set_by_rule(*trainable, key + ".");
  trainable->eval();
  make_trainable(*trainable);
  check(trainable->forward(images), file.tensor(key + "_tct_default"));
}

void NetsTest::cifarUnits() {
  nn::CifarResNet18 net(10);
  QCOMPARE(static_cast<int>(make_trainable(net).size()), 9);
}

void NetsTest::learningRates() {
  const Json scalars = golden::read_json(folder, "ct_scalars");
  WarmUpMultiStep schedule;
  schedule.base_rate = 1e-3;
  schedule.steps_per_epoch = 5;
  schedule.milestones = {10};
  for (const char* key : {"lr_linear_probe_iters5", "lr_transfer_iters5"}) {
    const Json& epochs = scalars.at(key);
    QCOMPARE(epochs.size(), std::size_t{20});
    for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch) {
      for (std::size_t step = 0; step < epochs[epoch].size(); ++step) {
        const double ours =
            schedule.rate(static_cast<std::int64_t>(epoch), static_cast<std::int64_t>(step));
        QVERIFY(std::abs(ours - epochs[epoch][step].get<double>()) <= 1e-12);
      }
    }
  }
}

void NetsTest::lowRankLayers() {
  const golden::File file = golden::read(folder, "ct_lora");
  const torch::NoGradGuard no_grad;
  auto linear = nn::linear(8, 6);
  linear->weight.copy_(file.tensor("linear.weight"));
  linear->bias.copy_(file.tensor("linear.bias"));
  nn::LoraLinear wrapped(linear, {2, 4.0});
  QCOMPARE(wrapped.A.sizes().vec(), file.tensor("linear.A").sizes().vec());
  wrapped.A.copy_(file.tensor("linear.A"));
  wrapped.B.copy_(file.tensor("linear.B"));
  QVERIFY(largest_gap(wrapped.forward(file.tensor("linear.x")), file.tensor("linear.y")) <= 1e-5);

  auto conv = nn::conv2d(3, 4, 3, 2, 1, true);
  conv->weight.copy_(file.tensor("conv.weight"));
  conv->bias.copy_(file.tensor("conv.bias"));
  nn::LoraConv2d wrapped_conv(conv, {1, 1.0});
  QCOMPARE(wrapped_conv.B.sizes().vec(), file.tensor("conv.B").sizes().vec());
  wrapped_conv.A.copy_(file.tensor("conv.A"));
  wrapped_conv.B.copy_(file.tensor("conv.B"));
  QVERIFY(largest_gap(wrapped_conv.forward(file.tensor("conv.x")), file.tensor("conv.y")) <= 1e-5);
}

void NetsTest::lowRankStartsUnchanged() {
  const SeededInitialisation seeded(5);
  nn::SmallCnn net({3, {8, 16}, 4});
  net.eval();
  const at::Tensor images = torch::rand({2, 3, 12, 12});
  const at::Tensor before = net.forward(images);
  QCOMPARE(nn::wrap_with_lora(net, {2, 2.0}), 3);
  QVERIFY(largest_gap(net.forward(images), before) == 0.0);
  // Only A gets a gradient at first (B is not zero, A is), and only the factors are trainable.
  net.forward(images).square().sum().backward();
  for (const auto& parameter : net.named_parameters()) {
    const bool factor = parameter.key().find("original_layer") == std::string::npos &&
                        (parameter.key().back() == 'A' || parameter.key().back() == 'B');
    QCOMPARE(parameter.value().requires_grad(), factor);
    if (factor && parameter.key().back() == 'A') {
      QVERIFY(parameter.value().grad().abs().sum().item<double>() > 0.0);
    }
  }
}

void NetsTest::spiralGrid() {
  const golden::File file = golden::read(folder, "ct_spiral_mlp");
  const auto net = mlp_from(file, "final.", {2, 20, 2, 1});
  const double bound = file.meta.at("B").get<double>();
  const at::Tensor line = torch::linspace(-bound, bound, 61);
  const at::Tensor x = line.repeat({61}), y = line.repeat_interleave(61);
  const at::Tensor points = torch::stack({x, y}, 1);
  const torch::NoGradGuard no_grad;
  const at::Tensor expected = file.tensor("grid_logits");
  const auto betas = file.meta.at("betas").get<std::vector<double>>();
  const auto curvature = std::make_shared<Curvature>();
  QVERIFY(largest_gap(net->forward(points).view({-1}), expected[0]) <= 1e-4);
  QCOMPARE(steer(*net, curvature), 1);  // one unit shared by both layers
  for (std::size_t i = 0; i < betas.size(); ++i) {
    curvature->beta = betas[i];
    const double gap =
        largest_gap(net->forward(points).view({-1}), expected[static_cast<std::int64_t>(i)]);
    QVERIFY2(gap <= 1e-4, qPrintable(QString("beta %1: %2").arg(betas[i]).arg(gap)));
  }
}

void NetsTest::spiralTraining() {
  const golden::File file = golden::read(folder, "ct_spiral_mlp");
  const auto net = mlp_from(file, "init.", {2, 20, 2, 1});
  const auto losses =
      train(*net, file, 2000, [](int step) { return step_rate(1e-3, 0.1, 500, step); });
  const at::Tensor curve = file.tensor("loss_curve");
  QVERIFY(gap_of_first(losses, curve, 50) <= 1e-4);
  // Later the curve agrees in shape.
  QVERIFY(std::abs(losses.back() - curve[1999].item<double>()) < 0.05 * curve[1999].item<double>());
}

void NetsTest::circleBase() {
  const golden::File file = golden::read(folder, "ct_toy_circle");
  const auto net = mlp_from(file, "base_init.", {2, 10, 1, 1});
  const auto losses = train(*net, file, toy_steps, constant_rate);
  QVERIFY(gap_of_first(losses, file.tensor("base_loss"), 50) <= 1e-4);
  within_factor_two(losses.back(), file.meta.at("final_losses").at("base").get<double>());
}

void NetsTest::circleLowRank() {
  const golden::File file = golden::read(folder, "ct_toy_circle");
  const auto net = mlp_from(file, "base_final.", {2, 10, 1, 1});
  QCOMPARE(nn::wrap_with_lora(*net, {1, 1.0}), 2);
  {
    const torch::NoGradGuard no_grad;
    for (auto& parameter : net->named_parameters()) {
      const auto found = file.tensors.find("lora_init." + parameter.key());
      if (found != file.tensors.end()) parameter.value().copy_(to_tensor(found->second));
    }
  }
  // Only the factors learn: wrapping froze the rest.
  const auto losses = train(*net, file, toy_steps, constant_rate);
  const double gap = gap_of_first(losses, file.tensor("lora_loss"), 50);
  QVERIFY2(gap <= 1e-4, qPrintable(QString::number(gap)));
  within_factor_two(losses.back(), file.meta.at("final_losses").at("lora").get<double>());
}

void NetsTest::circleTrainable() {
  const golden::File file = golden::read(folder, "ct_toy_circle");
  const auto net = mlp_from(file, "base_final.", {2, 10, 1, 1});
  const auto units = make_trainable(*net, file.meta.at("raw_beta_init").get<double>());
  QCOMPARE(units.size(), std::size_t{1});
  QCOMPARE(QString::fromStdString(units[0].name), QString("nonlinearity"));
  QCOMPARE(units[0].unit->raw_beta.sizes().vec(),
           file.tensor("tct_final.nonlinearity._raw_beta").sizes().vec());
  const auto losses = train(*net, file, toy_steps, constant_rate);
  const double gap = gap_of_first(losses, file.tensor("tct_loss"), 50);
  QVERIFY2(gap <= 1e-4, qPrintable(QString::number(gap)));
  within_factor_two(losses.back(), file.meta.at("final_losses").at("tct").get<double>());
}

void NetsTest::steeringFollowsTheSlider() {
  const SeededInitialisation seeded(7);
  nn::SmallCnn net({1, {4, 8}, 3});
  net.eval();
  const at::Tensor images = torch::rand({2, 1, 8, 8});
  const torch::NoGradGuard no_grad;
  const at::Tensor plain = net.forward(images);
  const auto curvature = std::make_shared<Curvature>(Curvature{1.0, 0.5, AtOne::relu});
  QCOMPARE(steer(net, curvature), 2);
  QVERIFY(torch::equal(net.forward(images), plain));
  curvature->beta = 0.5;
  QVERIFY(!torch::equal(net.forward(images), plain));
  QCOMPARE(static_cast<int>(net.parameters().size()), 8);  // steering brings no parameters
}

QTEST_GUILESS_MAIN(NetsTest)
#include "nets_test.moc"
