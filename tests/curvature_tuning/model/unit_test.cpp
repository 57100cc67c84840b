// The activation: against reference values, against itself composed of LibTorch operations, against
// finite differences, and at its edges.
#ifndef Q_MOC_RUN  // moc takes many seconds over headers it does not need
#include <torch/torch.h>

#include <QTest>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "plugins/curvature_tuning/model/ctu.h"
#include "plugins/curvature_tuning/model/ctu_kernels.h"
#include "plugins/curvature_tuning/model/curvature.h"
#include "support/golden.h"
#endif

using namespace assay;
using namespace assay::curvature_tuning;
using golden::largest_gap;

namespace {

const char* const folder = "curvature_tuning";

double logit(double p) {
  return std::log(p) - std::log1p(-p);
}

// beta and c as the reference made them: through raw values, infinite at 0 and 1.
at::Tensor through_sigmoid(double p, at::ScalarType type) {
  const double given = static_cast<double>(static_cast<float>(p));
  return at::sigmoid(torch::full({1}, logit(type == at::kFloat ? given : p), type));
}

struct Gradients {
  at::Tensor y, x, beta, c;
};

using Unit = std::function<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Tensor&)>;

Gradients gradients_of(const Unit& unit, const at::Tensor& x, const at::Tensor& beta,
                       const at::Tensor& c, const at::Tensor& weight) {
  const at::Tensor a = x.detach().requires_grad_(true);
  const at::Tensor b = beta.detach().requires_grad_(true), k = c.detach().requires_grad_(true);
  const at::Tensor y = unit(a, b, k);
  const auto g = torch::autograd::grad({(y * weight).sum()}, {a, b, k});
  return {y.detach(), g[0], g[1], g[2]};
}

at::Tensor fused(const at::Tensor& x, const at::Tensor& beta, const at::Tensor& c) {
  return ctu(x, beta, c, AtOne::formula);
}

// Random per-channel parameters of the shape that `like` gives, beta in [0.05, 0.95].
at::Tensor random_units(const std::vector<std::int64_t>& shape, at::ScalarType type) {
  return torch::rand(shape, type) * 0.9 + 0.05;
}

double relative_gap(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor da = a.to(at::kDouble), db = b.to(at::kDouble);
  return ((da - db).abs() / (db.abs() + 1.0)).max().item<double>();
}

void compare(const Gradients& ours, const Gradients& theirs, double tolerance) {
  QVERIFY2(relative_gap(ours.y, theirs.y) <= tolerance, "y");
  QVERIFY2(relative_gap(ours.x, theirs.x) <= tolerance, "gradient of x");
  QVERIFY2(relative_gap(ours.beta, theirs.beta) <= tolerance,
           qPrintable(QString::number(relative_gap(ours.beta, theirs.beta))));
  QVERIFY2(relative_gap(ours.c, theirs.c) <= tolerance, "gradient of c");
}

struct ScalarKernels {
  ScalarKernels() { force_scalar_kernels(true); }
  ~ScalarKernels() { force_scalar_kernels(false); }
};

}  // namespace

class UnitTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { torch::manual_seed(3); }
  void gridMatches_data();
  void gridMatches();
  void trainableMatches_data();
  void trainableMatches();
  void closedFormsMatchSummary();
  void gradientsMatchFiniteDifferences();
  void secondDerivativesMatchFiniteDifferences();
  void fusedMatchesComposed_data();
  void fusedMatchesComposed();
  void anyLayoutGivesTheSame();
  void channelsLastStaysSo();
  void emptyInputs();
  void notANumberStays();
  void hugeValuesStayFinite();
  void oneIsRelu();
  void scalarKernelsAgree_data();
  void scalarKernelsAgree();
  void repeatsAndThreadsGiveTheSameBits();
  void keepsOnlyTheInput();
  void otherTypesGoComposed();
};

void UnitTest::gridMatches_data() {
  QTest::addColumn<bool>("scalar");
  QTest::newRow("fastest kernels") << false;
  QTest::newRow("scalar kernels") << true;
}

