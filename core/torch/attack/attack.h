// Adversarial attacks on classifiers, in pixel space: images stay in [0,1], and the model given
// here contains its own normalisation.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <functional>

namespace assay {

// Images in [0,1], N x C x H x W, to logits. Should be in eval mode, its parameters frozen (the
// attacks ask for gradients with respect to the images alone).
using LogitFunction = std::function<at::Tensor(const at::Tensor& images)>;

enum class Norm { linf, l2 };

struct AttackOptions {
  Norm norm = Norm::linf;
  double epsilon = 8.0 / 255.0;
  int steps = 10;          // PGD, APGD; FGSM takes one
  double step_size = 0.0;  // PGD; 0: 2.5 epsilon / steps
  int restarts = 1;        // PGD (random starts), APGD
  // Looked at between steps: true ends the attack early with the best found so far.
  std::function<bool()> interrupted;
};

struct AttackResult {
  at::Tensor images;   // adversarial where one was found, else the strongest found; within epsilon
  at::Tensor correct;  // bool [N]: still classified rightly
  at::Tensor loss;     // cross-entropy of `images`
};

// Goodfellow et al. 2015: one step of epsilon along the gradient (its sign, or its direction for
// l2).
AttackResult fgsm(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                  const AttackOptions& options);
// Madry et al. 2018: projected gradient ascent from a random start.
AttackResult pgd(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                 const AttackOptions& options, at::Generator generator);
// APGD-CE, Croce & Hein 2020: momentum, step sizes halved at checkpoints by progress, restart from
// the best point. The first start is the image itself, so that the loss never falls below the clean
// one; further restarts are random and only for images still classified rightly.
AttackResult apgd(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                  const AttackOptions& options, at::Generator generator);

// The nearest point to `moved` within epsilon of `images` and (after that) clamped to [0,1].
at::Tensor project(const at::Tensor& moved, const at::Tensor& images, Norm norm, double epsilon);

double accuracy(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                std::int64_t batch_size = 256);

}  // namespace assay
