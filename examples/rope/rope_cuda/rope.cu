// A thread turns one point at a time. For ROCm this file is translated to HIP.

#include <cuda_runtime.h>

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/accelerator.h>

#include <algorithm>

#include "../torch-ext/torch_binding.h"

namespace {

template <typename Number>
__global__ void rope_kernel(Number *out, Number const *x, float const *cos, float const *sin, int64_t heads,
                            int64_t half, int64_t points) {
  int64_t const threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t point = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; point < points; point += threads) {
    int64_t const head = point / half;
    int64_t const i = point % half;
    int64_t const angle = head / heads * half + i;
    int64_t const first = head * 2 * half + i;
    float const a = x[first];
    float const b = x[first + half];
    out[first] = static_cast<Number>(a * cos[angle] - b * sin[angle]);
    out[first + half] = static_cast<Number>(b * cos[angle] + a * sin[angle]);
  }
}

template <typename Number>
void launch(Tensor const &out, Tensor const &x, Tensor const &cos, Tensor const &sin) {
  constexpr int64_t kThreadsPerBlock = 256;
  // Past this many blocks every GPU is full many times over; the loop of the kernel takes the rest.
  constexpr int64_t kMaxBlocks = 1 << 20;

  int64_t const points = x.numel() / 2;
  if (points == 0) {
    return; // a launch without blocks is an error
  }
  auto const device = x.get_device_index();
  torch::stable::accelerator::DeviceGuard const guard(device);
  void *stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(device, &stream));

  auto const blocks =
      static_cast<unsigned>(std::min((points + kThreadsPerBlock - 1) / kThreadsPerBlock, kMaxBlocks));
  rope_kernel<Number><<<blocks, kThreadsPerBlock, 0, static_cast<cudaStream_t>(stream)>>>(
      out.mutable_data_ptr<Number>(), x.const_data_ptr<Number>(), cos.const_data_ptr<float>(),
      sin.const_data_ptr<float>(), x.size(1), x.size(2) / 2, points);
  cudaError_t const error = cudaGetLastError();
  STD_TORCH_CHECK(error == cudaSuccess, "rope: ", cudaGetErrorString(error));
}

} // namespace

void rope(Tensor out, Tensor x, Tensor cos, Tensor sin) {
  check_operands(out, x, cos, sin);
  using torch::headeronly::ScalarType;
  switch (x.scalar_type()) {
  case ScalarType::Float:
    return launch<float>(out, x, cos, sin);
  case ScalarType::Half:
    return launch<torch::headeronly::Half>(out, x, cos, sin);
  case ScalarType::BFloat16:
    return launch<torch::headeronly::BFloat16>(out, x, cos, sin);
  default:
    STD_TORCH_CHECK(false, "rope: want float32, float16 or bfloat16, found ",
                    torch::headeronly::toString(x.scalar_type()));
  }
}