void UnitTest::gridMatches() {
  QFETCH(bool, scalar);
  force_scalar_kernels(scalar);
  const golden::File file = golden::read(folder, "ct_ctu_grid");
  const auto betas = file.meta.at("betas").get<std::vector<double>>();
  const auto coeffs = file.meta.at("coeffs").get<std::vector<double>>();
  const at::Tensor x32 = file.tensor("x");
  std::vector<double> points;
  for (int i = 0; i < 241; ++i) points.push_back(i == 240 ? 6.0 : -6.0 + i * (12.0 / 240.0));
  const at::Tensor x64 = torch::tensor(points, torch::kDouble);
  const at::Tensor y32 = file.tensor("y_f32"), y64 = file.tensor("y_f64");
  const at::Tensor slopes = file.tensor("dydx"), bends = file.tensor("d2ydx2");
  for (std::size_t b = 0; b < betas.size(); ++b) {
    for (std::size_t k = 0; k < coeffs.size(); ++k) {
      const auto bi = static_cast<std::int64_t>(b), ki = static_cast<std::int64_t>(k);
      const std::string where =
          "beta " + std::to_string(betas[b]) + " c " + std::to_string(coeffs[k]) + " gap ";
      const auto within = [&](const char* what, double gap, double limit) {
        QVERIFY2(gap <= limit, (where + what + " " + std::to_string(gap)).c_str());
      };
      const at::Tensor beta32 = through_sigmoid(betas[b], at::kFloat);
      const at::Tensor c32 = through_sigmoid(coeffs[k], at::kFloat);
      within("y_f32", largest_gap(fused(x32, beta32, c32), y32[bi][ki]), 2e-6);
      const at::Tensor beta = through_sigmoid(betas[b], at::kDouble);
      const at::Tensor c = through_sigmoid(coeffs[k], at::kDouble);
      within("y_f64", largest_gap(fused(x64, beta, c), y64[bi][ki]), 1e-12);
      // First and second derivative: fused backward, and its own differentiable form.
      at::Tensor x = x64.clone().requires_grad_(true);
      const at::Tensor plain = torch::autograd::grad({fused(x, beta, c).sum()}, {x})[0];
      const at::Tensor slope =
          torch::autograd::grad({fused(x, beta, c).sum()}, {x}, {}, true, true)[0];
      within("fused slope", largest_gap(plain, slopes[bi][ki]), 1e-6);
      within("slope", largest_gap(slope, slopes[bi][ki]), 1e-6);
      const at::Tensor bend = torch::autograd::grad({slope.sum()}, {x})[0];
      const at::Tensor target = bends[bi][ki].to(at::kDouble);
      const double gap = ((bend - target).abs() / target.abs().clamp_min(1.0)).max().item<double>();
      within("bend", gap, 1e-4);
    }
  }
  force_scalar_kernels(false);
}

void UnitTest::trainableMatches_data() {
  QTest::addColumn<QString>("layout");
  for (const char* layout : {"nchw", "nc", "nld"}) QTest::newRow(layout) << QString(layout);
}

void UnitTest::trainableMatches() {
  QFETCH(QString, layout);
  const std::string name = layout.toStdString() + ".";
  const golden::File file = golden::read(folder, "ct_tctu");
  const at::Tensor raw_beta = file.tensor(name + "raw_beta");
  const auto shape = raw_beta.sizes().vec();
  TrainableCtu unit(raw_beta.numel(), static_cast<int>(raw_beta.dim()));
  QCOMPARE(unit.raw_beta.sizes().vec(), shape);
  QVERIFY(std::abs(unit.beta()[0].item<double>() - file.meta.at("default_beta").get<double>()) <
          1e-6);
  {
    const torch::NoGradGuard no_grad;
    unit.raw_beta.copy_(raw_beta);
    unit.raw_coeff.copy_(file.tensor(name + "raw_coeff"));
  }
  at::Tensor x = file.tensor(name + "x").requires_grad_(true);
  const at::Tensor y = unit.forward(x);
  (y * file.tensor(name + "w")).sum().backward();
  QVERIFY(largest_gap(y, file.tensor(name + "y")) <= 1e-5);
  QVERIFY(largest_gap(x.grad(), file.tensor(name + "grad_x")) <= 1e-5);
  QVERIFY(largest_gap(unit.raw_beta.grad(), file.tensor(name + "grad_raw_beta")) <= 1e-5);
  QVERIFY(largest_gap(unit.raw_coeff.grad(), file.tensor(name + "grad_raw_coeff")) <= 1e-5);
}

