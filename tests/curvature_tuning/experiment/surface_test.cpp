// Derivatives carried forward through a perceptron, against LibTorch's own differentiation.
#include <torch/autograd.h>
#include <torch/types.h>

#include <QtTest>

#include "core/torch/math/generator.h"
#include "core/torch/nn/lora.h"
#include "core/torch/nn/small_nets.h"
#include "plugins/curvature_tuning/experiment/mlp_surface.h"
#include "plugins/curvature_tuning/model/curvature.h"

using namespace assay;
using namespace assay::curvature_tuning;

namespace {

struct Reference {
  at::Tensor value, gradient, hessian;
};

// In float64, row by row of the gradient.
Reference by_autograd(nn::Mlp& net, const at::Tensor& inputs) {
  const at::Tensor x = inputs.to(torch::kDouble).clone().set_requires_grad(true);
  const at::Tensor y = net.forward(x).view(-1);
  const at::Tensor gradient = torch::autograd::grad({y.sum()}, {x}, {}, true, true)[0];
  std::vector<at::Tensor> rows;
  for (std::int64_t d = 0; d < x.size(1); ++d) {
    rows.push_back(torch::autograd::grad({gradient.select(1, d).sum()}, {x}, {}, true)[0]);
  }
  return {y.detach(), gradient.detach(), torch::stack(rows, 1).detach()};
}

double gap(const at::Tensor& a, const at::Tensor& b) {
  return (a.to(torch::kDouble) - b.to(torch::kDouble)).abs().max().item<double>();
}

nn::Mlp make_net(std::int64_t in, int depth) {
  const SeededInitialisation seeded(5);
  nn::MlpOptions options;
  options.in = in;
  options.width = 12;
  options.depth = depth;
  return nn::Mlp(options);
}

at::Tensor some_inputs(std::int64_t dimensions) {
  return torch::randn({200, dimensions}, make_generator(9)) * 3.0;
}

}  // namespace

class SurfaceTest : public QObject {
  Q_OBJECT

  void check(std::int64_t dimensions, int depth, double beta, double c, double tolerance) {
    nn::Mlp net = make_net(dimensions, depth);
    const auto curvature = std::make_shared<Curvature>();
    curvature->beta = beta;
    curvature->c = c;
    steer(net, curvature);
    const at::Tensor inputs = some_inputs(dimensions);
    const Surface surface = surface_of(weights_of(net), bend_of(beta, c), inputs);
    net.to(torch::kDouble);
    const Reference reference = by_autograd(net, inputs);
    const auto close = [&](const at::Tensor& got, const at::Tensor& wanted, const char* what) {
      const double scale = 1.0 + wanted.abs().max().item<double>();
      const double far = gap(got, wanted) / scale;
      QVERIFY2(far < tolerance, qPrintable(QString("%1: %2").arg(what).arg(far)));
    };
    close(surface.value, reference.value, "value");
    close(surface.gradient, reference.gradient, "gradient");
    close(surface.hessian, reference.hessian, "hessian");
  }

 private Q_SLOTS:
  void agrees_with_autograd() {
    for (const double beta : {0.0, 0.3, 0.7, 0.95}) {
      for (const double c : {0.0, 0.5, 1.0}) {
        check(2, 1, beta, c, 2e-5);
        check(2, 3, beta, c, 2e-5);
        check(1, 2, beta, c, 2e-5);
      }
    }
  }

  void relu_has_no_curvature() {
    nn::Mlp net = make_net(2, 2);
    const at::Tensor inputs = some_inputs(2);
    const Surface surface = surface_of(weights_of(net), bend_of(1.0, 0.5), inputs);
    const torch::NoGradGuard no_gradient;
    QVERIFY(gap(surface.value, net.forward(inputs).view(-1)) < 1e-5);
    QCOMPARE(surface.hessian_norm().abs().max().item<double>(), 0.0);
  }

  void units_may_differ() {
    nn::Mlp net = make_net(2, 2);
    const auto units = make_trainable(net);
    {
      const torch::NoGradGuard no_gradient;
      at::Tensor raw_beta = units.front().unit->raw_beta;
      raw_beta.copy_(torch::linspace(-2.0, 3.0, raw_beta.numel()).view(raw_beta.sizes()));
      at::Tensor raw_c = units.front().unit->raw_coeff;
      raw_c.copy_(torch::linspace(4.0, -4.0, raw_c.numel()).view(raw_c.sizes()));
    }
    const Bend bend{units.front().unit->beta(), units.front().unit->coeff()};
    const at::Tensor inputs = some_inputs(2);
    const Surface surface = surface_of(weights_of(net), bend, inputs);
    net.to(torch::kDouble);
    const Reference reference = by_autograd(net, inputs);
    QVERIFY(gap(surface.hessian, reference.hessian) < 1e-4);
  }

  void lora_counts_with_the_weights() {
    nn::Mlp net = make_net(2, 2);
    const SeededInitialisation seeded(6);
    nn::wrap_with_lora(net, {2, 2.0});
    const torch::NoGradGuard no_gradient;
    for (const auto& item : net.named_parameters()) {
      at::Tensor factor = item.value();
      if (item.key().ends_with(".A")) factor.fill_(0.3);
    }
    const at::Tensor inputs = some_inputs(2);
    const Surface surface = surface_of(weights_of(net), bend_of(1.0, 0.5), inputs);
    QVERIFY(gap(surface.value, net.forward(inputs).view(-1)) < 1e-4);
  }

  void norms_of_a_known_hessian() {
    Surface surface;
    surface.gradient = torch::tensor({3.0F, 4.0F}).view({1, 2});
    surface.hessian = torch::tensor({2.0F, 1.0F, 1.0F, -1.0F}).view({1, 2, 2});
    QVERIFY(std::abs(surface.hessian_norm().item<double>() - std::sqrt(7.0)) < 1e-6);
    // (9*2 + 2*12*1 - 16) / 25
    QVERIFY(std::abs(surface.normal_curvature().item<double>() - 26.0 / 25.0) < 1e-6);
  }
};

QTEST_APPLESS_MAIN(SurfaceTest)
#include "surface_test.moc"
