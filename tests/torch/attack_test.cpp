// The attacks on a small net trained here: what they promise holds, and stronger means stronger.
#include "core/torch/attack/attack.h"

#ifndef Q_MOC_RUN  // moc takes many seconds over headers it does not need
#include <torch/torch.h>

#include <QTest>
#include <cmath>

#include "core/torch/math/generator.h"
#include "core/torch/nn/replace.h"
#include "core/torch/nn/small_nets.h"
#endif

using namespace assay;

namespace {

// Two classes of noisy 8x8 images: bright above or below the middle.
struct Task {
  at::Tensor images, labels;
};

Task make_task(std::int64_t count, std::uint64_t seed) {
  at::Generator generator = make_generator(seed);
  const at::TensorOptions floats(at::kFloat);
  Task task;
  task.labels = at::randint(2, {count}, generator, at::TensorOptions(at::kLong));
  task.images = at::rand({count, 1, 8, 8}, generator, floats) * 0.5 + 0.2;
  const at::Tensor upper = (at::arange(8, floats) < 4).to(at::kFloat).view({1, 1, 8, 1});
  const at::Tensor wanted = task.labels.to(at::kFloat).view({-1, 1, 1, 1});
  task.images = task.images + 0.15 * (wanted * upper + (1 - wanted) * (1 - upper));
  task.images = task.images.clamp(0, 1);
  return task;
}

double share(const at::Tensor& correct) {
  return correct.to(at::kDouble).mean().item<double>();
}

double reach(const at::Tensor& moved, const at::Tensor& images, Norm norm) {
  const at::Tensor delta = (moved - images).flatten(1).to(at::kDouble);
  const at::Tensor size = norm == Norm::linf ? delta.abs().amax(1) : delta.square().sum(1).sqrt();
  return size.max().item<double>();
}

enum class Kind { fgsm, pgd, apgd };

}  // namespace

class AttackTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void staysInBounds_data();
  void staysInBounds();
  void reportsWhatItFound();
  void strongerWithEpsilon();
  void iterationBeatsOneStep();
  void repeatable();
  void projection();
  void epsilonZeroChangesNothing();
  void ascentReachesTheCorner();
  void stopsWhenAsked();

 private:
  AttackResult attack(Kind kind, Norm norm, double epsilon, int restarts = 1,
                      std::uint64_t seed = 5) const;

  std::shared_ptr<nn::SmallCnn> net_;
  LogitFunction model_;
  Task test_;
};

void AttackTest::initTestCase() {
  const SeededInitialisation seeded(3);
  net_ = std::make_shared<nn::SmallCnn>(nn::SmallCnnOptions{1, {8, 8}, 2});
  const Task train = make_task(512, 1);
  torch::optim::Adam optimizer(net_->parameters(), torch::optim::AdamOptions(0.01));
  for (int i = 0; i < 60; ++i) {
    optimizer.zero_grad();
    at::cross_entropy_loss(net_->forward((train.images - 0.5) / 0.25), train.labels).backward();
    optimizer.step();
  }
  net_->eval();
  nn::set_trainable(*net_, false);
  model_ = [this](const at::Tensor& images) { return net_->forward((images - 0.5) / 0.25); };
  test_ = make_task(200, 2);
  QVERIFY(accuracy(model_, test_.images, test_.labels, 64) > 0.9);
}

AttackResult AttackTest::attack(Kind kind, Norm norm, double epsilon, int restarts,
                                std::uint64_t seed) const {
  AttackOptions options;
  options.norm = norm;
  options.epsilon = epsilon;
  options.steps = 12;
  options.restarts = restarts;
  if (kind == Kind::fgsm) return fgsm(model_, test_.images, test_.labels, options);
  if (kind == Kind::pgd) {
    return pgd(model_, test_.images, test_.labels, options, make_generator(seed));
  }
  return apgd(model_, test_.images, test_.labels, options, make_generator(seed));
}

