// Reading an Explore answer: arrays by name, numbers by name.
#pragma once

#include <string>
#include <vector>

#include "core/engine/experiment.h"

namespace assay::curvature_tuning {

// Empty when the answer has no such array.
inline std::vector<double> array(const Answer& answer, const std::string& name) {
  const auto found = answer.tensors.find(name);
  return found == answer.tensors.end() ? std::vector<double>{} : found->second.as_doubles();
}

inline double number(const Answer& answer, const std::string& name, double otherwise = 0.0) {
  const auto found = answer.values.find(name);
  return found != answer.values.end() && found->is_number() ? found->get<double>() : otherwise;
}

}  // namespace assay::curvature_tuning
