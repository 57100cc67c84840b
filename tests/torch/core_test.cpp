// State in and out of checkpoints, exchange of layers, data, weights, schedules.
#ifndef Q_MOC_RUN  // moc takes many seconds over headers it does not need
#include <torch/torch.h>

#include <QTest>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "core/base/error.h"
#include "core/torch/data/dataset.h"
#include "core/torch/io/weights.h"
#include "core/torch/math/generator.h"
#include "core/torch/nn/replace.h"
#include "core/torch/nn/resnet.h"
#include "core/torch/nn/small_nets.h"
#include "core/torch/train/schedule.h"
#include "core/torch/train/state.h"
#endif

using namespace assay;

namespace {

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const QString& kind,
                                                        std::vector<at::Tensor> parameters) {
  if (kind == "SGD") {
    return std::make_unique<torch::optim::SGD>(parameters,
                                               torch::optim::SGDOptions(0.05).momentum(0.9));
  }
  if (kind == "Adam") {
    return std::make_unique<torch::optim::Adam>(parameters,
                                                torch::optim::AdamOptions(0.01).amsgrad(true));
  }
  return std::make_unique<torch::optim::AdamW>(parameters, torch::optim::AdamWOptions(0.01));
}

// A training that draws its batches from a generator.
struct Training {
  nn::SmallCnn net{{1, {4, 8}, 3}};
  std::unique_ptr<torch::optim::Optimizer> optimizer;
  at::Generator generator = make_generator(11);

  explicit Training(const QString& kind) : optimizer(make_optimizer(kind, net.parameters())) {}
  void step() {
    const at::Tensor x = at::randn({6, 1, 8, 8}, generator, at::TensorOptions(at::kFloat));
    const at::Tensor y = at::randint(3, {6}, generator, at::TensorOptions(at::kLong));
    optimizer->zero_grad();
    at::cross_entropy_loss(net.forward(x), y).backward();
    optimizer->step();
  }
  Checkpoint save() const {
    Checkpoint checkpoint;
    put(checkpoint, "model", net);
    put(checkpoint, "optimizer", *optimizer);
    put(checkpoint, "generator", generator);
    return checkpoint;
  }
  void load(const Checkpoint& checkpoint) {
    take(checkpoint, "model", net);
    take(checkpoint, "optimizer", *optimizer);
    take(checkpoint, "generator", generator);
  }
};

QString message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

ImageSet stripes(std::int64_t count, int channels, int side) {
  ImageSet set;
  set.count = count;
  set.channels = channels;
  set.height = set.width = side;
  set.classes = {"a", "b", "c"};
  for (std::int64_t n = 0; n < count; ++n) {
    set.labels.push_back(n % 3);
    for (int i = 0; i < channels * side * side; ++i) {
      set.pixels.push_back(static_cast<std::uint8_t>((n * 7 + i * 3) % 256));
    }
  }
  return set;
}

}  // namespace

class CoreTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void resumeIsExact_data();
  void resumeIsExact();
  void checkpointRefusesOtherShapes();
  void tensorsGoThroughBitForBit();
  void seededInitialisationLeavesNoTrace();
  void layersAreReallyExchanged();
  void sharedLayersAreExchangedOnce();
  void headIsReset();
  void wrongDepthIsRefused();
  void weightsMustFit();
  void weightNamesAreMapped();
  void splitKeepsTheClasses();
  void limitIsEven();
  void imagesAreConverted();
  void normalization();
  void batchesCoverEachEpoch();
  void rates();
};

void CoreTest::resumeIsExact_data() {
  QTest::addColumn<QString>("kind");
  for (const char* kind : {"SGD", "Adam", "AdamW"}) QTest::newRow(kind) << QString(kind);
}

void CoreTest::resumeIsExact() {
  QFETCH(QString, kind);
  const SeededInitialisation seeded(1);
  Training whole(kind);
  for (int i = 0; i < 4; ++i) whole.step();
  set_rate(*whole.optimizer, 0.005);
  const Checkpoint middle = whole.save();
  const auto file = std::filesystem::path(ASSAY_TEST_BUILD_DIR) /
                    ("torch_core_" + kind.toStdString() + ".checkpoint");
  write_checkpoint(file, middle);
  for (int i = 0; i < 4; ++i) whole.step();

  Training resumed(kind);  // other weights, a fresh optimiser
  resumed.load(read_checkpoint(file));
  std::filesystem::remove(file);
  QCOMPARE(resumed.save().sha256(), middle.sha256());
  for (int i = 0; i < 4; ++i) resumed.step();
  QCOMPARE(resumed.save().sha256(), whole.save().sha256());
  // The digest notices one changed bit.
  Checkpoint other = whole.save();
  other.tensors.begin()->second.data[0] ^= 1;
  QVERIFY(other.sha256() != whole.save().sha256());
}

