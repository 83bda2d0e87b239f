#include <cstdint>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using Number = int4;
#else
using Number = int2;
#endif

template <typename T> __global__ void fill(T *number) { number->x = 42; }

int64_t answer() {
  fill<Number><<<1, 1>>>(nullptr);
  return 42;
}
