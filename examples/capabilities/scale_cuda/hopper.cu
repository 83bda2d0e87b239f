#include "scale.h"

namespace {

// The fence stands for what one would really use here: it is an instruction of 9.0a, and for any other target this
// unit does not compile.
__global__ void scale_kernel(float *out, float const *input, int64_t count, float factor) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  int64_t const i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    out[i] = input[i] * factor;
  }
}

} // namespace

cudaError_t scale_hopper(float *out, float const *input, int64_t count, float factor, cudaStream_t stream) {
  scale_kernel<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(out, input, count, factor);
  return cudaGetLastError();
}
