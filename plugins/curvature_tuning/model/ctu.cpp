// The fused activation as a differentiable function: finds the memory layout, shares the work out
// in blocks that do not depend on the number of threads, and adds their sums in order.
#include "plugins/curvature_tuning/model/ctu.h"

#include <ATen/Parallel.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "plugins/curvature_tuning/model/ctu_kernels.h"

namespace assay::curvature_tuning {
namespace {

constexpr double epsilon = 1e-6;
constexpr std::int64_t run_length =
    16384;  // elements of a block: fits the first-level caches' pair
constexpr std::int64_t rows_per_block = 256;

// The one switch of this file, for tests and benchmarks only.
std::atomic<bool>& scalar_forced() {
  static std::atomic<bool> forced{false};
  return forced;
}

template <class Real>
const CtuKernels<Real>& chosen_kernels();
template <>
const CtuKernels<float>& chosen_kernels<float>() {
  const CtuKernels<float>* fast = scalar_forced() ? nullptr : avx2_kernels_f32();
  return fast != nullptr ? *fast : scalar_kernels_f32();
}
template <>
const CtuKernels<double>& chosen_kernels<double>() {
  return scalar_kernels_f64();
}

// How x lies in memory, seen from the units: outer x units x inner, C order.
struct Layout {
  std::int64_t outer = 1, units = 1, inner = 1;
  std::int64_t elements() const { return outer * units * inner; }
};

// The axis of x along which there is a unit for each place; -1 for one unit.
std::int64_t unit_axis(const at::Tensor& x, const at::Tensor& beta) {
  if (beta.numel() == 1) return -1;
  for (std::int64_t axis = 0; axis < beta.dim(); ++axis) {
    if (beta.size(axis) != 1) return axis + x.dim() - beta.dim();
  }
  return -1;
}

bool fits(const at::Tensor& x, const at::Tensor& beta, const at::Tensor& c) {
  if (beta.sizes() != c.sizes() || beta.scalar_type() != x.scalar_type() ||
      c.scalar_type() != x.scalar_type()) {
    return false;
  }
  if (beta.numel() == 1) return true;
  if (beta.dim() > x.dim()) return false;
  const std::int64_t axis = unit_axis(x, beta);
  return beta.numel() == x.size(axis) && beta.size(axis - x.dim() + beta.dim()) == beta.numel();
}

bool can_fuse(const at::Tensor& x, const at::Tensor& beta, const at::Tensor& c) {
  return x.device().is_cpu() && x.layout() == at::kStrided && beta.device().is_cpu() &&
         c.device().is_cpu() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble) &&
         fits(x, beta, c);
}

// x itself when the kernels can walk it as it lies, else a C-order copy; fills in `layout`.
at::Tensor walkable(const at::Tensor& x, std::int64_t axis, Layout& layout) {
  if (axis < 0 && x.is_non_overlapping_and_dense()) {
    layout = {1, 1, x.numel()};
    return x;
  }
  if (axis == 1 && x.dim() == 4 && !x.is_contiguous() &&
      x.is_contiguous(at::MemoryFormat::ChannelsLast)) {
    layout = {x.size(0) * x.size(2) * x.size(3), x.size(1), 1};
    return x;
  }
  layout = {1, 1, 1};
  if (axis < 0) layout.inner = x.numel();
  for (std::int64_t d = 0; axis >= 0 && d < x.dim(); ++d) {
    std::int64_t& part = d < axis ? layout.outer : d == axis ? layout.units : layout.inner;
    part *= x.size(d);
  }
  return x.contiguous();
}

// `gradient` laid out as x is.
at::Tensor laid_out_like(const at::Tensor& gradient, const at::Tensor& x) {
  if (gradient.strides() == x.strides()) return gradient;
  return at::empty_like(x).copy_(gradient);
}

template <class Real>
CtuUnits<Real> units_of(const at::Tensor& beta, const at::Tensor& c, AtOne at_one) {
  const at::Tensor b = beta.contiguous(), k = c.contiguous();
  return CtuUnits<Real>(b.data_ptr<Real>(), k.data_ptr<Real>(), b.numel(), at_one == AtOne::relu);
}

// One block of a run layout: `n` elements from `offset`, all of one unit.
struct Block {
  std::int64_t offset, n, unit;
};
struct RunBlocks {
  Layout layout;
  std::int64_t per_row = (layout.inner + run_length - 1) / run_length;
  std::int64_t count() const { return layout.outer * layout.units * per_row; }
  Block at(std::int64_t index) const {
    const std::int64_t row = index / per_row, begin = index % per_row * run_length;
    return {row * layout.inner + begin, std::min(run_length, layout.inner - begin),
            row % layout.units};
  }
  // So many blocks that a thread has something to do.
  std::int64_t grain() const {
    const std::int64_t each = std::min(run_length, layout.inner);
    return std::max<std::int64_t>(1, run_length / std::max<std::int64_t>(1, each));
  }
};

template <class Real>
void run_forward(const CtuUnits<Real>& units, const Layout& layout, const Real* x, Real* y) {
  const CtuKernels<Real>& kernels = chosen_kernels<Real>();
  if (layout.inner == 1 && layout.units > 1) {
    const std::int64_t blocks = (layout.outer + rows_per_block - 1) / rows_per_block;
    at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) {
        const std::int64_t row = b * rows_per_block, offset = row * layout.units;
        kernels.forward_rows(
            units, {x + offset, nullptr, y + offset, std::min(rows_per_block, layout.outer - row)});
      }
    });
    return;
  }
  const RunBlocks blocks{layout};
  at::parallel_for(0, blocks.count(), blocks.grain(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      const Block block = blocks.at(b);
      kernels.forward_run(units,
                          {x + block.offset, nullptr, y + block.offset, block.n, block.unit});
    }
  });
}