void CoreTest::checkpointRefusesOtherShapes() {
  Checkpoint checkpoint;
  nn::Mlp small({2, 4, 1, 1}), large({2, 5, 1, 1});
  put(checkpoint, "model", small);
  QVERIFY(message_of([&] { take(checkpoint, "model", large); }).contains("model/layer0.weight"));
  nn::Mlp deep({2, 4, 2, 1});
  QVERIFY(message_of([&] { take(checkpoint, "model", deep); }).contains("model/layer1"));
  torch::optim::SGD sgd(small.parameters(), torch::optim::SGDOptions(0.1));
  torch::optim::Adam adam(small.parameters(), torch::optim::AdamOptions(0.1));
  put(checkpoint, "optimizer", sgd);
  QVERIFY(message_of([&] { take(checkpoint, "optimizer", adam); }).contains("SGD"));
  at::Generator generator = make_generator(1);
  put(checkpoint, "generator", at::zeros({3}, at::kByte));
  QVERIFY(message_of([&] { take(checkpoint, "generator", generator); }).contains("generator"));
}

void CoreTest::tensorsGoThroughBitForBit() {
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong,
                                    at::kInt, at::kShort, at::kChar, at::kByte, at::kBool}) {
    const at::Tensor tensor = (torch::rand({3, 4, 2}) * 100).to(type).transpose(0, 2);
    const at::Tensor back = to_tensor(to_raw(tensor));
    QVERIFY(back.scalar_type() == type);
    QVERIFY(torch::equal(back, tensor));
  }
  at::Tensor odd = torch::tensor({0.0F, -0.0F, std::numeric_limits<float>::quiet_NaN(), 1e-42F});
  const RawTensor raw = to_raw(odd);
  QCOMPARE(to_raw(to_tensor(raw)).data, raw.data);
  QCOMPARE(to_tensor(to_raw(at::empty({0, 3}))).size(1), std::int64_t{3});
}

void CoreTest::seededInitialisationLeavesNoTrace() {
  torch::manual_seed(5);
  const at::Tensor expected = torch::rand({4});
  torch::manual_seed(5);
  at::Tensor first, second;
  {
    const SeededInitialisation seeded(9);
    first = nn::Mlp({2, 4, 1, 1}).parameters()[0];
  }
  {
    const SeededInitialisation seeded(9);
    second = nn::Mlp({2, 4, 1, 1}).parameters()[0];
  }
  QVERIFY(torch::equal(first, second));
  QVERIFY(torch::equal(torch::rand({4}), expected));
  QVERIFY(torch::equal(permutation(50, 3, 2), permutation(50, 3, 2)));
  QVERIFY(!torch::equal(permutation(50, 3, 2), permutation(50, 3, 1)));
  QVERIFY(!torch::equal(permutation(50, 4, 2), permutation(50, 3, 2)));
}

// Doubles, so that its presence shows in the output.
struct Doubling : torch::nn::Module, nn::Layer {
  at::Tensor forward(const at::Tensor& x) override { return 2 * x; }
};

void CoreTest::layersAreReallyExchanged() {
  nn::ResNet net({50, 10, true});
  net.eval();
  const torch::NoGradGuard no_grad;
  const at::Tensor images = torch::rand({1, 3, 32, 32});
  const at::Tensor before = net.forward(images);
  std::vector<std::string> paths;
  const int exchanged = nn::replace_every<nn::Relu>(net, [&](const std::string& path, nn::Relu&) {
    paths.push_back(path);
    return std::make_shared<Doubling>();
  });
  QCOMPARE(exchanged, 49);
  QCOMPARE(paths.front(), std::string("relu"));
  QCOMPARE(paths.back(), std::string("layer4.2.relu3"));
  QVERIFY(!torch::equal(net.forward(images), before));
  QCOMPARE(nn::find_every<nn::Relu>(net).size(), std::size_t{0});
  QCOMPARE(nn::find_every<Doubling>(net).size(), std::size_t{49});
  // Registered under the same name, in the mode of the one before.
  QVERIFY(!nn::find_every<Doubling>(net)[7].second->is_training());
  net.train();
  QVERIFY(nn::find_every<Doubling>(net)[7].second->is_training());
}

