#include <cmath>

#include "segment.h"
#include "segment_targets.h"

namespace silu_and_mul_cpu {

static Target const &widest_target() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return avx2;
  }
#endif
  return baseline;
}

static Target const &running_target() {
  static Target const &target = widest_target();
  return target;
}

void multiply_by_silu(float const *gate, float const *up, float *out, std::size_t count) {
  running_target().float32(gate, up, out, count);
}

void multiply_by_silu(BFloat16 const *gate, BFloat16 const *up, BFloat16 *out, std::size_t count) {
  running_target().bfloat16(gate, up, out, count);
}

// Here for completeness, not for speed: one number at a time.
void multiply_by_silu(double const *gate, double const *up, double *out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = gate[i] / (1.0 + std::exp(-gate[i])) * up[i];
  }
}

} // namespace silu_and_mul_cpu
