// Writes every kind of artifact at every step, as large as it is told.
#include <chrono>
#include <thread>

#include "experiments.h"

namespace sample {
namespace {

class Gallery : public assay::Experiment {
 public:
  void prepare(assay::RunContext& context) override {
    const std::string& file = context.parameters().text("data");
    if (!file.empty()) context.data_used("pictures", file, "BSD-3-Clause");
  }

  bool step(assay::RunContext& context) override {
    const auto& parameters = context.parameters();
    std::this_thread::sleep_for(std::chrono::milliseconds(parameters.integer("delay_ms")));
    ++position_;
    const auto level = static_cast<std::uint8_t>(position_);
    context.image("picture", position_, {4, 4, 3, std::vector<std::uint8_t>(48, level)},
                  {{"caption", "a flat picture"}});
    context.table("numbers", position_, {{"a", "b"}, {{"1", "x,y"}, {"2", "\"z\""}}});
    const auto count = parameters.integer("kilobytes") * 256;
    const std::vector<float> values(static_cast<std::size_t>(count), static_cast<float>(position_));
    context.tensors("weights", position_, {{"w", assay::RawTensor::from(values, {count})}});
    context.document("notes", position_, "step " + std::to_string(position_) + "\n");
    context.warning("a warning at step " + std::to_string(position_));
    context.metric("loss", position_, 1.0 / static_cast<double>(position_));
    context.timing("drawing", 0.25);
    return position_ < parameters.integer("steps");
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

std::unique_ptr<assay::Experiment> make_gallery() {
  return std::make_unique<Gallery>();
}

}  // namespace sample
