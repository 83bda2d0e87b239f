// Torch's tensors, for the kernel in gemm.cu.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

#include <climits>

#include "../torch-ext/torch_binding.h"
#include "gemm.h"

at::Tensor gemm(at::Tensor const &a, at::Tensor const &b) {
  TORCH_CHECK_TYPE(a.scalar_type() == at::kHalf && b.scalar_type() == at::kHalf, "gemm: want float16, found ",
                   a.scalar_type(), " and ", b.scalar_type());
  TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(0), "gemm: want shapes [m, k] and [k, n], found ",
              a.sizes(), " and ", b.sizes());
  TORCH_CHECK(a.device() == b.device(), "gemm: a is on ", a.device(), ", but b is on ", b.device());
  int64_t const m = a.size(0), n = b.size(1), k = a.size(1);
  TORCH_CHECK(n % kAlignment == 0 && k % kAlignment == 0, "gemm: want n and k to be multiples of ", kAlignment,
              ", found ", n, " and ", k);
  TORCH_CHECK(m <= INT_MAX && n <= INT_MAX && k <= INT_MAX, "gemm: a size is more than ", INT_MAX);
  c10::cuda::CUDAGuard const device_guard(a.device());
  at::Tensor out = at::empty({m, n}, a.options());
  if (out.numel() == 0) {
    return out;
  }
  if (k == 0) {
    return out.zero_();
  }
  at::Tensor const dense_a = a.contiguous();
  at::Tensor const dense_b = b.contiguous();
  char const *error = launch_gemm(out.mutable_data_ptr(), dense_a.const_data_ptr(), dense_b.const_data_ptr(),
                                  static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
                                  c10::cuda::getCurrentCUDAStream());
  TORCH_CHECK(error == nullptr, "gemm: CUTLASS says: ", error);
  return out;
}