void AttackTest::staysInBounds_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<int>("norm");
  const char* const kinds[] = {"fgsm", "pgd", "apgd"};
  for (int kind = 0; kind < 3; ++kind) {
    QTest::addRow("%s linf", kinds[kind]) << kind << 0;
    QTest::addRow("%s l2", kinds[kind]) << kind << 1;
  }
}

void AttackTest::staysInBounds() {
  QFETCH(int, kind);
  QFETCH(int, norm);
  const auto the_norm = static_cast<Norm>(norm);
  for (const double epsilon : {0.01, 0.1, 0.7}) {
    const AttackResult found = attack(static_cast<Kind>(kind), the_norm, epsilon, 2);
    QVERIFY(reach(found.images, test_.images, the_norm) <= epsilon * (1 + 1e-6) + 1e-7);
    QVERIFY(found.images.min().item<double>() >= 0.0 && found.images.max().item<double>() <= 1.0);
    QVERIFY(torch::isfinite(found.loss).all().item<bool>());
  }
}

void AttackTest::reportsWhatItFound() {
  const torch::NoGradGuard no_grad;
  const at::Tensor clean = at::cross_entropy_loss(model_(test_.images), test_.labels, {}, 0);
  for (const Kind kind : {Kind::fgsm, Kind::pgd, Kind::apgd}) {
    const AttackResult found = attack(kind, Norm::linf, 0.05);
    const at::Tensor logits = model_(found.images);
    QVERIFY(torch::equal(logits.argmax(1) == test_.labels, found.correct));
    const at::Tensor loss = at::cross_entropy_loss(logits, test_.labels, {}, 0);
    QVERIFY((loss - found.loss).abs().max().item<double>() < 1e-4);
    QVERIFY(
        (found.loss >= clean - 1e-6).all().item<bool>());  // two classes: wrong is the greater loss
    const at::Tensor was_right = model_(test_.images).argmax(1) == test_.labels;
    QVERIFY((found.correct & was_right.logical_not()).any().item<bool>() == false);
  }
}

void AttackTest::strongerWithEpsilon() {
  for (const Norm norm : {Norm::linf, Norm::l2}) {
    double last = 1.0;
    for (const double epsilon : {0.0, 0.02, 0.05, 0.1, 0.3}) {
      const double now =
          share(attack(Kind::apgd, norm, norm == Norm::linf ? epsilon : 8 * epsilon).correct);
      QVERIFY2(now <= last,
               qPrintable(QString("epsilon %1: %2 after %3").arg(epsilon).arg(now).arg(last)));
      last = now;
    }
    QVERIFY(last < 0.05);
  }
}

void AttackTest::iterationBeatsOneStep() {
  for (const Norm norm : {Norm::linf, Norm::l2}) {
    const double epsilon = norm == Norm::linf ? 0.06 : 0.5;
    const AttackResult one = attack(Kind::fgsm, norm, epsilon);
    const AttackResult many = attack(Kind::apgd, norm, epsilon);
    const AttackResult plain = attack(Kind::pgd, norm, epsilon, 3);
    const AttackResult restarted = attack(Kind::apgd, norm, epsilon, 3);
    QVERIFY(share(one.correct) > 0.0 && share(one.correct) < 1.0);  // else nothing is compared
    // The first APGD step is FGSM's, so it holds for each image.
    QVERIFY((one.correct | many.correct.logical_not()).all().item<bool>());
    QVERIFY(share(plain.correct) <= share(one.correct));
    QVERIFY((many.correct | restarted.correct.logical_not()).all().item<bool>());
  }
}

void AttackTest::repeatable() {
  for (const Kind kind : {Kind::pgd, Kind::apgd}) {
    const AttackResult a = attack(kind, Norm::linf, 0.05, 2), b = attack(kind, Norm::linf, 0.05, 2);
    QVERIFY(torch::equal(a.images, b.images));
  }
  const AttackResult a = attack(Kind::pgd, Norm::linf, 0.05, 1, 5);
  QVERIFY(!torch::equal(a.images, attack(Kind::pgd, Norm::linf, 0.05, 1, 6).images));
}

