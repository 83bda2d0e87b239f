// RMS norm and its gradients: one work group for a row at a time, sums in float32.

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <c10/xpu/XPUStream.h>

#include <sycl/sycl.hpp>

#include <algorithm>

#include "../torch-ext/rows.h"
#include "../torch-ext/torch_binding.h"

namespace {

constexpr int64_t kItems = 256;
// More rows of partial sums would only have to be added up again.
constexpr int64_t kMaxParts = 1024;

template <typename Run>
void with_element(at::Tensor const &x, Run run) {
  switch (x.scalar_type()) {
  case at::kFloat:
    return run(float{});
  case at::kHalf:
    return run(at::Half{});
  case at::kBFloat16:
    return run(at::BFloat16{});
  default:
    TORCH_CHECK_TYPE(false, "rmsnorm: want float32, float16 or bfloat16, found ", x.scalar_type());
  }
}

sycl::nd_range<1> groups(int64_t count) {
  return {static_cast<size_t>(count * kItems), static_cast<size_t>(kItems)};
}

float sum_over_group(sycl::nd_item<1> item, float value) {
  return sycl::reduce_over_group(item.get_group(), value, sycl::plus<float>());
}

} // namespace

std::tuple<at::Tensor, at::Tensor> rmsnorm(at::Tensor const &input, at::Tensor const &factors, double epsilon) {
  Rows const rows = rows_of(input, factors);
  at::Tensor const dense_x = input.contiguous();
  at::Tensor const dense_weight = factors.contiguous();
  at::Tensor result = at::empty_like(dense_x);
  at::Tensor scales = at::empty(input.sizes().slice(0, input.dim() - 1), input.options().dtype(at::kFloat));
  sycl::queue &queue = c10::xpu::getCurrentXPUStream(input.device().index()).queue();
  with_element(input, [&](auto one) {
    using T = decltype(one);
    if (rows.count == 0) {
      return; // an empty range is an error in SYCL
    }
    int64_t const width = rows.width;
    float const eps = static_cast<float>(epsilon);
    T const *x = dense_x.const_data_ptr<T>(), *weight = dense_weight.const_data_ptr<T>();
    T *out = result.mutable_data_ptr<T>();
    float *rstd = scales.mutable_data_ptr<float>();
    queue.parallel_for(groups(rows.count), [=](sycl::nd_item<1> item) {
      int64_t const row = item.get_group(0), first = item.get_local_id(0), start = row * width;
      float squares = 0;
      for (int64_t i = first; i < width; i += kItems) {
        float const value = static_cast<float>(x[start + i]);
        squares += value * value;
      }
      float const scale = 1 / sycl::sqrt(sum_over_group(item, squares) / static_cast<float>(width) + eps);
      if (first == 0) {
        rstd[row] = scale;
      }
      for (int64_t i = first; i < width; i += kItems) {
        out[start + i] = static_cast<T>(static_cast<float>(x[start + i]) * scale * static_cast<float>(weight[i]));
      }
    });
  });
  return {result, scales};
}

std::tuple<at::Tensor, at::Tensor> rmsnorm_backward(at::Tensor const &slopes, at::Tensor const &input,
                                                    at::Tensor const &factors, at::Tensor const &scales) {
  Rows const rows = rows_of(input, factors);
  check_gradient(slopes, input, scales, rows);
  at::Tensor const dense_grad = slopes.contiguous();
  at::Tensor const dense_x = input.contiguous();
  at::Tensor const dense_weight = factors.contiguous();
  at::Tensor const dense_rstd = scales.contiguous();
  int64_t const parts = std::clamp<int64_t>(rows.count, 1, kMaxParts);
  at::Tensor result = at::empty_like(dense_x);
  at::Tensor partial = at::zeros({parts, rows.width}, input.options().dtype(at::kFloat));
  sycl::queue &queue = c10::xpu::getCurrentXPUStream(input.device().index()).queue();
  with_element(input, [&](auto one) {
    using T = decltype(one);
    int64_t const width = rows.width, count = rows.count;
    T const *grad = dense_grad.const_data_ptr<T>(), *x = dense_x.const_data_ptr<T>();
    T const *weight = dense_weight.const_data_ptr<T>();
    float const *rstd = dense_rstd.const_data_ptr<float>();
    T *grad_x = result.mutable_data_ptr<T>();
    float *all_sums = partial.mutable_data_ptr<float>();
    // A work item owns its columns in the group's row of `partial`: no two write the same number, in any order.
    queue.parallel_for(groups(parts), [=](sycl::nd_item<1> item) {
      int64_t const first = item.get_local_id(0);
      float *sums = all_sums + static_cast<int64_t>(item.get_group(0)) * width;
      for (int64_t row = item.get_group(0); row < count; row += parts) {
        int64_t const start = row * width;
        float const scale = rstd[row];
        float products = 0;
        for (int64_t i = first; i < width; i += kItems) {
          float const normed = static_cast<float>(x[start + i]) * scale;
          float const slope = static_cast<float>(grad[start + i]);
          products += slope * static_cast<float>(weight[i]) * normed;
          sums[i] += slope * normed;
        }
        float const mean = sum_over_group(item, products) / static_cast<float>(width);
        for (int64_t i = first; i < width; i += kItems) {
          float const normed = static_cast<float>(x[start + i]) * scale;
          float const slope = static_cast<float>(grad[start + i]) * static_cast<float>(weight[i]);
          grad_x[start + i] = static_cast<T>(scale * (slope - normed * mean));
        }
      }
    });
  });
  return {result, partial.sum(0).to(factors.scalar_type())};
}