void UnitTest::closedFormsMatchSummary() {
  const Json scalars = golden::read_json(folder, "ct_scalars");
  for (const Json& row : scalars.at("ctu_summary")) {
    const double beta = row.at("beta").get<double>(), c = row.at("c").get<double>();
    if (beta >= 1.0) continue;  // a plain ReLU here, the 1e-6 there
    const CtuCurves curves = ctu_curves({0.0}, beta, c);
    QVERIFY(std::abs(curves.value[0] - row.at("y(0)").get<double>()) < 1e-9);
    QVERIFY(std::abs(curves.slope[0] - 0.5) < 1e-12);
    const double bend = row.at("curv(0)").get<double>();
    QVERIFY(std::abs(curves.curvature[0] - bend) <= 1e-6 * std::max(bend, 1.0));
  }
  // The three curves agree with the unit and its derivatives everywhere.
  at::Tensor x = torch::linspace(-4, 4, 101, torch::kDouble).requires_grad_(true);
  const at::Tensor y =
      fused(x, torch::full({1}, 0.9, torch::kDouble), torch::full({1}, 0.3, torch::kDouble));
  const at::Tensor slope = torch::autograd::grad({y.sum()}, {x}, {}, true, true)[0];
  const at::Tensor bend = torch::autograd::grad({slope.sum()}, {x})[0];
  std::vector<double> points(x.data_ptr<double>(), x.data_ptr<double>() + x.numel());
  const CtuCurves curves = ctu_curves(points, 0.9, 0.3);
  QVERIFY(largest_gap(y, torch::tensor(curves.value, torch::kDouble)) < 1e-9);
  QVERIFY(largest_gap(slope, torch::tensor(curves.slope, torch::kDouble)) < 1e-7);
  QVERIFY(largest_gap(bend, torch::tensor(curves.curvature, torch::kDouble)) < 1e-6);
}

void UnitTest::gradientsMatchFiniteDifferences() {
  const at::Tensor x = torch::randn({2, 3, 4, 5}, torch::kDouble);
  const at::Tensor beta = random_units({1, 3, 1, 1}, at::kDouble);
  const at::Tensor c = random_units({1, 3, 1, 1}, at::kDouble);
  const at::Tensor weight = torch::randn_like(x);
  const Gradients ours = gradients_of(fused, x, beta, c, weight);
  const double h = 1e-6;
  const auto loss = [&](const at::Tensor& a, const at::Tensor& b, const at::Tensor& k) {
    return (fused(a, b, k) * weight).sum().item<double>();
  };
  const auto check = [&](int which, const at::Tensor& at, const at::Tensor& gradient) {
    for (std::int64_t i = 0; i < at.numel(); ++i) {
      at::Tensor more = at.clone(), less = at.clone();
      more.view({-1})[i] += h;
      less.view({-1})[i] -= h;
      const auto value = [&](const at::Tensor& moved) {
        return loss(which == 0 ? moved : x, which == 1 ? moved : beta, which == 2 ? moved : c);
      };
      const double measured = (value(more) - value(less)) / (2 * h);
      const double given = gradient.reshape({-1})[i].item<double>();
      QVERIFY2(std::abs(measured - given) <= 1e-6 * (1.0 + std::abs(given)),
               qPrintable(QString("argument %1, element %2: %3, %4")
                              .arg(which)
                              .arg(i)
                              .arg(measured)
                              .arg(given)));
    }
  };
  check(0, x, ours.x);
  check(1, beta, ours.beta);
  check(2, c, ours.c);
}

