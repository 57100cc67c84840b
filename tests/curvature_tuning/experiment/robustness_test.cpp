// "robustness" by the real runner, on few images: what is reported fits together, the attack
// attacks, the same bits after a kill.
#include <QtTest>
#include <cmath>

#include "core/formats/table.h"
#include "curvature_tuning/experiment/plugin_runs.h"

using namespace assay;
using namespace assay::test;

namespace {

const Words small = {"source_train=1500",    "source_epochs=2",    "images=60",
                     "validation_images=40", "attack_steps=5",     "restarts=2",
                     "attack_batch=20",      "beta_sweep=0.8,0.95"};

Words with(Words settings, const Words& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

double cell(const Table& table, std::size_t row, const std::string& column) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), column);
  return std::stod(table.rows.at(row).at(static_cast<std::size_t>(found - table.columns.begin())));
}

}  // namespace

class RobustnessTest : public QObject {
  Q_OBJECT

  PluginPlace place_;
  Json reference_;
  Table table_;

 private slots:
  void initTestCase() {
    const Ended ended = place_.run("robustness", small);
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    reference_ = ended.json();
    const Json shown = place_.show(reference_.at("run"));
    table_ = read_csv(artifact_file(place_.log_path(), shown, "accuracy_by_beta", 0));
  }

  void relu_comes_first_and_betas_fall() {
    QCOMPARE(table_.rows.size(), std::size_t{3});
    QCOMPARE(cell(table_, 0, "beta"), 1.0);
    QCOMPARE(cell(table_, 1, "beta"), 0.95);
    QCOMPARE(cell(table_, 2, "beta"), 0.8);
  }

  void an_attack_only_takes_away() {
    for (std::size_t row = 0; row < 3; ++row) {
      QVERIFY(cell(table_, row, "robust_accuracy") <= cell(table_, row, "clean_accuracy"));
      QVERIFY(cell(table_, row, "clean_accuracy") > 0.3);
    }
    // On ReLU itself the transferred images are its own.
    QCOMPARE(cell(table_, 0, "accuracy_on_relu_attacks"), cell(table_, 0, "robust_accuracy"));
    QVERIFY(cell(table_, 0, "robust_accuracy") < cell(table_, 0, "clean_accuracy"));
  }

  void the_gain_is_that_of_the_beta_chosen_on_validation_images() {
    const std::size_t chosen = cell(table_, 1, "robust_validation_accuracy") >=
                                       cell(table_, 2, "robust_validation_accuracy")
                                   ? 1
                                   : 2;
    QCOMPARE(last(reference_, "robust/chosen_beta"), cell(table_, chosen, "beta"));
    const double gain =
        cell(table_, chosen, "robust_accuracy") - cell(table_, 0, "robust_accuracy");
    QVERIFY(std::abs(last(reference_, "robust/gain") - gain) < 1e-12);
  }

  void pictures_are_there() {
    const Json shown = place_.show(reference_.at("run"));
    QVERIFY(!artifact_file(place_.log_path(), shown, "perturbations", 2).empty());
    QVERIFY(has_artifact(shown, "attacked"));
  }

  void a_larger_epsilon_hurts_more_and_none_not_at_all() {
    const Words one = with(small, {"beta_sweep=0.95", "epsilon=0.3"});
    const Ended strong = place_.run("robustness", one);
    QVERIFY2(strong.exit_code == 0, strong.err.c_str());
    QVERIFY(last(strong.json(), "robust/relu_accuracy") < last(reference_, "robust/relu_accuracy"));
    const Ended none = place_.run("robustness", with(small, {"attack=none"}));
    QVERIFY2(none.exit_code == 0, none.err.c_str());
    QCOMPARE(last(none.json(), "robust/relu_accuracy"), cell(table_, 0, "clean_accuracy"));
  }

  void the_other_choices_run() {
    for (const Words& choice : {Words{"attack=fgsm"}, Words{"attack=pgd", "norm=l2", "epsilon=0.5"},
                                Words{"space=normalized", "selection=test"}}) {
      const Ended ended = place_.run("robustness", with(small, choice));
      QVERIFY2(ended.exit_code == 0, ended.err.c_str());
      QVERIFY(std::isfinite(last(ended.json(), "robust/gain")));
    }
  }

  void killed_and_resumed_to_the_same_bits() {
    PluginPlace place;
    auto process = place.start_run("robustness", small);
    const std::string id = place.wait_for_run();
    for (const auto& [metric, step] : std::vector<std::pair<const char*, std::int64_t>>{
             {"source/loss", 20}, {"robust/validation_accuracy", 0}, {"robust/accuracy", 1}}) {
      QVERIFY2(place.wait_for_step(id, metric, step), metric);
      process->kill();
      Workplace::wait(*process);
      process = place.start({"resume", id, "--json"});
    }
    const Ended resumed = Workplace::wait(*process, four_minutes);
    QVERIFY2(resumed.exit_code == 0, resumed.err.c_str());
    QCOMPARE(resumed.json().at("state_sha256"), reference_.at("state_sha256"));
    QCOMPARE(metric_table(place.log_path(), id),
             metric_table(place_.log_path(), reference_.at("run")));
  }
};

QTEST_GUILESS_MAIN(RobustnessTest)
#include "robustness_test.moc"
