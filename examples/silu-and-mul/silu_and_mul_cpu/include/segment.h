#pragma once

#include <cstddef>
#include <cstdint>

namespace silu_and_mul_cpu {

// A bfloat16 number as its bits; this side of the kernel does not know Torch's type.
struct BFloat16 {
  std::uint16_t bits;
};

// out[i] = silu(gate[i]) * up[i] over one run of memory. `out` overlaps neither of the others.
void multiply_by_silu(float const *gate, float const *up, float *out, std::size_t count);
void multiply_by_silu(BFloat16 const *gate, BFloat16 const *up, BFloat16 *out, std::size_t count);
void multiply_by_silu(double const *gate, double const *up, double *out, std::size_t count);

} // namespace silu_and_mul_cpu
