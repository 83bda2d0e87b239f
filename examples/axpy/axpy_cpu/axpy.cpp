#include "../tvm-ffi-ext/axpy.h"

#include <cstdint>

void axpy_cpu(tvm::ffi::TensorView out, double a, tvm::ffi::TensorView x, tvm::ffi::TensorView y) {
  check_tensors(out, x, y, kDLCPU);
  auto const *const left = static_cast<float const *>(x.data_ptr());
  auto const *const right = static_cast<float const *>(y.data_ptr());
  auto *const result = static_cast<float *>(out.data_ptr());
  float const factor = static_cast<float>(a);
  int64_t const count = out.numel();
  for (int64_t i = 0; i < count; ++i) {
    result[i] = factor * left[i] + right[i];
  }
}
