#include <cstdint>

#include "sm80/tile.h"
constexpr int first = TILE;
#include "sm90/tile.h"
constexpr int second = TILE;
static_assert(first == 64 && second == 128, "one of two equal headers is missing");

// A launch that no instantiation contains is no mistake, whatever its type.
#ifdef __CUDA_ARCH__
using Number = int4;
#else
using Number = int2;
#endif
template <typename T> __global__ void never(T* out) { out->x = 1; }
template <bool taken> void choose() {
  if constexpr (taken) never<Number><<<1, 1>>>(nullptr);
}

__global__ void fill(int* out) { *out = first + second; }

int64_t answer() {
  fill<<<1, 1>>>(nullptr);
  choose<false>();
  return first * 1000 + second;
}
