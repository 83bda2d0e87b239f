// RMS norm and its gradients: one block for a row at a time, sums in float32.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

#include "kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
// More rows of partial sums would only have to be added up again.
constexpr int64_t kMaxParts = 1024;

// The sum over the block, in all of its threads.
__device__ float sum_over_block(float value) {
  __shared__ float sums[kThreads / kWarp];
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  }
  __syncthreads();
  if (threadIdx.x % kWarp == 0) {
    sums[threadIdx.x / kWarp] = value;
  }
  __syncthreads();
  float total = 0;
  for (float sum : sums) {
    total += sum;
  }
  return total;
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    forward(T *out, float *rstd, T const *x, T const *weight, int64_t width, float eps) {
  int64_t const start = blockIdx.x * width;
  float squares = 0;
  for (int64_t i = threadIdx.x; i < width; i += kThreads) {
    float const value = static_cast<float>(x[start + i]);
    squares += value * value;
  }
  float const scale = rsqrtf(sum_over_block(squares) / static_cast<float>(width) + eps);
  if (threadIdx.x == 0) {
    rstd[blockIdx.x] = scale;
  }
  for (int64_t i = threadIdx.x; i < width; i += kThreads) {
    out[start + i] = static_cast<T>(static_cast<float>(x[start + i]) * scale * static_cast<float>(weight[i]));
  }
}

// A thread owns its columns in the block's row of `partial`: no two write the same number, in any order.
template <typename T>
__global__ void __launch_bounds__(kThreads) backward(T *grad_x, float *partial, T const *grad, T const *x,
                                                     T const *weight, float const *rstd, int64_t rows, int64_t width) {
  float *sums = partial + blockIdx.x * width;
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    int64_t const start = row * width;
    float const scale = rstd[row];
    float products = 0;
    for (int64_t i = threadIdx.x; i < width; i += kThreads) {
      float const normed = static_cast<float>(x[start + i]) * scale;
      float const slope = static_cast<float>(grad[start + i]);
      products += slope * static_cast<float>(weight[i]) * normed;
      sums[i] += slope * normed;
    }
    float const mean = sum_over_block(products) / static_cast<float>(width);
    for (int64_t i = threadIdx.x; i < width; i += kThreads) {
      float const normed = static_cast<float>(x[start + i]) * scale;
      float const slope = static_cast<float>(grad[start + i]) * static_cast<float>(weight[i]);
      grad_x[start + i] = static_cast<T>(scale * (slope - normed * mean));
    }
  }
}

template <typename Run>
cudaError_t with_element(Element element, Run run) {
  switch (element) {
  case Element::float32:
    run(float{});
    break;
  case Element::float16:
    run(__half{});
    break;
  case Element::bfloat16:
    run(__nv_bfloat16{});
    break;
  }
  return cudaGetLastError();
}

} // namespace

cudaError_t launch_forward(Element element, void *out, float *rstd, void const *x, void const *weight, int64_t rows,
                           int64_t width, float eps, cudaStream_t stream) {
  if (rows == 0) {
    return cudaSuccess; // an empty grid is an error in CUDA
  }
  return with_element(element, [&](auto one) {
    using T = decltype(one);
    forward<T><<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(
        static_cast<T *>(out), rstd, static_cast<T const *>(x), static_cast<T const *>(weight), width, eps);
  });
}

int64_t count_parts(int64_t rows) {
  return std::max<int64_t>(1, std::min(rows, kMaxParts));
}

cudaError_t launch_backward(Element element, void *grad_x, float *partial, void const *grad, void const *x,
                            void const *weight, float const *rstd, int64_t rows, int64_t width, cudaStream_t stream) {
  return with_element(element, [&](auto one) {
    using T = decltype(one);
    backward<T><<<static_cast<unsigned>(count_parts(rows)), kThreads, 0, stream>>>(
        static_cast<T *>(grad_x), partial, static_cast<T const *>(grad), static_cast<T const *>(x),
        static_cast<T const *>(weight), rstd, rows, width);
  });
}
