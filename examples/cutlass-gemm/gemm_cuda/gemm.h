// A matrix product on pointers. No header of Torch or CUTLASS is here, so each is read by one unit only.
#pragma once

#include <cuda_runtime_api.h>

// What the kernel loads at once: all sizes that are next to each other in memory are multiples of it.
constexpr int kAlignment = 8;

// out[m, n] = a[m, k] @ b[k, n], all of them rows of float16; null, or what went wrong.
char const *launch_gemm(void *out, void const *a, void const *b, int m, int n, int k, cudaStream_t stream);
