#pragma once

#include "segment.h"

// One implementation for each instruction set. A function of a wider set may run only after a look at the CPU.
namespace silu_and_mul_cpu {

struct Target {
  void (*float32)(float const *, float const *, float *, std::size_t);
  void (*bfloat16)(BFloat16 const *, BFloat16 const *, BFloat16 *, std::size_t);
};

extern Target const baseline;
#if defined(__x86_64__)
extern Target const avx2;
extern Target const avx512;
#endif

} // namespace silu_and_mul_cpu
