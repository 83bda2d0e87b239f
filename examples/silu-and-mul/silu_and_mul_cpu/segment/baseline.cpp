// For every CPU: the vectors that the architecture guarantees (SSE2, NEON).

#include "segment_body.h"
#include "segment_targets.h"

namespace silu_and_mul_cpu {

static void float32_segment(float const *gate, float const *up, float *out, std::size_t count) {
  multiply_segment_by_silu(gate, up, out, count);
}

static void bfloat16_segment(BFloat16 const *gate, BFloat16 const *up, BFloat16 *out, std::size_t count) {
  multiply_segment_by_silu(gate, up, out, count);
}

Target const baseline = {float32_segment, bfloat16_segment};

} // namespace silu_and_mul_cpu
