#include "plugins/curvature_tuning/experiment/transfer_report.h"

#include <fmt/format.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plugins/curvature_tuning/experiment/pictures.h"

namespace assay::curvature_tuning {
namespace {

constexpr int bins = 100;  // as in the authors' plots
constexpr Color right_color = {31, 138, 91};
constexpr Color wrong_color = {194, 65, 58};

std::vector<float> values_of(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.to(torch::kFloat).contiguous().view(-1);
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

struct Learned {
  std::string layer;
  std::vector<float> beta, c;
};

std::vector<Learned> learned_of(const std::vector<NamedCtu>& units) {
  std::vector<Learned> learned;
  for (const NamedCtu& named : units) {
    learned.push_back({named.name, values_of(named.unit->beta()), values_of(named.unit->coeff())});
  }
  return learned;
}

void add_summary(Table& table, const std::string& layer, const char* quantity,
                 const std::vector<float>& values) {
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : values) sum += static_cast<double>(value);
  const double mean = sum / static_cast<double>(values.size());
  for (const float value : values) squares += std::pow(static_cast<double>(value) - mean, 2);
  const double deviation =
      values.size() > 1 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) : 0.0;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  table.rows.push_back({layer, quantity, fmt::to_string(values.size()), shortest(mean),
                        shortest(deviation), shortest(static_cast<double>(*low)),
                        shortest(static_cast<double>(*high))});
}

void add_histogram(Table& table, const std::string& layer, const char* quantity,
                   const std::vector<float>& values) {
  std::array<int, bins> counts{};
  for (const float value : values) {
    const auto bin = static_cast<int>(static_cast<double>(value) * bins);
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0, bins - 1))];
  }
  for (int bin = 0; bin < bins; ++bin) {
    table.rows.push_back({layer, quantity, shortest(static_cast<double>(bin) / bins),
                          shortest(static_cast<double>(bin + 1) / bins),
                          fmt::to_string(counts[static_cast<std::size_t>(bin)])});
  }
}

std::vector<float> padded(const std::vector<Learned>& learned, std::vector<float> Learned::*part,
                          std::size_t columns) {
  std::vector<float> matrix(learned.size() * columns, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t row = 0; row < learned.size(); ++row) {
    const std::vector<float>& values = learned[row].*part;
    std::copy(values.begin(), values.end(),
              matrix.begin() + static_cast<std::ptrdiff_t>(row * columns));
  }
  return matrix;
}

std::string class_name(const Dataset& data, std::int64_t label) {
  const auto index = static_cast<std::size_t>(label);
  return index < data.classes.size() ? data.classes[index] : fmt::to_string(label);
}

}  // namespace

void show_results(RunContext& context, const std::vector<MethodOutcome>& outcomes) {
  Table table;
  table.columns = {"method",     "test_accuracy",      "validation_accuracy",
                   "best_epoch", "trained_parameters", "head_parameters",
                   "beta",       "learning_rate"};
  for (const MethodOutcome& outcome : outcomes) {
    const bool steering = outcome.method == Method::steering;
    const bool lora = outcome.method == Method::lora;
    table.rows.push_back(
        {name_of(outcome.method), shortest(outcome.test_accuracy),
         shortest(outcome.validation_accuracy), fmt::to_string(outcome.epoch),
         fmt::to_string(outcome.inner_parameters), fmt::to_string(outcome.head_parameters),
         steering ? shortest(outcome.setting) : "", lora ? shortest(outcome.setting) : ""});
  }
  context.table("results", 0, table);
}

void show_beta_sweep(RunContext& context,
                     const std::vector<std::pair<double, double>>& accuracies) {
  Table table;
  table.columns = {"beta", "validation_accuracy"};
  for (const auto& [beta, accuracy] : accuracies) {
    table.rows.push_back({shortest(beta), shortest(accuracy)});
  }
  context.table("beta_sweep", 0, table);
}