void UnitTest::secondDerivativesMatchFiniteDifferences() {
  // The gradient of a mixture of all three gradients, against differences of that mixture.
  const at::Tensor x = torch::randn({2, 3, 2, 2}, torch::kDouble);
  const at::Tensor beta = random_units({1, 3, 1, 1}, at::kDouble);
  const at::Tensor c = random_units({1, 3, 1, 1}, at::kDouble);
  const at::Tensor v = torch::randn_like(x), w = torch::randn_like(beta);
  const auto mixture = [&](const at::Tensor& a, const at::Tensor& b, const at::Tensor& k,
                           bool graph) {
    const auto g = torch::autograd::grad({(fused(a, b, k) * v).sum()}, {a, b, k}, {}, graph, graph);
    return (g[0] * v).sum() + (g[1] * w).sum() + (g[2] * w * 2).sum();
  };
  const auto leaf = [](const at::Tensor& t) { return t.detach().clone().requires_grad_(true); };
  const at::Tensor a = leaf(x), b = leaf(beta), k = leaf(c);
  const auto second = torch::autograd::grad({mixture(a, b, k, true)}, {a, b, k});
  const std::vector<at::Tensor> at{x, beta, c};
  const double h = 1e-6;
  for (std::size_t which = 0; which < at.size(); ++which) {
    for (std::int64_t i = 0; i < at[which].numel(); ++i) {
      const auto value = [&](double by) {
        std::vector<at::Tensor> moved{leaf(x), leaf(beta), leaf(c)};
        at::Tensor shifted = at[which].clone();
        shifted.view({-1})[i] += by;
        moved[which] = leaf(shifted);
        return mixture(moved[0], moved[1], moved[2], false).item<double>();
      };
      const double measured = (value(h) - value(-h)) / (2 * h);
      const double given = second[which].reshape({-1})[i].item<double>();
      QVERIFY2(std::abs(measured - given) <= 1e-4 * (1.0 + std::abs(given)),
               qPrintable(QString("argument %1, element %2: %3, %4")
                              .arg(which)
                              .arg(i)
                              .arg(measured)
                              .arg(given)));
    }
  }
}

void UnitTest::fusedMatchesComposed_data() {
  QTest::addColumn<QList<int>>("shape");
  QTest::addColumn<int>("axis");  // -1: one unit for all
  QTest::newRow("images, per channel") << QList<int>{3, 5, 9, 7} << 1;
  QTest::newRow("images, shared") << QList<int>{3, 5, 9, 7} << -1;
  QTest::newRow("rows") << QList<int>{300, 13} << 1;
  QTest::newRow("many rows, wide") << QList<int>{600, 70} << 1;
  QTest::newRow("tokens") << QList<int>{2, 301, 12} << 2;
  QTest::newRow("one vector") << QList<int>{37} << -1;
  QTest::newRow("blocks longer than a run") << QList<int>{2, 2, 200, 101} << 1;
  QTest::newRow("large, shared") << QList<int>{100001} << -1;
}

void UnitTest::fusedMatchesComposed() {
  QFETCH(QList<int>, shape);
  QFETCH(int, axis);
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    const std::vector<std::int64_t> size(shape.begin(), shape.end());
    std::vector<std::int64_t> unit_size(size.size(), 1);
    if (axis >= 0) unit_size[static_cast<std::size_t>(axis)] = size[static_cast<std::size_t>(axis)];
    const at::Tensor x = torch::randn(size, type) * 3;
    const at::Tensor beta = random_units(unit_size, type), c = random_units(unit_size, type);
    const at::Tensor weight = torch::randn(size, type);
    // The reference is computed in float64 for both.
    const Gradients theirs = gradients_of(ctu_composed, x.to(at::kDouble), beta.to(at::kDouble),
                                          c.to(at::kDouble), weight.to(at::kDouble));
    compare(gradients_of(fused, x, beta, c, weight), theirs, type == at::kFloat ? 2e-5 : 1e-9);
  }
}

void UnitTest::anyLayoutGivesTheSame() {
  const at::Tensor base = torch::randn({4, 6, 5, 8});
  const at::Tensor beta = random_units({1, 6, 1, 1}, at::kFloat);
  const at::Tensor c = random_units({1, 6, 1, 1}, at::kFloat);
  const at::Tensor weight = torch::randn({4, 6, 5, 8});
  const Gradients plain = gradients_of(fused, base, beta, c, weight);
  const std::vector<at::Tensor> others{
      base.contiguous(at::MemoryFormat::ChannelsLast),
      base.permute({3, 2, 1, 0}).contiguous().permute({3, 2, 1, 0}),
      torch::stack({base, base}, 4).select(4, 1),  // strides with gaps
  };
  for (const at::Tensor& other : others) {
    QVERIFY(!other.is_contiguous());
    compare(gradients_of(fused, other, beta, c, weight), plain, 2e-6);
    compare(gradients_of(fused, other, beta, c, weight.contiguous(at::MemoryFormat::ChannelsLast)),
            plain, 2e-6);
  }
  // A gradient that is one number spread out.
  at::Tensor x = base.clone().requires_grad_(true);
  fused(x, beta, c).sum().backward();
  const Gradients ones = gradients_of(fused, base, beta, c, torch::ones_like(base));
  QVERIFY(largest_gap(x.grad(), ones.x) < 1e-6);  // without parameters it divides otherwise
}

