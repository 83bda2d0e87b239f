#include "../tvm-ffi-ext/axpy.h"

#include <cuda_runtime_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#include <cstdint>

namespace {

__global__ void axpy_kernel(float *out, float a, float const *x, float const *y, int64_t count) {
  int64_t const i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = a * x[i] + y[i];
  }
}

void check(cudaError_t status) {
  TVM_FFI_CHECK(status == cudaSuccess, RuntimeError) << "axpy: " << cudaGetErrorString(status);
}

} // namespace

void axpy_cuda(tvm::ffi::TensorView out, double a, tvm::ffi::TensorView x, tvm::ffi::TensorView y) {
  check_tensors(out, x, y, kDLCUDA);
  int64_t const count = out.numel();
  if (count == 0) {
    return; // an empty grid is an error in CUDA
  }
  int device = 0;
  check(cudaGetDevice(&device));
  check(cudaSetDevice(out.device().device_id));
  // That of the framework whose tensors these are.
  auto const stream =
      static_cast<cudaStream_t>(TVMFFIEnvGetStream(out.device().device_type, out.device().device_id));
  axpy_kernel<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(
      static_cast<float *>(out.data_ptr()), static_cast<float>(a), static_cast<float const *>(x.data_ptr()),
      static_cast<float const *>(y.data_ptr()), count);
  cudaError_t const launched = cudaGetLastError();
  check(cudaSetDevice(device));
  check(launched);
}
