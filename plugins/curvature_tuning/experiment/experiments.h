// The experiments of this plugin, one function each; plugin.cpp hands them out.
#pragma once

#include <memory>

#include "core/engine/experiment.h"

namespace assay::curvature_tuning {

std::unique_ptr<Experiment> make_toy();
std::unique_ptr<Experiment> make_transfer();
std::unique_ptr<Experiment> make_robustness();
std::unique_ptr<Experiment> make_counts();

std::unique_ptr<Explorable> make_activation_explorable();
std::unique_ptr<Explorable> make_boundary_explorable();
std::unique_ptr<Explorable> make_regression_explorable();

}  // namespace assay::curvature_tuning