void UnitTest::channelsLastStaysSo() {
  const at::Tensor x = torch::randn({2, 8, 4, 4}).contiguous(at::MemoryFormat::ChannelsLast);
  const at::Tensor unit = random_units({1, 8, 1, 1}, at::kFloat);
  QVERIFY(fused(x, unit, unit).is_contiguous(at::MemoryFormat::ChannelsLast));
}

void UnitTest::emptyInputs() {
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{0, 3, 4, 4}, std::vector<std::int64_t>{2, 3, 0, 4}}) {
    const at::Tensor unit = random_units({1, 3, 1, 1}, at::kFloat);
    const Gradients g = gradients_of(fused, torch::empty(shape), unit, unit, torch::empty(shape));
    QCOMPARE(g.y.sizes().vec(), shape);
    QCOMPARE(g.x.sizes().vec(), shape);
    QVERIFY(g.beta.eq(0).all().item<bool>() && g.c.eq(0).all().item<bool>());
  }
}

void UnitTest::notANumberStays() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const bool scalar : {false, true}) {
    force_scalar_kernels(scalar);
    at::Tensor x = torch::randn({40});
    x[3] = nan;
    x[39] = nan;  // in the part that fills no whole vector
    for (const double beta : {0.0, 0.5, 0.95, 1.0}) {
      for (const AtOne at_one : {AtOne::formula, AtOne::relu}) {
        const at::Tensor y = ctu(x, torch::full({1}, beta), torch::full({1}, 0.5), at_one);
        QVERIFY(torch::isnan(y).eq(torch::isnan(x)).all().item<bool>());
      }
    }
    const at::Tensor unit = torch::full({1}, 0.9);
    const Gradients g = gradients_of(fused, x, unit, unit, torch::ones({40}));
    QVERIFY(torch::isnan(g.x).eq(torch::isnan(x)).all().item<bool>());
  }
  force_scalar_kernels(false);
}

void UnitTest::hugeValuesStayFinite() {
  for (const bool scalar : {false, true}) {
    force_scalar_kernels(scalar);
    const at::Tensor x =
        torch::tensor({-3e38F, -1e30F, -1e10F, -100.0F, 100.0F, 1e10F, 1e30F, 3e38F});
    for (const double beta : {0.5, 0.99, 1.0}) {
      const Gradients g = gradients_of(fused, x, torch::full({1}, beta), torch::full({1}, 0.5),
                                       torch::ones({8}) * 1e-3F);
      QVERIFY(torch::isfinite(g.y).all().item<bool>());
      QVERIFY(torch::isfinite(g.x).all().item<bool>());
      QVERIFY(torch::isfinite(g.beta).all().item<bool>() &&
              torch::isfinite(g.c).all().item<bool>());
      QVERIFY(relative_gap(g.y / (1 + x.abs()), torch::relu(x) / (1 + x.abs())) < 1e-6);
    }
  }
  force_scalar_kernels(false);
}

void UnitTest::oneIsRelu() {
  const at::Tensor x = torch::randn({4, 3, 10, 10});
  at::Tensor beta = torch::tensor({0.5F, 1.0F, 1.5F}).reshape({1, 3, 1, 1});
  const at::Tensor c = torch::full({1, 3, 1, 1}, 0.5F), weight = torch::randn_like(x);
  for (const bool scalar : {false, true}) {
    force_scalar_kernels(scalar);
    const auto switched = [](const at::Tensor& a, const at::Tensor& b, const at::Tensor& k) {
      return ctu(a, b, k, AtOne::relu);
    };
    const Gradients g = gradients_of(switched, x, beta, c, weight);
    for (const int channel : {1, 2}) {
      QVERIFY(torch::equal(g.y.select(1, channel), torch::relu(x.select(1, channel))));
      const at::Tensor slope = (x.select(1, channel) > 0).to(at::kFloat);
      QVERIFY(torch::equal(g.x.select(1, channel), weight.select(1, channel) * slope));
      QCOMPARE(g.beta[0][channel].item<float>(), 0.0F);
      QCOMPARE(g.c[0][channel].item<float>(), 0.0F);
    }
    QVERIFY(!torch::equal(g.y.select(1, 0), torch::relu(x.select(1, 0))));
  }
  force_scalar_kernels(false);
  auto curvature = std::make_shared<Curvature>();
  SteeringCtu steering(curvature);
  curvature->beta = 1.0;
  QVERIFY(torch::equal(steering.forward(x), torch::relu(x)));
  curvature->beta = 1.0000000000000002;  // where a sweep in steps of 0.01 ends up
  QVERIFY(torch::equal(steering.forward(x), torch::relu(x)));
  curvature->beta = 0.9;
  const at::Tensor y = ctu_composed(x, torch::full({1}, 0.9F), torch::full({1}, 0.5F));
  QVERIFY(largest_gap(steering.forward(x), y) < 2e-6);
}

