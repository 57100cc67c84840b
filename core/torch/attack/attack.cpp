// FGSM, PGD and APGD-CE.
#include "core/torch/attack/attack.h"

#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay {
namespace {

// A value for each image, shaped to multiply images.
at::Tensor for_images(const at::Tensor& values) {
  return values.view({-1, 1, 1, 1});
}

at::Tensor length_of(const at::Tensor& delta) {
  return for_images(delta.flatten(1).square().sum(1).sqrt());
}

// What a point is worth: loss and verdict, and where asked the gradient.
struct Evaluation {
  at::Tensor loss, correct, gradient;
};

Evaluation evaluate(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                    bool with_gradient) {
  const at::AutoGradMode mode(with_gradient);
  at::Tensor x = images.detach();
  if (with_gradient) x = x.clone().requires_grad_(true);
  const at::Tensor logits = model(x);
  const at::Tensor loss = at::cross_entropy_loss(logits, labels, {}, at::Reduction::None);
  Evaluation result;
  if (with_gradient) result.gradient = torch::autograd::grad({loss.sum()}, {x})[0].detach();
  result.loss = loss.detach();
  result.correct = logits.detach().argmax(1) == labels;
  return result;
}

// The strongest point of each image so far: a misclassified one before a right one, then by loss.
struct Strongest {
  at::Tensor images, correct, loss;

  void offer(const at::Tensor& candidates, const Evaluation& value) {
    const at::Tensor breaks = correct & value.correct.logical_not();
    const at::Tensor same = correct == value.correct;
    const at::Tensor better = breaks | (same & (value.loss > loss));
    images = at::where(for_images(better), candidates.detach(), images);
    loss = at::where(better, value.loss, loss);
    correct = correct & value.correct;
  }
};

at::Tensor direction_of(const at::Tensor& gradient, Norm norm) {
  if (norm == Norm::linf) return gradient.sign();
  return gradient / (length_of(gradient) + 1e-12);
}

at::Tensor random_start(const at::Tensor& images, Norm norm, double epsilon,
                        at::Generator& generator) {
  const at::TensorOptions options = images.options().requires_grad(false);
  if (norm == Norm::linf) {
    const at::Tensor delta = at::rand(images.sizes(), generator, options) * 2 - 1;
    return project(images + epsilon * delta, images, norm, epsilon);
  }
  const at::Tensor way = at::randn(images.sizes(), generator, options);
  const at::Tensor reach = at::rand({images.size(0), 1, 1, 1}, generator, options);
  return project(images + epsilon * reach * way / (length_of(way) + 1e-12), images, norm, epsilon);
}

bool stop_asked(const AttackOptions& options) {
  return options.interrupted && options.interrupted();
}

// Runs `attempt(images, labels, strongest)` on the images still classified rightly and files what
// it found in `all`.
template <class Attempt>
void on_the_right_ones(Strongest& all, const at::Tensor& images, const at::Tensor& labels,
                       Attempt attempt) {
  const at::Tensor left = all.correct.nonzero().view({-1});
  if (left.numel() == 0) return;
  Strongest some{all.images.index_select(0, left), all.correct.index_select(0, left),
                 all.loss.index_select(0, left)};
  attempt(images.index_select(0, left), labels.index_select(0, left), some);
  all.images.index_copy_(0, left, some.images);
  all.correct.index_copy_(0, left, some.correct);
  all.loss.index_copy_(0, left, some.loss);
}

Strongest clean_start(const LogitFunction& model, const at::Tensor& images,
                      const at::Tensor& labels) {
  const Evaluation clean = evaluate(model, images, labels, false);
  return {images.detach().clone(), clean.correct, clean.loss};
}

AttackResult result_of(const Strongest& strongest) {
  return {strongest.images, strongest.correct, strongest.loss};
}

// Croce & Hein 2020, section 3.2: checkpoints at shares 0.22, then 0.19, 0.16, ... not under 0.06.
std::vector<int> apgd_checkpoints(int steps) {
  std::vector<int> at;
  double last = 0.0, now = 0.22;
  while (now < 1.0) {
    at.push_back(static_cast<int>(std::ceil(now * steps)));
    const double next = now + std::max(now - last - 0.03, 0.06);
    last = now;
    now = next;
  }
  return at;
}

// One APGD-CE ascent from `start`, all images in step, each with its own step size.
class Ascent {
 public:
  Ascent(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
         const AttackOptions& options)
      : model_(model), images_(images), labels_(labels), options_(options) {}

  void run(const at::Tensor& start, Strongest& strongest) {
    begin(start, strongest);
    const std::vector<int> checkpoints = apgd_checkpoints(options_.steps);
    std::size_t next = 0;
    int last = 0;
    for (int k = 0; k < options_.steps && !stop_asked(options_); ++k) {
      advance(k, strongest);
      if (next == checkpoints.size() || k + 1 != checkpoints[next]) continue;
      adapt(k + 1 - last);
      last = k + 1;
      while (next < checkpoints.size() && checkpoints[next] <= k + 1) ++next;
    }
  }

 private:
  static constexpr double momentum = 0.75;
  static constexpr double progress_needed = 0.75;  // rho

  void begin(const at::Tensor& start, Strongest& strongest) {
    x_ = start;
    before_ = start;
    const Evaluation value = evaluate(model_, x_, labels_, true);
    strongest.offer(x_, value);
    gradient_ = best_gradient_ = value.gradient;
    loss_ = best_loss_ = value.loss;
    best_ = x_;
    step_ = at::full_like(loss_, 2.0 * options_.epsilon);
    rises_ = at::zeros_like(loss_);
    best_at_checkpoint_ = best_loss_;
    halved_ = at::zeros_like(loss_, at::kBool);
  }

