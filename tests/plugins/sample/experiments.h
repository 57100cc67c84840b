// The sample plugin's experiments; README.md says what each is for.
#pragma once

#include <memory>

#include "core/engine/experiment.h"

namespace sample {

std::unique_ptr<assay::Experiment> make_descent();
std::unique_ptr<assay::Experiment> make_divergent();
std::unique_ptr<assay::Experiment> make_fault();
std::unique_ptr<assay::Experiment> make_stubborn();
std::unique_ptr<assay::Experiment> make_gallery();

// {"values": {"sum": ...}, "tensors": {"x": [n], "y": [n]}} of a * x^power.
std::unique_ptr<assay::Explorable> make_parabola();
// Throws the message it is given.
std::unique_ptr<assay::Explorable> make_complaint();

}  // namespace sample
