// ReLU on the bits of floating point numbers, 16 bytes a thread.

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <cstdint>

#include "../operands/dense_pair.h"
#include "../torch-ext/torch_binding.h"

namespace {

// Read as a signed integer, every negative number that is not a NaN is at most minus infinity, and everything that
// ReLU keeps, NaNs of both signs included, is above it. So integer instructions serve all formats.
struct Float32 {
  using Element = uint32_t;

  static __device__ uint32_t relu(uint32_t word) {
    return static_cast<int32_t>(word) > static_cast<int32_t>(0xff800000u) ? word : 0;
  }
};

// Two numbers a word; a single one sits in the lower half, with zeros above it.
template <uint32_t kMinusInfinity>
struct Pair16 {
  using Element = uint16_t;

  static __device__ uint32_t relu(uint32_t word) {
    return word & __vcmpgts2(word, kMinusInfinity << 16 | kMinusInfinity);
  }
};

using Float16 = Pair16<0xfc00>;
using BFloat16 = Pair16<0xff80>;

// The first `vectors` 16-byte pieces are taken whole, what follows them one element at a time. `out` may be `input`,
// so neither is `__restrict__`.
template <typename Format>
__global__ void relu_kernel(typename Format::Element *out, typename Format::Element const *input, int64_t count,
                            int64_t vectors) {
  using Element = typename Format::Element;
  constexpr int64_t kElementsPerVector = sizeof(uint4) / sizeof(Element);

  int64_t const thread = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  int64_t const threads = static_cast<int64_t>(gridDim.x) * blockDim.x;

  for (int64_t i = thread; i < vectors; i += threads) {
    uint4 words = reinterpret_cast<uint4 const *>(input)[i];
    words.x = Format::relu(words.x);
    words.y = Format::relu(words.y);
    words.z = Format::relu(words.z);
    words.w = Format::relu(words.w);
    reinterpret_cast<uint4 *>(out)[i] = words;
  }
  for (int64_t i = vectors * kElementsPerVector + thread; i < count; i += threads) {
    out[i] = static_cast<Element>(Format::relu(input[i]));
  }
}

bool is_vector_aligned(void const *pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % sizeof(uint4) == 0;
}

template <typename Format>
void launch_relu(at::Tensor const &out, at::Tensor const &input) {
  using Element = typename Format::Element;
  constexpr int64_t kElementsPerVector = sizeof(uint4) / sizeof(Element);
  constexpr int64_t kThreadsPerBlock = 256;
  // Past this many blocks every GPU is full many times over; the loops of the kernel take the rest.
  constexpr int64_t kMaxBlocks = 1 << 20;

  auto const *source = static_cast<Element const *>(input.const_data_ptr());
  auto *target = static_cast<Element *>(out.mutable_data_ptr());
  int64_t const count = input.numel();
  int64_t const vectors = is_vector_aligned(source) && is_vector_aligned(target) ? count / kElementsPerVector : 0;
  int64_t const work = std::max(vectors, count - vectors * kElementsPerVector);
  if (work == 0) {
    return; // an empty grid is an error in CUDA
  }

  int64_t const blocks = std::min((work + kThreadsPerBlock - 1) / kThreadsPerBlock, kMaxBlocks);
  relu_kernel<Format><<<static_cast<unsigned>(blocks), kThreadsPerBlock, 0, c10::cuda::getCurrentCUDAStream()>>>(
      target, source, count, vectors);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

} // namespace

void relu(at::Tensor &out, at::Tensor const &input) {
  run_on_dense_pair(out, input, [](at::Tensor const &dense_out, at::Tensor const &dense_input) {
    c10::cuda::CUDAGuard const device_guard(dense_input.device());
    switch (dense_input.scalar_type()) {
    case at::kFloat:
      return launch_relu<Float32>(dense_out, dense_input);
    case at::kHalf:
      return launch_relu<Float16>(dense_out, dense_input);
    case at::kBFloat16:
      return launch_relu<BFloat16>(dense_out, dense_input);
    default:
      TORCH_CHECK_TYPE(false, "relu: want float32, float16 or bfloat16, found ", dense_input.scalar_type());
    }
  });
}
