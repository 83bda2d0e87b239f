// Torch's tensors, for the kernel in gemm.cu.

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/ops.h>

#include <climits>

#include "../torch-ext/torch_binding.h"
#include "gemm.h"

Tensor gemm(Tensor a, Tensor b) {
  using torch::headeronly::ScalarType;
  using torch::headeronly::toString;
  STD_TORCH_CHECK(a.scalar_type() == ScalarType::Half && b.scalar_type() == ScalarType::Half,
                  "gemm: want float16, found ", toString(a.scalar_type()), " and ", toString(b.scalar_type()));
  STD_TORCH_CHECK(a.dim() == 2 && b.dim() == 2, "gemm: want two matrices, found ", a.dim(), " and ", b.dim(),
                  " dimensions");
  int64_t const m = a.size(0), n = b.size(1), k = a.size(1);
  STD_TORCH_CHECK(k == b.size(0), "gemm: want shapes [m, k] and [k, n], found [", m, ", ", k, "] and [", b.size(0),
                  ", ", n, "]");
  STD_TORCH_CHECK(a.device() == b.device(), "gemm: want a and b on one device");
  STD_TORCH_CHECK(n % kAlignment == 0 && k % kAlignment == 0, "gemm: want n and k to be multiples of ", kAlignment,
                  ", found ", n, " and ", k);
  STD_TORCH_CHECK(m <= INT_MAX && n <= INT_MAX && k <= INT_MAX, "gemm: a size is more than ", INT_MAX);
  auto const device = a.get_device_index();
  torch::stable::accelerator::DeviceGuard const guard(device);
  Tensor out = torch::stable::new_empty(a, {m, n});
  if (out.numel() == 0) {
    return out;
  }
  if (k == 0) {
    return torch::stable::zero_(out);
  }
  Tensor const dense_a = torch::stable::contiguous(a);
  Tensor const dense_b = torch::stable::contiguous(b);
  void *stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(device, &stream));
  char const *error = launch_gemm(out.mutable_data_ptr(), dense_a.const_data_ptr(), dense_b.const_data_ptr(),
                                  static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
                                  static_cast<cudaStream_t>(stream));
  STD_TORCH_CHECK(error == nullptr, "gemm: CUTLASS says: ", error);
  return out;
}
