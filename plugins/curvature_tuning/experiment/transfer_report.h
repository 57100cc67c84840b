// Tables and pictures of "transfer".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/engine/experiment.h"
#include "plugins/curvature_tuning/experiment/methods.h"
#include "plugins/curvature_tuning/model/curvature.h"

namespace assay::curvature_tuning {

struct MethodOutcome {
  Method method = Method::linear_probe;
  double setting = 0.0;  // chosen beta or rate
  double validation_accuracy = 0.0, test_accuracy = 0.0;
  std::int64_t epoch = 0, inner_parameters = 0, head_parameters = 0;
  at::Tensor predictions;  // int64, on the test images
};

void show_results(RunContext& context, const std::vector<MethodOutcome>& outcomes);
void show_beta_sweep(RunContext& context, const std::vector<std::pair<double, double>>& accuracies);
// Learned beta and c: summary, histograms, heat map, values.
void show_learned(RunContext& context, const std::vector<NamedCtu>& units);
// A few test images, a row for each method, framed by right or wrong.
void show_predictions(RunContext& context, const Dataset& test,
                      const std::vector<MethodOutcome>& outcomes);
void show_samples(RunContext& context, const std::string& key, const Dataset& data);

Image image_at(const Dataset& data, std::int64_t index);
// Whole factor that brings a side to about 56 pixels.
int enlargement(int side);

}  // namespace assay::curvature_tuning
