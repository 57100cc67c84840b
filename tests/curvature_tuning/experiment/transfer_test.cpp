// "transfer" on its default data by the real runner: all four methods, the same bits twice, and
// after kills in every phase.
#include <QtTest>
#include <cmath>

#include "core/formats/table.h"
#include "curvature_tuning/experiment/plugin_runs.h"

using namespace assay;
using namespace assay::test;

namespace {

// The quick preset with a smaller source set: every phase, in seconds.
const Words small = {"source_train=1200", "source_epochs=2",       "epochs=3",
                     "decay_epoch=0",     "lora_rates=0.003,0.01", "beta_sweep=0.8,0.9,0.97"};

}  // namespace

class TransferTest : public QObject {
  Q_OBJECT

  PluginPlace place_;
  Json reference_;

 private slots:
  void initTestCase() {
    const Ended ended = place_.run("transfer", small);
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    reference_ = ended.json();
  }

  void all_four_methods_are_measured() {
    for (const char* method : {"linear_probe", "steering", "trainable", "lora"}) {
      const std::string prefix = std::string(method) + "/";
      for (const char* key : {"test_accuracy", "validation_accuracy", "loss"}) {
        const double value = last(reference_, prefix + key);
        QVERIFY2(std::isfinite(value) && value >= 0.0, (prefix + key).c_str());
      }
    }
    // Far above chance (0.1) even after three epochs.
    QVERIFY(last(reference_, "trainable/test_accuracy") > 0.3);
    QVERIFY(last(reference_, "linear_probe/test_accuracy") > 0.2);
    QVERIFY(std::isnan(last(reference_, "test_accuracy")));  // of a single method only
  }

  void parameters_are_counted() {
    // Channels 16, 32, 64: two numbers each. LoRA of rank 1: (9 + 16) + (144 + 32) + (288 + 64).
    QCOMPARE(last(reference_, "trainable/trained_parameters"), 224.0);
    QCOMPARE(last(reference_, "lora/trained_parameters"), 553.0);
    QCOMPARE(last(reference_, "linear_probe/trained_parameters"), 0.0);
    QCOMPARE(last(reference_, "steering/trained_parameters"), 0.0);
    QCOMPARE(last(reference_, "trainable/head_parameters"), 650.0);
    QCOMPARE(last(reference_, "trainable/all_trained_parameters"), 874.0);
  }

  void beta_is_chosen_on_validation_images() {
    const Json shown = place_.show(reference_.at("run"));
    const Table sweep = read_csv(artifact_file(place_.log_path(), shown, "beta_sweep", 0));
    QCOMPARE(sweep.rows.size(), std::size_t{3});
    double best = -1.0;
    double chosen = 0.0;
    for (const auto& row : sweep.rows) {
      if (std::stod(row[1]) > best) {
        best = std::stod(row[1]);
        chosen = std::stod(row[0]);
      }
    }
    QCOMPARE(last(reference_, "steering/beta"), chosen);
  }

  void artifacts_are_there() {
    const Json shown = place_.show(reference_.at("run"));
    for (const char* key :
         {"results", "learned/summary", "learned/histogram", "learned/heat_map", "learned/values",
          "predictions", "predictions_table", "source_samples"}) {
      QVERIFY2(has_artifact(shown, key), key);
    }
    // 112 channels in three layers, two quantities of 100 bins each.
    const Table histogram =
        read_csv(artifact_file(place_.log_path(), shown, "learned/histogram", 0));
    QCOMPARE(histogram.rows.size(), std::size_t{600});
    int counted = 0;
    for (const auto& row : histogram.rows) counted += std::stoi(row.back());
    QCOMPARE(counted, 224);
    // The provenance names the data that was read.
    QVERIFY(shown.at("provenance").at("data").size() >= 5);
  }

  void twice_is_the_same() {
    PluginPlace place;
    const Ended ended = place.run("transfer", small);
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    QCOMPARE(ended.json().at("state_sha256"), reference_.at("state_sha256"));
    QCOMPARE(metric_table(place.log_path(), ended.json().at("run")),
             metric_table(place_.log_path(), reference_.at("run")));
  }

  void killed_in_every_phase_and_resumed_to_the_same_bits() {
    PluginPlace place;
    auto process = place.start_run("transfer", small);
    const std::string id = place.wait_for_run();
    for (const auto& [metric, step] :
         std::vector<std::pair<const char*, std::int64_t>>{{"source/loss", 20},
                                                           {"steering/betas", 0},
                                                           {"trainable/loss", 20},
                                                           {"lora/rate_0.01/loss", 10}}) {
      QVERIFY2(place.wait_for_step(id, metric, step), metric);
      process->kill();
      Workplace::wait(*process);
      QVERIFY(place.wait_for_state(id, RunState::crashed));
      process = place.start({"resume", id, "--json"});
    }
    const Ended resumed = Workplace::wait(*process, four_minutes);
    QVERIFY2(resumed.exit_code == 0, resumed.err.c_str());
    QCOMPARE(resumed.json().at("state_sha256"), reference_.at("state_sha256"));
    QCOMPARE(metric_table(place.log_path(), id),
             metric_table(place_.log_path(), reference_.at("run")));
    QCOMPARE(artifact_table(place.log_path(), id),
             artifact_table(place_.log_path(), reference_.at("run")));
  }

  void one_method_alone_gives_the_same_number() {
    PluginPlace place;
    Words settings = small;
    settings.push_back("method=trainable");
    const Ended ended = place.run("transfer", settings);
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    const double alone = last(ended.json(), "test_accuracy");
    QCOMPARE(alone, last(reference_, "trainable/test_accuracy"));
    QVERIFY(!ended.json().at("metrics").contains("lora/loss"));
  }
};

QTEST_GUILESS_MAIN(TransferTest)
#include "transfer_test.moc"