void CoreTest::sharedLayersAreExchangedOnce() {
  nn::Sequence net;
  const auto relu = std::make_shared<nn::Relu>(3, 2);
  net.add(relu).add(relu).add_at("7", std::make_shared<nn::Relu>(3, 2));
  int made = 0;
  QCOMPARE(nn::replace_every<nn::Relu>(net,
                                       [&](const std::string&, nn::Relu&) {
                                         ++made;
                                         return std::make_shared<Doubling>();
                                       }),
           2);
  QCOMPARE(made, 2);
  QVERIFY(net.at_place("0") == net.at_place("1"));
  QCOMPARE(net.forward(torch::ones({1, 3})).sum().item<double>(), 24.0);
}

void CoreTest::headIsReset() {
  nn::ResNet net({18, 1000, false});
  net.reset_head(7);
  QCOMPARE(net.forward(torch::rand({2, 3, 32, 32})).size(1), std::int64_t{7});
  QCOMPARE(net.named_parameters()["fc.weight"].size(0), std::int64_t{7});
  QCOMPARE(nn::ResNet({34, 10, false}).feature_count(), std::int64_t{512});
  QCOMPARE(nn::ResNet({101, 10, false}).feature_count(), std::int64_t{2048});
}

void CoreTest::wrongDepthIsRefused() {
  QVERIFY(message_of([] { nn::ResNet net({20, 10, false}); }).contains("20"));
}

void CoreTest::weightsMustFit() {
  nn::SmallCnn net({1, {4, 8}, 3}), source({1, {4, 8}, 3});
  NamedTensors good = state_of(source);
  good.erase("block0.bn.num_batches_tracked");
  const WeightReport report = load_weights(net, good, "good.pth");
  QCOMPARE(report.left_fresh.size(), std::size_t{1});
  QVERIFY(
      torch::equal(net.named_parameters()["fc.weight"], source.named_parameters()["fc.weight"]));

  const at::Tensor before = net.named_parameters()["block0.conv.weight"].clone();
  NamedTensors bad = state_of(nn::SmallCnn({1, {4, 8}, 5}));
  bad.erase("block1.conv.weight");
  bad["stranger"] = to_raw(torch::ones({2}));
  const QString message = message_of([&] { load_weights(net, bad, "bad.pth"); });
  for (const char* part : {"bad.pth", "missing: block1.conv.weight", "not in the net: stranger",
                           "fc.weight [5, 8] instead of [3, 8]"}) {
    QVERIFY2(message.contains(part), qPrintable(message));
  }
  QVERIFY(torch::equal(net.named_parameters()["block0.conv.weight"], before));  // nothing changed
}

void CoreTest::weightNamesAreMapped() {
  nn::SmallCnn net({1, {4}, 3}), source({1, {4}, 9});
  NamedTensors prefixed;
  for (const auto& [name, raw] : state_of(source)) prefixed["module." + name] = raw;
  WeightRules rules;
  rules.rename = strip_common_prefix(prefixed);
  rules.optional = {"fc.weight", "fc.bias"};
  const WeightReport report = load_weights(net, prefixed, "parallel.pth", rules);
  QCOMPARE(report.left_fresh, (std::vector<std::string>{"fc.weight", "fc.bias"}));
  QVERIFY(torch::equal(net.named_parameters()["block0.conv.weight"],
                       source.named_parameters()["block0.conv.weight"]));
  QCOMPARE(strip_common_prefix(state_of(net))("block0"), std::string("block0"));
}

void CoreTest::splitKeepsTheClasses() {
  std::vector<std::int64_t> values;
  for (int i = 0; i < 100; ++i) values.push_back(i < 70 ? 0 : i < 90 ? 1 : 2);
  const at::Tensor labels = torch::tensor(values, torch::kLong);
  const Split split = stratified_split(labels, 0.2, 4);
  QCOMPARE(split.second.numel(), std::int64_t{20});
  QVERIFY(torch::equal(labels.index_select(0, split.second).bincount(),
                       torch::tensor({14, 4, 2}, torch::kLong)));
  const at::Tensor all = std::get<0>(at::cat({split.first, split.second}).sort());
  QVERIFY(torch::equal(all, at::arange(100, at::kLong)));  // disjoint and whole
  QVERIFY(torch::equal(split.second, stratified_split(labels, 0.2, 4).second));
  QVERIFY(!torch::equal(split.second, stratified_split(labels, 0.2, 5).second));
}

void CoreTest::limitIsEven() {
  const Dataset data = to_dataset(stripes(90, 1, 4), {0, 0, 31}, 2);
  QCOMPARE(data.count(), std::int64_t{31});
  QVERIFY(torch::equal(data.labels.bincount(), torch::tensor({11, 10, 10}, torch::kLong)));
  QCOMPARE(to_dataset(stripes(9, 1, 4), {0, 0, 31}, 2).count(), std::int64_t{9});
}