void show_learned(RunContext& context, const std::vector<NamedCtu>& units) {
  const std::vector<Learned> learned = learned_of(units);
  Table summary;
  summary.columns = {"layer", "quantity", "channels", "mean", "deviation", "lowest", "highest"};
  Table histogram;
  histogram.columns = {"layer", "quantity", "from", "to", "count"};
  std::size_t columns = 1;
  Json layers = Json::array();
  for (const Learned& layer : learned) {
    add_summary(summary, layer.layer, "beta", layer.beta);
    add_summary(summary, layer.layer, "c", layer.c);
    add_histogram(histogram, layer.layer, "beta", layer.beta);
    add_histogram(histogram, layer.layer, "c", layer.c);
    columns = std::max(columns, layer.beta.size());
    layers.push_back(layer.layer);
  }
  context.table("learned/summary", 0, summary);
  context.table("learned/histogram", 0, histogram);

  const std::vector<float> betas = padded(learned, &Learned::beta, columns);
  const std::vector<float> cs = padded(learned, &Learned::c, columns);
  const auto rows = static_cast<int>(learned.size());
  const auto width = static_cast<int>(columns);
  const int cell_width = std::max(1, 768 / width);
  const int cell_height = std::clamp(480 / std::max(2 * rows, 1), 6, 28);
  const Json meta = {{"layers", layers},
                     {"range", {0.0, 1.0}},
                     {"color_map", "viridis"},
                     {"caption", "above beta, below c; a row for each layer, a column a channel"}};
  context.image("learned/heat_map", 0,
                stacked({matrix_picture(betas, width, rows, 0.0, 1.0, cell_width, cell_height),
                         matrix_picture(cs, width, rows, 0.0, 1.0, cell_width, cell_height)}),
                meta);
  const std::vector<std::int64_t> shape = {rows, width};
  context.tensors("learned/values", 0,
                  {{"beta", RawTensor::from(betas, shape)}, {"c", RawTensor::from(cs, shape)}},
                  meta);
}

Image image_at(const Dataset& data, std::int64_t index) {
  const at::Tensor pixels = data.images[index].permute({1, 2, 0}).contiguous();
  Image image;
  image.height = static_cast<int>(pixels.size(0));
  image.width = static_cast<int>(pixels.size(1));
  image.channels = static_cast<int>(pixels.size(2));
  const auto* const bytes = pixels.data_ptr<std::uint8_t>();
  image.pixels.assign(bytes, bytes + pixels.numel());
  return image;
}

int enlargement(int side) {
  return std::max(1, 56 / std::max(side, 1));
}

void show_predictions(RunContext& context, const Dataset& test,
                      const std::vector<MethodOutcome>& outcomes) {
  constexpr std::int64_t most = 16;
  // Images on which the methods differ tell most; then the first ones.
  at::Tensor differ = torch::zeros({test.count()}, torch::kBool);
  for (const MethodOutcome& outcome : outcomes) {
    differ = differ.logical_or(outcome.predictions.ne(outcomes.front().predictions));
  }
  const at::Tensor order = std::get<1>(differ.to(torch::kInt).sort(true, 0, true));
  const std::int64_t shown = std::min(most, test.count());
  std::vector<Image> sheet;
  Table table;
  table.columns = {"image", "true_class"};
  for (const MethodOutcome& outcome : outcomes) table.columns.push_back(name_of(outcome.method));
  std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(shown));
  for (const MethodOutcome& outcome : outcomes) {
    for (std::int64_t i = 0; i < shown; ++i) {
      const auto index = order[i].item<std::int64_t>();
      const auto truth = test.labels[index].item<std::int64_t>();
      const auto said = outcome.predictions[index].item<std::int64_t>();
      const Image image = image_at(test, index);
      sheet.push_back(framed(enlarged(image, enlargement(image.width)),
                             said == truth ? right_color : wrong_color, 3));
      auto& row = rows[static_cast<std::size_t>(i)];
      if (row.empty()) row = {fmt::to_string(index), class_name(test, truth)};
      row.push_back(class_name(test, said));
    }
  }
  table.rows = std::move(rows);
  Json names = Json::array();
  for (const MethodOutcome& outcome : outcomes) names.push_back(name_of(outcome.method));
  context.image("predictions", 0, contact_sheet(sheet, static_cast<int>(shown), 2),
                {{"rows", names},
                 {"caption",
                  "test images, those first on which the methods differ; green frame: "
                  "right, red: wrong"}});
  context.table("predictions_table", 0, table);
}

void show_samples(RunContext& context, const std::string& key, const Dataset& data) {
  std::vector<Image> sheet;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(data.count(), 32); ++i) {
    const Image image = image_at(data, i);
    sheet.push_back(enlarged(image, enlargement(image.width)));
  }
  context.image(key, 0, contact_sheet(sheet, 16, 2));
}

}  // namespace assay::curvature_tuning
