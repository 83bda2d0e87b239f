// RMS norm and its gradients, a share of the rows for each thread; sums are made in float32.

#include <torch/csrc/stable/ops.h>


#include <algorithm>
#include <cmath>

#include "../torch-ext/rows.h"
#include "../torch-ext/torch_binding.h"

namespace {

using torch::headeronly::ScalarType;

// Less work is done before a second thread has woken up.
constexpr int64_t kElementsPerThread = 32 * 1024;

template <typename T>
void forward(T *out, float *rstd, T const *x, T const *weight, Rows rows, float eps) {
  int64_t const grain = std::max<int64_t>(1, kElementsPerThread / rows.width);
  torch::stable::parallel_for(0, rows.count, grain, [=](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      T const *source = x + row * rows.width;
      float squares = 0;
      for (int64_t i = 0; i < rows.width; ++i) {
        float const value = static_cast<float>(source[i]);
        squares += value * value;
      }
      float const scale = 1 / std::sqrt(squares / static_cast<float>(rows.width) + eps);
      rstd[row] = scale;
      for (int64_t i = 0; i < rows.width; ++i) {
        out[row * rows.width + i] =
            static_cast<T>(static_cast<float>(source[i]) * scale * static_cast<float>(weight[i]));
      }
    }
  });
}

// `partial` has a row of sums for each of `parts` shares of the rows, so that the result does not depend on who
// comes first.
template <typename T>
void backward(T *grad_x, float *partial, T const *grad, T const *x, T const *weight, float const *rstd, Rows rows,
              int64_t parts) {
  torch::stable::parallel_for(0, parts, 1, [=](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      float *sums = partial + part * rows.width;
      for (int64_t row = rows.count * part / parts; row < rows.count * (part + 1) / parts; ++row) {
        int64_t const start = row * rows.width;
        float const scale = rstd[row];
        float mean = 0;
        for (int64_t i = 0; i < rows.width; ++i) {
          float const normed = static_cast<float>(x[start + i]) * scale;
          float const slope = static_cast<float>(grad[start + i]);
          mean += slope * static_cast<float>(weight[i]) * normed;
          sums[i] += slope * normed;
        }
        mean /= static_cast<float>(rows.width);
        for (int64_t i = 0; i < rows.width; ++i) {
          float const normed = static_cast<float>(x[start + i]) * scale;
          float const slope = static_cast<float>(grad[start + i]) * static_cast<float>(weight[i]);
          grad_x[start + i] = static_cast<T>(scale * (slope - normed * mean));
        }
      }
    }
  });
}

template <typename Run>
void with_element(ScalarType type, Run run) {
  switch (type) {
  case ScalarType::Float:
    return run(float{});
  case ScalarType::Half:
    return run(torch::headeronly::Half{});
  case ScalarType::BFloat16:
    return run(torch::headeronly::BFloat16{});
  default:
    STD_TORCH_CHECK(false, "rmsnorm: want float32, float16 or bfloat16, found ", torch::headeronly::toString(type));
  }
}

} // namespace

std::tuple<Tensor, Tensor> rmsnorm(Tensor x, Tensor weight, double eps) {
  Rows const rows = rows_of(x, weight);
  Tensor const dense_x = torch::stable::contiguous(x);
  Tensor const dense_weight = torch::stable::contiguous(weight);
  Tensor out = torch::stable::empty_like(dense_x);
  Tensor rstd = empty_rstd(x);
  with_element(x.scalar_type(), [&](auto element) {
    using T = decltype(element);
    forward(out.mutable_data_ptr<T>(), rstd.mutable_data_ptr<float>(), dense_x.const_data_ptr<T>(),
            dense_weight.const_data_ptr<T>(), rows, static_cast<float>(eps));
  });
  return {out, rstd};
}

std::tuple<Tensor, Tensor> rmsnorm_backward(Tensor grad, Tensor x, Tensor weight, Tensor rstd) {
  Rows const rows = rows_of(x, weight);
  check_gradient(grad, x, rstd, rows);
  Tensor const dense_grad = torch::stable::contiguous(grad);
  Tensor const dense_x = torch::stable::contiguous(x);
  Tensor const dense_weight = torch::stable::contiguous(weight);
  Tensor const dense_rstd = torch::stable::contiguous(rstd);
  Tensor grad_x = torch::stable::empty_like(dense_x);
  int64_t const parts = std::clamp<int64_t>(dense_x.numel() / kElementsPerThread, 1, 64);
  Tensor partial = zero_sums(x, parts);
  with_element(x.scalar_type(), [&](auto element) {
    using T = decltype(element);
    backward(grad_x.mutable_data_ptr<T>(), partial.mutable_data_ptr<float>(), dense_grad.const_data_ptr<T>(),
             dense_x.const_data_ptr<T>(), dense_weight.const_data_ptr<T>(), dense_rstd.const_data_ptr<float>(), rows,
             parts);
  });
  return {grad_x, add_sums(partial, weight)};
}