void UnitTest::scalarKernelsAgree_data() {
  QTest::addColumn<QList<int>>("shape");
  QTest::newRow("runs") << QList<int>{3, 5, 7, 11};
  QTest::newRow("rows") << QList<int>{301, 19};
}

void UnitTest::scalarKernelsAgree() {
  if (avx2_kernels_f32() == nullptr) QSKIP("this machine has no AVX2: nothing to compare");
  QCOMPARE(QString(ctu_kernels()), QString("avx2"));
  QFETCH(QList<int>, shape);
  const std::vector<std::int64_t> size(shape.begin(), shape.end());
  std::vector<std::int64_t> unit_size(size.size(), 1);
  unit_size[1] = size[1];
  const at::Tensor x = torch::randn(size) * 4, weight = torch::randn(size);
  const at::Tensor beta = torch::rand(unit_size), c = torch::rand(unit_size);
  const Gradients fast = gradients_of(fused, x, beta, c, weight);
  const ScalarKernels scalar;
  QCOMPARE(QString(ctu_kernels()), QString("scalar"));
  compare(fast, gradients_of(fused, x, beta, c, weight), 1e-5);
}

void UnitTest::repeatsAndThreadsGiveTheSameBits() {
  const at::Tensor x = torch::randn({16, 12, 40, 40}), weight = torch::randn_like(x);
  const int before = at::get_num_threads();
  for (const std::vector<std::int64_t>& unit_size :
       {std::vector<std::int64_t>{1, 12, 1, 1}, std::vector<std::int64_t>{1}}) {
    const at::Tensor beta = random_units(unit_size, at::kFloat);
    const at::Tensor c = random_units(unit_size, at::kFloat);
    at::set_num_threads(1);
    const Gradients one = gradients_of(fused, x, beta, c, weight);
    for (int repeat = 0; repeat < 5; ++repeat) {
      at::set_num_threads(1 + repeat % 3);
      const Gradients again = gradients_of(fused, x, beta, c, weight);
      QVERIFY(torch::equal(again.y, one.y) && torch::equal(again.x, one.x));
      QVERIFY(torch::equal(again.beta, one.beta) && torch::equal(again.c, one.c));
    }
  }
  at::set_num_threads(before);
}

void UnitTest::keepsOnlyTheInput() {
  // What the graph keeps of its own: nothing but x, which lives anyway, and the parameters.
  at::Tensor x = torch::randn({8, 4, 16, 16}).requires_grad_(true);
  const at::Tensor unit = random_units({1, 4, 1, 1}, at::kFloat).requires_grad_(true);
  const auto before = x.storage().use_count();
  const at::Tensor y = fused(x, unit, unit);
  QVERIFY(y.storage().data() != x.storage().data());
  QCOMPARE(y.storage().use_count(), std::size_t{1});  // the output itself is not kept
  QVERIFY(x.storage().use_count() >= before);
}

void UnitTest::otherTypesGoComposed() {
  const at::Tensor x = torch::randn({3, 4}).to(at::kBFloat16);
  const at::Tensor unit = torch::full({1}, 0.5).to(at::kBFloat16);
  const at::Tensor y = ctu(x, unit, unit);
  QVERIFY(y.scalar_type() == at::kBFloat16);
  QVERIFY(largest_gap(y, ctu_composed(x.to(at::kFloat), unit.to(at::kFloat), unit.to(at::kFloat))) <
          0.05);
}

QTEST_GUILESS_MAIN(UnitTest)
#include "unit_test.moc"
