#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "../torch-ext/torch_binding.h"

namespace {

__global__ void add_one(float *out, float const *input, int64_t count) {
  int64_t const i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = input[i] + 1.0f;
  }
}

} // namespace

void mykernel(at::Tensor &out, at::Tensor const &input) {
  check_operands(out, input);
  int64_t const count = input.numel();
  if (count == 0) {
    return; // a launch without blocks is an error
  }
  c10::cuda::CUDAGuard const guard(input.device());

  constexpr int kThreads = 256;
  auto const blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  add_one<<<blocks, kThreads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      out.mutable_data_ptr<float>(), input.const_data_ptr<float>(), count);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