void CoreTest::imagesAreConverted() {
  const ImageSet set = stripes(5, 1, 8);
  const Dataset same = to_dataset(set);
  QCOMPARE(same.images[2][0][3][4].item<int>(), static_cast<int>(set.pixels[2 * 64 + 3 * 8 + 4]));
  const Dataset color = to_dataset(set, {3, 0, 0});
  QVERIFY(torch::equal(color.images.select(1, 2), same.images.select(1, 0)));
  const Dataset grey = to_dataset(stripes(5, 3, 8), {1, 0, 0});
  QCOMPARE(grey.images.size(1), std::int64_t{1});
  // A constant image stays constant whatever its size becomes.
  ImageSet flat = stripes(2, 1, 8);
  std::fill(flat.pixels.begin(), flat.pixels.end(), std::uint8_t{77});
  for (const std::int64_t side : {3, 8, 21}) {
    const Dataset resized = to_dataset(flat, {0, side, 0});
    QCOMPARE(resized.images.size(3), side);
    QVERIFY(resized.images.eq(77).all().item<bool>());
  }
  // Halving averages neighbours: a step stays a step at its place.
  ImageSet step = flat;
  for (std::size_t i = 0; i < step.pixels.size(); ++i) {
    step.pixels[i] = i % 8 < 4 ? std::uint8_t{0} : std::uint8_t{200};
  }
  const at::Tensor halved = to_dataset(step, {0, 4, 0}).images[0][0][1];
  QCOMPARE(halved[0].item<int>(), 0);
  QCOMPARE(halved[3].item<int>(), 200);
  QCOMPARE(unit_images(at::full({1}, 255, at::kByte)).item<float>(), 1.0F);
}

void CoreTest::normalization() {
  const Dataset data = to_dataset(stripes(2500, 3, 6));
  const Normalization found = normalization_of(data);
  const at::Tensor normal = found.apply(unit_images(data.images));
  QVERIFY(normal.mean({0, 2, 3}).abs().max().item<double>() < 1e-4);
  QVERIFY((normal.square().mean({0, 2, 3}) - 1).abs().max().item<double>() < 1e-4);
}

void CoreTest::batchesCoverEachEpoch() {
  const Batches batches(23, 5, 8), dropping(23, 5, 8, true);
  QCOMPARE(batches.per_epoch(), std::int64_t{5});
  QCOMPARE(dropping.per_epoch(), std::int64_t{4});
  for (const std::int64_t epoch : {0, 1}) {
    std::set<std::int64_t> seen;
    for (std::int64_t b = 0; b < batches.per_epoch(); ++b) {
      const at::Tensor some = batches.indices(epoch, b);
      for (std::int64_t i = 0; i < some.numel(); ++i) seen.insert(some[i].item<std::int64_t>());
    }
    QCOMPARE(seen.size(), std::size_t{23});
  }
  // A run that starts in the middle finds the same batch.
  QVERIFY(torch::equal(Batches(23, 5, 8).indices(1, 3), batches.indices(1, 3)));
  QVERIFY(!torch::equal(batches.indices(0, 0), batches.indices(1, 0)));
  QVERIFY(torch::equal(batches.in_order(4), torch::tensor({20, 21, 22}, torch::kLong)));
}

void CoreTest::rates() {
  QCOMPARE(step_rate(1.0, 0.1, 500, 499), 1.0);
  QCOMPARE(step_rate(1.0, 0.1, 500, 500), 0.1);
  QCOMPARE(cosine_rate(2.0, 0, 10), 2.0);
  QVERIFY(std::abs(cosine_rate(2.0, 5, 10) - 1.0) < 1e-12);
  QVERIFY(std::abs(cosine_rate(2.0, 10, 10)) < 1e-12);
  const WarmUpMultiStep none{0.1, 3, 0, {2, 4}, 0.5};
  QCOMPARE(none.rate(0, 0), 0.1);
  QCOMPARE(none.rate(2, 1), 0.05);
  QCOMPARE(none.rate(9, 1), 0.025);
  at::Tensor a = torch::ones({1}).requires_grad_(true), b = torch::ones({1}).requires_grad_(true);
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<at::Tensor>{a});
  groups.emplace_back(std::vector<at::Tensor>{b});
  torch::optim::SGD optimizer(groups, torch::optim::SGDOptions(1.0));
  set_rate(optimizer, 1, 0.25);
  (a + b).sum().backward();
  optimizer.step();
  QCOMPARE(a.item<float>(), 0.0F);
  QCOMPARE(b.item<float>(), 0.75F);
}

QTEST_GUILESS_MAIN(CoreTest)
#include "core_test.moc"
