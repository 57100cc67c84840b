// The factory: the one thing that the library exports.
#include <cmath>

#include "core/base/error.h"
#include "experiments.h"

namespace sample {
namespace {

class Parabola : public assay::Explorable {
 public:
  assay::Answer answer(const assay::ParameterSet& arguments) override {
    const auto count = arguments.integer("points");
    const double power = arguments.text("shape") == "cube" ? 3.0 : 2.0;
    std::vector<double> x, y;
    double sum = 0.0;
    for (std::int64_t i = 0; i < count; ++i) {
      x.push_back(-1.0 + 2.0 * static_cast<double>(i) / static_cast<double>(count - 1));
      y.push_back(arguments.real("a") * std::pow(x.back(), power));
      sum += y.back();
    }
    assay::Answer answer;
    answer.values = {{"sum", sum}, {"answers", ++answers_}};
    answer.tensors["x"] = assay::RawTensor::from(x, {count});
    answer.tensors["y"] = assay::RawTensor::from(y, {count});
    return answer;
  }

 private:
  int answers_ = 0;  // stays between requests
};

class Complaint : public assay::Explorable {
 public:
  assay::Answer answer(const assay::ParameterSet& arguments) override {
    throw assay::Error(assay::ErrorKind::failed, arguments.text("message"));
  }
};

class SamplePlugin : public assay::Plugin {
 public:
  void configure(int threads) override { threads_ = threads; }

  std::unique_ptr<assay::Experiment> make_experiment(const std::string& id) override {
    if (id == "descent") return make_descent();
    if (id == "divergent") return make_divergent();
    if (id == "fault") return make_fault();
    if (id == "stubborn") return make_stubborn();
    if (id == "gallery") return make_gallery();
    return nullptr;
  }

  std::unique_ptr<assay::Explorable> make_explorable(const std::string& id) override {
    if (id == "parabola") return make_parabola();
    if (id == "complaint") return make_complaint();
    return nullptr;
  }

  assay::Json libraries() const override {
    return {{"sample", "1.0"}, {"sample_threads", threads_}};
  }

 private:
  int threads_ = 0;
};

}  // namespace

std::unique_ptr<assay::Explorable> make_parabola() {
  return std::make_unique<Parabola>();
}
std::unique_ptr<assay::Explorable> make_complaint() {
  return std::make_unique<Complaint>();
}

}  // namespace sample

extern "C" assay::Plugin* assay_plugin_v1() {
  static sample::SamplePlugin plugin;
  return &plugin;
}