void AttackTest::projection() {
  const at::Tensor images = torch::full({3, 1, 2, 2}, 0.5, at::kDouble);
  at::Tensor moved = images.clone();
  moved[0] += 0.3;                // l2 length 0.6
  moved[1].view({-1})[0] += 0.1;  // inside
  moved[2] += torch::tensor({0.3, -0.4, 0.0, 0.0}, at::kDouble).view({1, 2, 2});
  const at::Tensor p = project(moved, images, Norm::l2, 0.2) - images;
  QVERIFY((p[0] - 0.1).abs().max().item<double>() < 1e-12);
  QVERIFY(std::abs(p[1].view({-1})[0].item<double>() - 0.1) < 1e-12);
  QVERIFY(std::abs(p[2].view({-1})[0].item<double>() - 0.12) < 1e-12);
  QVERIFY(std::abs(p[2].view({-1})[1].item<double>() + 0.16) < 1e-12);
  const at::Tensor q = project(moved, images, Norm::linf, 0.2) - images;
  QVERIFY(std::abs(q[0].max().item<double>() - 0.2) < 1e-12);
  QVERIFY(std::abs(q[2].min().item<double>() + 0.2) < 1e-12);
  const at::Tensor edge = project(images + 5, images, Norm::linf, 5.0);
  QVERIFY(edge.eq(1.0).all().item<bool>());
  QVERIFY(torch::equal(project(images, images, Norm::l2, 0.1), images));  // no 0 / 0
}

void AttackTest::epsilonZeroChangesNothing() {
  for (const Kind kind : {Kind::fgsm, Kind::pgd, Kind::apgd}) {
    for (const Norm norm : {Norm::linf, Norm::l2}) {
      QVERIFY(torch::equal(attack(kind, norm, 0.0).images, test_.images));
    }
  }
}

void AttackTest::ascentReachesTheCorner() {
  // A linear model's worst point within l-infinity is known: every pixel moved by epsilon.
  at::Generator generator = make_generator(4);
  const at::Tensor w = at::randn({2, 12}, generator, at::TensorOptions(at::kFloat));
  const LogitFunction linear = [&](const at::Tensor& x) { return at::linear(x.flatten(1), w); };
  const at::Tensor images = torch::full({1, 3, 2, 2}, 0.5);
  const at::Tensor label = linear(images).argmax(1);
  AttackOptions options;
  options.epsilon = 1e-3;  // too little to break it: the strongest point is then kept
  options.steps = 20;
  const AttackResult found = apgd(linear, images, label, options, make_generator(1));
  const std::int64_t right = label.item<std::int64_t>();
  const at::Tensor uphill = (w[1 - right] - w[right]).sign().view({1, 3, 2, 2});
  QVERIFY(((found.images - images) - 1e-3 * uphill).abs().max().item<double>() < 1e-6);
  options.norm = Norm::l2;
  const AttackResult round = apgd(linear, images, label, options, make_generator(1));
  const at::Tensor way = (w[1 - right] - w[right]).view({1, 3, 2, 2});
  QVERIFY(((round.images - images) - 1e-3 * way / way.norm()).abs().max().item<double>() < 1e-6);
}

void AttackTest::stopsWhenAsked() {
  AttackOptions options;
  options.steps = 1000000;
  int asked = 0;
  options.interrupted = [&] { return ++asked > 3; };
  const AttackResult found = apgd(model_, test_.images, test_.labels, options, make_generator(1));
  QCOMPARE(found.images.sizes().vec(), test_.images.sizes().vec());
  QVERIFY(asked < 20);
}

QTEST_GUILESS_MAIN(AttackTest)
#include "attack_test.moc"
