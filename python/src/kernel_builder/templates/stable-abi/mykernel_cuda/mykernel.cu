#include <cuda_runtime.h>

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/accelerator.h>

#include "../torch-ext/torch_binding.h"

namespace {

__global__ void add_one(float *out, float const *input, int64_t count) {
  int64_t const i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = input[i] + 1.0f;
  }
}

} // namespace

void mykernel(Tensor out, Tensor input) {
  check_operands(out, input);
  int64_t const count = input.numel();
  if (count == 0) {
    return; // a launch without blocks is an error
  }
  auto const device = input.get_device_index();
  torch::stable::accelerator::DeviceGuard const guard(device);
  void *stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(device, &stream));

  constexpr int kThreads = 256;
  auto const blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  add_one<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
      out.mutable_data_ptr<float>(), input.const_data_ptr<float>(), count);
  cudaError_t const error = cudaGetLastError();
  STD_TORCH_CHECK(error == cudaSuccess, "mykernel: ", cudaGetErrorString(error));
}