  void advance(int k, Strongest& strongest) {
    const at::Tensor way = direction_of(gradient_, options_.norm);
    const at::Tensor z = projected(x_ + for_images(step_) * way);
    const at::Tensor moved =
        k == 0 ? z : projected(x_ + momentum * (z - x_) + (1.0 - momentum) * (x_ - before_));
    before_ = x_;
    x_ = moved;
    const Evaluation value = evaluate(model_, x_, labels_, true);
    strongest.offer(x_, value);
    rises_ = rises_ + (value.loss > loss_).to(rises_.scalar_type());
    loss_ = value.loss;
    gradient_ = value.gradient;
    const at::Tensor better = loss_ > best_loss_;
    best_ = at::where(for_images(better), x_, best_);
    best_gradient_ = at::where(for_images(better), gradient_, best_gradient_);
    best_loss_ = at::where(better, loss_, best_loss_);
  }

  // Halves the step and goes back to the best point where too few steps rose, or where neither the
  // step size nor the best loss changed since the last checkpoint.
  void adapt(int steps) {
    const at::Tensor stalls = rises_ < progress_needed * steps;
    const at::Tensor stuck = halved_.logical_not() & (best_loss_ <= best_at_checkpoint_);
    const at::Tensor halve = stalls | stuck;
    step_ = at::where(halve, step_ / 2, step_);
    x_ = at::where(for_images(halve), best_, x_);
    before_ = at::where(for_images(halve), best_, before_);
    gradient_ = at::where(for_images(halve), best_gradient_, gradient_);
    loss_ = at::where(halve, best_loss_, loss_);
    halved_ = halve;
    best_at_checkpoint_ = best_loss_;
    rises_ = at::zeros_like(rises_);
  }

  at::Tensor projected(const at::Tensor& moved) const {
    return project(moved, images_, options_.norm, options_.epsilon);
  }

  const LogitFunction& model_;
  const at::Tensor images_, labels_;
  const AttackOptions& options_;
  at::Tensor x_, before_, gradient_, loss_, step_, rises_;
  at::Tensor best_, best_loss_, best_gradient_, best_at_checkpoint_, halved_;
};

}  // namespace

at::Tensor project(const at::Tensor& moved, const at::Tensor& images, Norm norm, double epsilon) {
  at::Tensor delta = moved - images;
  if (norm == Norm::linf) {
    delta = delta.clamp(-epsilon, epsilon);
  } else {
    delta = delta * (epsilon / length_of(delta).clamp_min(1e-30)).clamp_max(1.0);
  }
  // Both images lie in the box, so the clamp shortens every component: epsilon still holds.
  return (images + delta).clamp(0.0, 1.0);
}

AttackResult fgsm(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                  const AttackOptions& options) {
  const Evaluation start = evaluate(model, images, labels, true);
  Strongest strongest{images.detach().clone(), start.correct, start.loss};
  const at::Tensor step = options.epsilon * direction_of(start.gradient, options.norm);
  const at::Tensor moved =
      project(images.detach() + step, images.detach(), options.norm, options.epsilon);
  strongest.offer(moved, evaluate(model, moved, labels, false));
  return result_of(strongest);
}

AttackResult pgd(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                 const AttackOptions& options, at::Generator generator) {
  Strongest all = clean_start(model, images, labels);
  const double step =
      options.step_size > 0.0 ? options.step_size : 2.5 * options.epsilon / options.steps;
  for (int restart = 0; restart < options.restarts && !stop_asked(options); ++restart) {
    on_the_right_ones(all, images, labels,
                      [&](const at::Tensor& x0, const at::Tensor& y, Strongest& strongest) {
                        at::Tensor x = random_start(x0, options.norm, options.epsilon, generator);
                        for (int k = 0; k < options.steps && !stop_asked(options); ++k) {
                          const Evaluation here = evaluate(model, x, y, true);
                          strongest.offer(x, here);
                          x = project(x + step * direction_of(here.gradient, options.norm), x0,
                                      options.norm, options.epsilon);
                        }
                        strongest.offer(x, evaluate(model, x, y, false));
                      });
  }
  return result_of(all);
}

AttackResult apgd(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                  const AttackOptions& options, at::Generator generator) {
  Strongest all = clean_start(model, images, labels);
  for (int restart = 0; restart < options.restarts && !stop_asked(options); ++restart) {
    on_the_right_ones(
        all, images, labels, [&](const at::Tensor& x0, const at::Tensor& y, Strongest& strongest) {
          const at::Tensor start =
              restart == 0 ? x0 : random_start(x0, options.norm, options.epsilon, generator);
          Ascent(model, x0, y, options).run(start, strongest);
        });
  }
  return result_of(all);
}

double accuracy(const LogitFunction& model, const at::Tensor& images, const at::Tensor& labels,
                std::int64_t batch_size) {
  const torch::NoGradGuard no_grad;
  std::int64_t right = 0;
  for (std::int64_t first = 0; first < images.size(0); first += batch_size) {
    const std::int64_t end = std::min(first + batch_size, images.size(0));
    const at::Tensor logits = model(images.slice(0, first, end));
    right += (logits.argmax(1) == labels.slice(0, first, end)).sum().item<std::int64_t>();
  }
  return images.size(0) == 0 ? 0.0
                             : static_cast<double>(right) / static_cast<double>(images.size(0));
}

}  // namespace assay