// The parameters' gradients by unit; empty when nobody asked.
struct UnitSums {
  std::vector<double> beta, c;
};

template <class Real>
UnitSums rows_backward(const CtuUnits<Real>& units, const Layout& layout, const Real* x,
                       const Real* gradient, Real* out, bool with_parameters) {
  const CtuKernels<Real>& kernels = chosen_kernels<Real>();
  const std::int64_t blocks = (layout.outer + rows_per_block - 1) / rows_per_block;
  const auto count = static_cast<std::size_t>(layout.units);
  const std::size_t size = with_parameters ? static_cast<std::size_t>(blocks) * count : 0;
  std::vector<double> beta(size), c(size);
  at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      const std::int64_t row = b * rows_per_block, offset = row * layout.units;
      CtuSums sums;
      if (with_parameters) {
        sums = {beta.data() + static_cast<std::size_t>(b) * count,
                c.data() + static_cast<std::size_t>(b) * count};
      }
      kernels.backward_rows(units,
                            {x + offset, gradient + offset, out + offset,
                             std::min(rows_per_block, layout.outer - row)},
                            sums);
    }
  });
  UnitSums all;
  if (!with_parameters) return all;
  all.beta.assign(count, 0.0);
  all.c.assign(count, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    all.beta[i % count] += beta[i];
    all.c[i % count] += c[i];
  }
  return all;
}

template <class Real>
UnitSums run_backward(const CtuUnits<Real>& units, const Layout& layout, const Real* x,
                      const Real* gradient, Real* out, bool with_parameters) {
  if (layout.inner == 1 && layout.units > 1) {
    return rows_backward(units, layout, x, gradient, out, with_parameters);
  }
  const CtuKernels<Real>& kernels = chosen_kernels<Real>();
  const RunBlocks blocks{layout};
  const std::size_t size = with_parameters ? static_cast<std::size_t>(blocks.count()) : 0;
  std::vector<double> beta(size), c(size);
  at::parallel_for(0, blocks.count(), blocks.grain(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      const Block block = blocks.at(b);
      CtuSums sums;
      if (with_parameters) {
        sums = {beta.data() + b, c.data() + b};
      }
      kernels.backward_run(
          units,
          {x + block.offset, gradient + block.offset, out + block.offset, block.n, block.unit},
          sums);
    }
  });
  UnitSums all;
  if (!with_parameters) return all;
  all.beta.assign(static_cast<std::size_t>(layout.units), 0.0);
  all.c.assign(static_cast<std::size_t>(layout.units), 0.0);
  for (std::size_t b = 0; b < size; ++b) {
    const auto unit = static_cast<std::size_t>(blocks.at(static_cast<std::int64_t>(b)).unit);
    all.beta[unit] += beta[b];
    all.c[unit] += c[b];
  }
  return all;
}

at::Tensor sums_as(const std::vector<double>& sums, const at::Tensor& like) {
  const auto count = static_cast<std::int64_t>(sums.size());
  return at::tensor(sums, at::kDouble)
      .reshape({count})
      .to(like.scalar_type())
      .reshape(like.sizes());
}

