// "toy" and "counts" by the real runner: every data set and method, first row, pictures, what a
// beta of 1 means, the same bits twice and after a kill.
#include <QtTest>
#include <cmath>

#include "core/formats/image.h"
#include "core/formats/table.h"
#include "core/formats/tensors.h"
#include "curvature_tuning/experiment/plugin_runs.h"

using namespace assay;
using namespace assay::test;

namespace {

const Words small = {"points=200", "steps=120", "resolution=32", "beta_sweep=0.5,1,0.9"};

Words with(Words settings, const Words& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

}  // namespace

class ToyTest : public QObject {
  Q_OBJECT

 private slots:
  void a_spiral_from_relu_down() {
    PluginPlace place;
    const Ended ended = place.run("toy", with(small, {"steps=600", "points=400", "flip=0.0"}));
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    const Json run = ended.json();
    // It learns: 600 steps bring it far from a coin's accuracy.
    QVERIFY(last(run, "accuracy") > 0.6);
    QVERIFY(last(run, "loss") < 0.69);
    // The sweep is sorted from the largest beta; its first row is the trained network itself.
    const Json shown = place.show(run.at("run"));
    const Table curves = read_csv(artifact_file(place.log_path(), shown, "curves", 0));
    QCOMPARE(curves.rows.size(), std::size_t{3});
    QCOMPARE(curves.rows[0][0], std::string("1"));
    QCOMPARE(curves.rows[2][0], std::string("0.5"));
    QCOMPARE(std::stod(curves.rows[0][2]), 0.0);  // ReLU has no curvature
    QVERIFY(std::stod(curves.rows[1][2]) > 0.0);
    const std::string boundary = artifact_file(place.log_path(), shown, "decision_boundary", 2);
    QVERIFY(read_png(boundary).width > 100);
    const TensorFile arrays =
        read_safetensors(artifact_file(place.log_path(), shown, "boundary", 1));
    QCOMPARE(arrays.tensors.at("logits").shape, (std::vector<std::int64_t>{32, 32}));
    for (const char* key : {"curvature", "data", "curves"}) QVERIFY2(has_artifact(shown, key), key);
    // beta = 1 is the network that was trained.
    QCOMPARE(last(run, "relu/test_accuracy") >= 0.5, true);
    QVERIFY(std::isfinite(last(run, "chosen/beta")));
  }

  void the_first_row_is_the_first_step() {
    PluginPlace place;
    const auto process = place.start_run("toy", {"steps=100000"});
    const std::string id = place.wait_for_run();
    QVERIFY(place.wait_for_step(id, "loss", 1));
    QCOMPARE(place.call({"stop", id}).exit_code, 0);
    QCOMPARE(Workplace::wait(*process).exit_code, 130);
    const std::string table = metric_table(place.log_path(), id);
    QVERIFY2(table.find("loss 1 ") != std::string::npos, table.substr(0, 400).c_str());
  }

  void every_set_and_method() {
    PluginPlace place;
    for (const char* dataset : {"moons", "circle"}) {
      for (const char* method : {"steering", "trainable", "lora"}) {
        const Ended ended =
            place.run("toy", with(small, {std::string("dataset=") + dataset,
                                          std::string("method=") + method, "tune_steps=60"}));
        QVERIFY2(ended.exit_code == 0, ended.err.c_str());
        const bool steering = std::string(method) == "steering";
        const std::string key = steering ? "chosen/test_accuracy" : "tuned/test_accuracy";
        QVERIFY(last(ended.json(), key) > 0.4);
      }
    }
  }

  void a_curve_is_judged_by_its_error() {
    PluginPlace place;
    const Ended ended = place.run(
        "toy", with(small, {"dataset=regression", "width=32", "steps=800", "learning_rate=0.01"}));
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    const Json run = ended.json();
    QVERIFY(!run.at("metrics").contains("accuracy"));
    QVERIFY2(last(run, "relu/error") < 2.0, ended.out.c_str());  // the curve's variance is 3.7
    QVERIFY(has_artifact(place.show(run.at("run")), "regression_curve"));
    QVERIFY(has_artifact(place.show(run.at("run")), "regression"));
  }

