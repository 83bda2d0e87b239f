#if defined(__x86_64__)

#include "segment_body.h"
#include "segment_targets.h"

namespace silu_and_mul_cpu {

__attribute__((target("avx2,fma")))
static void float32_segment(float const *gate, float const *up, float *out, std::size_t count) {
  multiply_segment_by_silu(gate, up, out, count);
}

__attribute__((target("avx2,fma")))
static void bfloat16_segment(BFloat16 const *gate, BFloat16 const *up, BFloat16 *out, std::size_t count) {
  multiply_segment_by_silu(gate, up, out, count);
}

Target const avx2 = {float32_segment, bfloat16_segment};

} // namespace silu_and_mul_cpu

#endif
