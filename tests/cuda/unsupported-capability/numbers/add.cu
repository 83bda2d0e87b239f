#include "numbers.h"
namespace {
__device__ float sum(float a, float b) { return a + b; }
template <typename T> __global__ void add_kernel(T *numbers, T addend) {
  numbers[threadIdx.x] = sum(numbers[threadIdx.x], addend);
}
}  // namespace
bool ready() { return true; }
cudaError_t add(float *numbers, float addend, cudaStream_t stream) {
  add_kernel<float><<<1, 32, 0, stream>>>(numbers, addend);
  return cudaGetLastError();
}
