// RMS norm and its gradients: one work group for a row at a time, sums in float32.

#include <torch/csrc/stable/ops.h>

#include <sycl/sycl.hpp>

#include <algorithm>

#include "../torch-ext/rows.h"
#include "../torch-ext/torch_binding.h"

// Torch declares it in shim_xpu.h, which includes headers that are not of the stable ABI.
extern "C" AOTITorchError aoti_torch_get_current_xpu_stream(int32_t device_index, void **stream);

namespace {

constexpr int64_t kItems = 256;
// More rows of partial sums would only have to be added up again.
constexpr int64_t kMaxParts = 1024;

template <typename Run>
void with_element(Tensor const &x, Run run) {
  using torch::headeronly::ScalarType;
  switch (x.scalar_type()) {
  case ScalarType::Float:
    return run(float{});
  case ScalarType::Half:
    return run(torch::headeronly::Half{});
  case ScalarType::BFloat16:
    return run(torch::headeronly::BFloat16{});
  default:
    STD_TORCH_CHECK(false, "rmsnorm: want float32, float16 or bfloat16, found ",
                    torch::headeronly::toString(x.scalar_type()));
  }
}

sycl::queue &current_queue(Tensor const &x) {
  void *queue = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_xpu_stream(x.get_device_index(), &queue));
  return *static_cast<sycl::queue *>(queue);
}

sycl::nd_range<1> groups(int64_t count) {
  return {static_cast<size_t>(count * kItems), static_cast<size_t>(kItems)};
}

float sum_over_group(sycl::nd_item<1> item, float value) {
  return sycl::reduce_over_group(item.get_group(), value, sycl::plus<float>());
}

} // namespace

std::tuple<Tensor, Tensor> rmsnorm(Tensor input, Tensor factors, double epsilon) {
  Rows const rows = rows_of(input, factors);
  Tensor const dense_x = torch::stable::contiguous(input);
  Tensor const dense_weight = torch::stable::contiguous(factors);
  Tensor result = torch::stable::empty_like(dense_x);
  Tensor scales = empty_rstd(input);
  sycl::queue &queue = current_queue(input);
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

std::tuple<Tensor, Tensor> rmsnorm_backward(Tensor slopes, Tensor input, Tensor factors, Tensor scales) {
  Rows const rows = rows_of(input, factors);
  check_gradient(slopes, input, scales, rows);
  Tensor const dense_grad = torch::stable::contiguous(slopes);
  Tensor const dense_x = torch::stable::contiguous(input);
  Tensor const dense_weight = torch::stable::contiguous(factors);
  Tensor const dense_rstd = torch::stable::contiguous(scales);
  int64_t const parts = std::clamp<int64_t>(rows.count, 1, kMaxParts);
  Tensor result = torch::stable::empty_like(dense_x);
  Tensor partial = zero_sums(input, parts);
  sycl::queue &queue = current_queue(input);
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
  return {result, add_sums(partial, factors)};
}
