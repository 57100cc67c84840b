// Labelled images as tensors: conversion, normalisation, splits and batches that a resumed run
// finds again.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/image_sets.h"

namespace assay {

// Images are kept as bytes [N, C, H, W] (a quarter of the memory); batches become floats.
struct Dataset {
  at::Tensor images;  // uint8
  at::Tensor labels;  // int64 [N]
  std::vector<std::string> classes;
  std::int64_t count() const;
  std::int64_t class_count() const { return static_cast<std::int64_t>(classes.size()); }
};

struct DatasetOptions {
  std::int64_t channels = 0;  // 1 or 3; 0 keeps the set's own. Grey becomes RGB by repetition, RGB
                              // becomes grey by the usual luma weights
  std::int64_t side = 0;      // square side by bilinear resizing; 0 keeps the size
  std::int64_t limit = 0;     // at most so many images, drawn evenly from the classes; 0: all
};
Dataset to_dataset(const ImageSet& set, const DatasetOptions& options = {}, std::uint64_t seed = 0);

Dataset subset(const Dataset& data, const at::Tensor& indices);

// Splits so that each class keeps its share; both parts in ascending order of index. `fraction` of
// the images (rounded, each class separately) goes to the second part.
struct Split {
  at::Tensor first, second;  // int64 indices
};
Split stratified_split(const at::Tensor& labels, double fraction, std::uint64_t seed);

// Floats in [0,1]: the attacks' and models' input space.
at::Tensor unit_images(const at::Tensor& bytes);

// Mean and deviation by channel of images in [0,1].
struct Normalization {
  std::vector<double> mean, deviation;
  at::Tensor apply(const at::Tensor& images) const;  // (x - mean) / deviation
};
Normalization normalization_of(const Dataset& data);

// The batches of one epoch, in the order of permutation(count, seed, epoch).
class Batches {
 public:
  Batches(std::int64_t count, std::int64_t batch_size, std::uint64_t seed, bool drop_last = false);
  std::int64_t per_epoch() const;
  // Indices of one batch; the permutation of the last epoch asked for is kept.
  at::Tensor indices(std::int64_t epoch, std::int64_t batch) const;
  // In plain order, for evaluation.
  at::Tensor in_order(std::int64_t batch) const;

 private:
  std::int64_t count_, batch_size_;
  std::uint64_t seed_;
  bool drop_last_;
  mutable std::int64_t epoch_ = -1;
  mutable at::Tensor order_;
};

}  // namespace assay
