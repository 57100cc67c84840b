// Image sets to tensors, splits, batches.
#include "core/torch/data/dataset.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/torch/math/generator.h"

namespace assay {
namespace {

constexpr std::int64_t chunk = 1024;  // images converted at once: bounds the float copies

// Indices of each class in a shuffled order.
std::vector<std::vector<std::int64_t>> shuffled_classes(const at::Tensor& labels,
                                                        std::uint64_t seed) {
  const at::Tensor order = permutation(labels.numel(), seed, 0);
  const auto* at_order = order.data_ptr<std::int64_t>();
  const at::Tensor plain = labels.contiguous();
  const auto* label = plain.data_ptr<std::int64_t>();
  std::vector<std::vector<std::int64_t>> classes;
  for (std::int64_t i = 0; i < order.numel(); ++i) {
    const auto which = static_cast<std::size_t>(label[at_order[i]]);
    if (which >= classes.size()) classes.resize(which + 1);
    classes[which].push_back(at_order[i]);
  }
  return classes;
}

at::Tensor sorted_indices(std::vector<std::int64_t> indices) {
  std::sort(indices.begin(), indices.end());
  return torch::tensor(indices, torch::kLong).reshape({static_cast<std::int64_t>(indices.size())});
}

at::Tensor with_channels(const at::Tensor& images, std::int64_t channels) {
  if (channels == 0 || images.size(1) == channels) return images;
  if (images.size(1) == 1) return images.expand({-1, channels, -1, -1});
  const at::Tensor luma = torch::tensor({0.299F, 0.587F, 0.114F}).reshape({1, 3, 1, 1});
  return (images * luma).sum(1, true);
}

at::Tensor with_side(const at::Tensor& images, std::int64_t side) {
  if (side == 0 || (images.size(2) == side && images.size(3) == side)) return images;
  // Shrinking without the low-pass would alias.
  return at::_upsample_bilinear2d_aa(images, {side, side}, /*align_corners=*/false, c10::nullopt,
                                     c10::nullopt);
}

at::Tensor converted(const at::Tensor& bytes, const DatasetOptions& options) {
  const bool same_channels = options.channels == 0 || bytes.size(1) == options.channels;
  const bool same_side =
      options.side == 0 || (bytes.size(2) == options.side && bytes.size(3) == options.side);
  if (same_channels && same_side) return bytes;
  std::vector<at::Tensor> parts;
  for (std::int64_t first = 0; first < bytes.size(0); first += chunk) {
    const at::Tensor some =
        bytes.slice(0, first, std::min(first + chunk, bytes.size(0))).to(at::kFloat);
    const at::Tensor resized = with_side(with_channels(some, options.channels), options.side);
    parts.push_back(resized.round().clamp(0, 255).to(at::kByte).contiguous());
  }
  return parts.empty() ? bytes : at::cat(parts);
}

// `limit` indices, one class after another in turn.
at::Tensor even_choice(const at::Tensor& labels, std::int64_t limit, std::uint64_t seed) {
  const auto classes = shuffled_classes(labels, seed);
  std::vector<std::int64_t> chosen;
  for (std::size_t turn = 0; static_cast<std::int64_t>(chosen.size()) < limit; ++turn) {
    for (const auto& members : classes) {
      if (turn < members.size() && static_cast<std::int64_t>(chosen.size()) < limit) {
        chosen.push_back(members[turn]);
      }
    }
  }
  return sorted_indices(std::move(chosen));
}

}  // namespace

std::int64_t Dataset::count() const {
  return labels.numel();
}

Dataset to_dataset(const ImageSet& set, const DatasetOptions& options, std::uint64_t seed) {
  Dataset data;
  data.classes = set.classes;
  at::Tensor images =
      at::empty({set.count, set.channels, set.height, set.width}, at::TensorOptions(at::kByte));
  TORCH_CHECK(images.nbytes() == set.pixels.size(), "an image set's sizes must agree");
  if (!set.pixels.empty()) std::memcpy(images.data_ptr(), set.pixels.data(), set.pixels.size());
  data.labels = torch::tensor(set.labels, torch::kLong).reshape({set.count});
  if (options.limit > 0 && options.limit < set.count) {
    const at::Tensor chosen = even_choice(data.labels, options.limit, seed);
    images = images.index_select(0, chosen);
    data.labels = data.labels.index_select(0, chosen);
  }
  data.images = converted(images, options);
  return data;
}

Dataset subset(const Dataset& data, const at::Tensor& indices) {
  return {data.images.index_select(0, indices), data.labels.index_select(0, indices), data.classes};
}

Split stratified_split(const at::Tensor& labels, double fraction, std::uint64_t seed) {
  std::vector<std::int64_t> first, second;
  for (const auto& members : shuffled_classes(labels, seed)) {
    const auto part =
        static_cast<std::ptrdiff_t>(std::llround(fraction * static_cast<double>(members.size())));
    second.insert(second.end(), members.begin(), members.begin() + part);
    first.insert(first.end(), members.begin() + part, members.end());
  }
  return {sorted_indices(std::move(first)), sorted_indices(std::move(second))};
}

at::Tensor unit_images(const at::Tensor& bytes) {
  return bytes.to(at::kFloat).div_(255.0);
}

at::Tensor Normalization::apply(const at::Tensor& images) const {
  const auto channels = static_cast<std::int64_t>(mean.size());
  const auto shaped = [&](const std::vector<double>& values) {
    return torch::tensor(values, torch::kDouble).to(images.options()).reshape({1, channels, 1, 1});
  };
  return (images - shaped(mean)) / shaped(deviation);
}

Normalization normalization_of(const Dataset& data) {
  const std::int64_t channels = data.images.size(1);
  at::Tensor sum = at::zeros({channels}, at::kDouble), squares = at::zeros({channels}, at::kDouble);
  for (std::int64_t first = 0; first < data.count(); first += chunk) {
    const at::Tensor some =
        data.images.slice(0, first, std::min(first + chunk, data.count())).to(at::kDouble) / 255.0;
    sum += some.sum({0, 2, 3});
    squares += some.square().sum({0, 2, 3});
  }
  const double elements = static_cast<double>(data.images.numel()) / static_cast<double>(channels);
  Normalization result;
  for (std::int64_t c = 0; c < channels; ++c) {
    const double mean = sum[c].item<double>() / elements;
    const double variance = squares[c].item<double>() / elements - mean * mean;
    result.mean.push_back(mean);
    result.deviation.push_back(std::max(std::sqrt(std::max(variance, 0.0)), 1e-3));
  }
  return result;
}

Batches::Batches(std::int64_t count, std::int64_t batch_size, std::uint64_t seed, bool drop_last)
    : count_(count), batch_size_(batch_size), seed_(seed), drop_last_(drop_last) {
  TORCH_CHECK(count > 0 && batch_size > 0, "batches need images and a size");
}

std::int64_t Batches::per_epoch() const {
  const std::int64_t whole = count_ / batch_size_;
  return drop_last_ || count_ % batch_size_ == 0 ? std::max<std::int64_t>(whole, 1) : whole + 1;
}

at::Tensor Batches::indices(std::int64_t epoch, std::int64_t batch) const {
  if (epoch != epoch_) {
    order_ = permutation(count_, seed_, epoch);
    epoch_ = epoch;
  }
  const std::int64_t first = batch * batch_size_;
  return order_.slice(0, first, std::min(first + batch_size_, count_));
}

at::Tensor Batches::in_order(std::int64_t batch) const {
  const std::int64_t first = batch * batch_size_;
  return at::arange(first, std::min(first + batch_size_, count_), at::TensorOptions(at::kLong));
}

}  // namespace assay