at::Tensor relu_units(const at::Tensor& beta, AtOne at_one) {
  return at_one == AtOne::relu ? beta >= 1 : at::zeros_like(beta, at::kBool);
}

// The same three gradients out of differentiable operations, for gradients of gradients.
torch::autograd::variable_list composed_backward(const at::Tensor& x, const at::Tensor& beta,
                                                 const at::Tensor& c, const at::Tensor& gradient,
                                                 AtOne at_one) {
  const at::Tensor q = 1 - beta + epsilon;
  const at::Tensor u = x / q, t = beta * u;
  const at::Tensor s = at::sigmoid(t), linear = u > 20;
  const at::Tensor soft = at::softplus(u);
  const at::Tensor soft_slope = at::where(linear, at::ones_like(u), at::sigmoid(u));
  const at::Tensor bump = s * (1 - s);
  const at::Tensor relu = relu_units(beta, at_one);
  const at::Tensor slope = c * (s + t * bump) + (1 - c) * soft_slope;
  const at::Tensor zero = at::zeros({}, x.options());
  const at::Tensor by_x = gradient * at::where(relu, (x > 0).to(x.scalar_type()), slope);
  const at::Tensor by_beta = c * bump * u * u * (q + beta) + (1 - c) * (soft_slope * u - soft);
  const at::Tensor by_c = s * x - soft * q;
  const at::Tensor dbeta = (gradient * at::where(relu, zero, by_beta)).sum_to_size(beta.sizes());
  const at::Tensor dc = (gradient * at::where(relu, zero, by_c)).sum_to_size(c.sizes());
  return {by_x, dbeta, dc, at::Tensor()};
}

class FusedCtu : public torch::autograd::Function<FusedCtu> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& beta, const at::Tensor& c, std::int64_t at_one) {
    context->save_for_backward({x, beta, c});
    context->saved_data["at_one"] = at_one;
    Layout layout;
    const at::Tensor in = walkable(x, unit_axis(x, beta), layout);
    at::Tensor y = at::empty_like(in);
    if (y.numel() == 0) return y;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "ctu", [&] {
      const auto units = units_of<scalar_t>(beta, c, static_cast<AtOne>(at_one));
      run_forward<scalar_t>(units, layout, in.data_ptr<scalar_t>(), y.data_ptr<scalar_t>());
    });
    return y;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const torch::autograd::variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &beta = saved[1], &c = saved[2];
    const auto at_one = static_cast<AtOne>(context->saved_data["at_one"].toInt());
    // Under create_graph the engine leaves gradients on: then the answer must be differentiable.
    if (at::GradMode::is_enabled()) return composed_backward(x, beta, c, gradients[0], at_one);
    Layout layout;
    const at::Tensor in = walkable(x, unit_axis(x, beta), layout);
    const at::Tensor g = laid_out_like(gradients[0], in);
    at::Tensor by_x = at::empty_like(in);
    const bool with_parameters = beta.requires_grad() || c.requires_grad();
    if (by_x.numel() == 0) return {by_x, at::zeros_like(beta), at::zeros_like(c), at::Tensor()};
    UnitSums sums;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "ctu_backward", [&] {
      const auto units = units_of<scalar_t>(beta, c, at_one);
      sums = run_backward<scalar_t>(units, layout, in.data_ptr<scalar_t>(), g.data_ptr<scalar_t>(),
                                    by_x.data_ptr<scalar_t>(), with_parameters);
    });
    if (!with_parameters) return {by_x, at::Tensor(), at::Tensor(), at::Tensor()};
    return {by_x, sums_as(sums.beta, beta), sums_as(sums.c, c), at::Tensor()};
  }
};

}  // namespace

at::Tensor ctu(const at::Tensor& x, const at::Tensor& beta, const at::Tensor& c, AtOne at_one) {
  if (can_fuse(x, beta, c)) return FusedCtu::apply(x, beta, c, static_cast<std::int64_t>(at_one));
  const at::Tensor y = ctu_composed(x, beta, c);
  return at_one == AtOne::formula ? y : at::where(beta >= 1, at::relu(x), y);
}

at::Tensor ctu_composed(const at::Tensor& x, const at::Tensor& beta, const at::Tensor& c) {
  const at::Tensor q = 1 - beta + epsilon;
  return c * at::sigmoid(beta * x / q) * x + (1 - c) * at::softplus(x / q) * q;
}

const char* ctu_kernels() {
  return chosen_kernels<float>().name;
}
void force_scalar_kernels(bool force) {
  scalar_forced() = force;
}

}  // namespace assay::curvature_tuning