  void counts_of_trained_parameters() {
    PluginPlace place;
    // One layer of 10 shared by its units: 2 x 10; LoRA of rank 1: (2 + 10) + (10 + 1).
    const Words tiny = with(small, {"dataset=circle", "width=10", "depth=1", "tune_steps=5"});
    const Json trainable =
        place.run("toy", with(tiny, {"method=trainable", "tune_weights=false"})).json();
    QCOMPARE(last(trainable, "tuned/trained_parameters"), 20.0);
    const Json lora = place.run("toy", with(tiny, {"method=lora"})).json();
    QCOMPARE(last(lora, "tuned/trained_parameters"), 23.0);
    const Json all = place.run("toy", with(tiny, {"method=trainable"})).json();
    QCOMPARE(last(all, "tuned/trained_parameters"), 20.0 + 41.0);
  }

  void killed_and_resumed_to_the_same_bits() {
    for (const char* method : {"steering", "trainable"}) {
      const Words settings = {"points=300", "steps=800", "tune_steps=800", "resolution=48",
                              std::string("method=") + method};
      PluginPlace first;
      const Ended whole = first.run("toy", settings);
      QVERIFY2(whole.exit_code == 0, whole.err.c_str());
      const std::string wanted = whole.json().at("run");

      PluginPlace second;
      auto process = second.start_run("toy", settings);
      const std::string id = second.wait_for_run();
      const bool steering = std::string(method) == "steering";
      for (const auto& [metric, step] : std::vector<std::pair<const char*, std::int64_t>>{
               {"loss", 300}, {steering ? "sweep/loss" : "tuned/loss", steering ? 4 : 300}}) {
        QVERIFY(second.wait_for_step(id, metric, step));
        process->kill();
        Workplace::wait(*process);
        process = second.start({"resume", id, "--json"});
      }
      const Ended resumed = Workplace::wait(*process, four_minutes);
      QVERIFY2(resumed.exit_code == 0, resumed.err.c_str());
      QCOMPARE(resumed.json().at("state_sha256").get<std::string>(),
               whole.json().at("state_sha256").get<std::string>());
      QCOMPARE(metric_table(second.log_path(), id), metric_table(first.log_path(), wanted));
      QCOMPARE(artifact_table(second.log_path(), id), artifact_table(first.log_path(), wanted));
    }
  }

  void a_diverged_loss_fails_with_its_reason() {
    PluginPlace place;
    const Ended ended = place.run("toy", {"dataset=regression", "learning_rate=1", "depth=8",
                                          "width=256", "steps=4000", "points=64"});
    // Either it diverges and says so, or AdamW holds it; never a silent NaN.
    if (ended.exit_code == 0) {
      QVERIFY(std::isfinite(last(ended.json(), "loss")));
    } else {
      QCOMPARE(ended.exit_code, 3);
      QVERIFY2(ended.err.find("learning_rate") != std::string::npos, ended.err.c_str());
    }
  }

  void refusals_name_key_value_and_range() {
    PluginPlace place;
    const Ended ended = place.run("toy", {"beta=1.5", "dataset=cube", "beta_sweep=0.5,2", "x=1"});
    QCOMPARE(ended.exit_code, 2);
    for (const char* part : {"beta: 1.5", "dataset: cube", "spiral", "beta_sweep", "x: "}) {
      QVERIFY2(ended.err.find(part) != std::string::npos, (part + (": " + ended.err)).c_str());
    }
  }

  void parameters_of_the_papers_networks() {
    PluginPlace place;
    const Ended ended = place.run("counts", {});
    QVERIFY2(ended.exit_code == 0, ended.err.c_str());
    const Json run = ended.json();
    QCOMPARE(last(run, "resnet18/curvature_parameters"), 3968.0);
    QCOMPARE(last(run, "resnet50/curvature_parameters"), 45440.0);
    QCOMPARE(last(run, "resnet152/curvature_parameters"), 143744.0);
    QCOMPARE(last(run, "resnet18/curvature_units"), 9.0);
    QCOMPARE(last(run, "resnet18/network_parameters"), 11689512.0);
    QVERIFY(last(run, "resnet18/lora_parameters") > 30000.0);
  }
};

QTEST_GUILESS_MAIN(ToyTest)
#include "toy_test.moc"
