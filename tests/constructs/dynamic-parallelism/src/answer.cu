#include <cstdint>

static __global__ void child(int *number) { *number = 42; }
static __global__ void parent(int *number) { child<<<1, 1>>>(number); }

int64_t other();

int64_t answer() {
  int *number;
  int result = 0;
  cudaMalloc(&number, sizeof result);
  parent<<<1, 1>>>(number);
  cudaMemcpy(&result, number, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(number);
  return result == other() ? result : 0;
}
