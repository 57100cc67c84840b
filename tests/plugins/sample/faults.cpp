// Experiments that misbehave: throw, abort, or look at nothing.
#include <chrono>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>

#include "core/base/error.h"
#include "experiments.h"

namespace sample {
namespace {

class Fault : public assay::Experiment {
 public:
  void prepare(assay::RunContext& context) override {
    const std::string& when = context.parameters().text("when");
    if (when == "prepare_input") {
      throw assay::Error(assay::ErrorKind::not_found, "data.idx: there is no such file");
    }
    if (when == "prepare") throw std::runtime_error("no device of that name");
  }

  bool step(assay::RunContext& context) override {
    const std::string& when = context.parameters().text("when");
    ++position_;
    context.metric("loss", position_, 1.0 / static_cast<double>(position_));
    if (position_ < 3) return true;
    if (when == "step") {
      throw std::runtime_error(
          "shapes [2, 3] and [4]\ndon't match\nException raised from add at tensor.cpp:12\nframe "
          "#0");
    }
    if (when == "step_input") {
      throw assay::Error(assay::ErrorKind::unreadable, "batch 3: truncated image");
    }
    if (when == "memory") throw std::bad_alloc();
    if (when == "logic") static_cast<void>(context.parameters().real("no_such_key"));
    if (when == "number") throw 42;
    if (when == "abort") std::abort();
    return false;
  }

  void finish(assay::RunContext& context) override {
    if (context.parameters().text("when") == "finish")
      throw std::runtime_error("nothing to evaluate");
  }
  void save(assay::Checkpoint& checkpoint) const override {
    checkpoint.values["position"] = position_;
  }
  void load(const assay::Checkpoint& checkpoint) override {
    position_ = checkpoint.value("position").get<std::int64_t>();
  }

 private:
  std::int64_t position_ = 0;
};

class Stubborn : public assay::Experiment {
 public:
  void prepare(assay::RunContext&) override {}
  bool step(assay::RunContext& context) override {
    context.metric("loss", ++position_, 1.0);
    if (position_ == 1) return true;
    std::this_thread::sleep_for(std::chrono::seconds(context.parameters().integer("seconds")));
    return false;
  }
  void save(assay::Checkpoint& checkpoint) const override {
    checkpoint.values["position"] = position_;
  }
  void load(const assay::Checkpoint& checkpoint) override {
    position_ = checkpoint.value("position").get<std::int64_t>();
  }

 private:
  std::int64_t position_ = 0;
};

}  // namespace

std::unique_ptr<assay::Experiment> make_fault() {
  return std::make_unique<Fault>();
}
std::unique_ptr<assay::Experiment> make_stubborn() {
  return std::make_unique<Stubborn>();
}

}  // namespace sample
