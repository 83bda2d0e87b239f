#pragma once

#include <cstring>

#include "segment.h"

// The arithmetic, written without branches so that the compiler turns it into the vectors of the including unit
// (`-fopt-info-vec` tells; the flags of this component in build.toml are part of it).
//
// Everything here is forced into its callers and has internal linkage. A shared copy of an inline function could be
// the one with AVX-512 in it, and the linker would give that to the baseline too.
#define SILU_BODY [[gnu::always_inline]] static inline

namespace silu_and_mul_cpu {

SILU_BODY std::uint32_t bits_of(float number) {
  std::uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

SILU_BODY float float_of(std::uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

// e^x within about one unit in the last place, NaN for NaN. Its range is cut to what silu can tell apart: from 2^127.5
// on it is infinity, and it is never below 2^-126.
SILU_BODY float exponential(float x) {
  // Both comparisons are false for a NaN, which stays.
  x = x > 89.0f ? 89.0f : x;
  x = x < -87.0f ? -87.0f : x;

  // x = n * ln 2 + rest with n whole. Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits.
  constexpr float kRounder = 12582912.0f;
  float const shifted = x * 1.44269504f + kRounder;
  float const n = shifted - kRounder;
  float const rest = x - n * 0.69314575f - n * 1.4286068e-6f; // n times the first part of ln 2 is exact

  // e^rest = 1 + rest + rest^2 * p(rest); p is a minimax fit on [-ln 2 / 2, ln 2 / 2], relative error 4e-9
  float p = 1.3814539e-3f;
  p = p * rest + 8.368745e-3f;
  p = p * rest + 4.166839e-2f;
  p = p * rest + 1.6666521e-1f;
  p = p * rest + 4.9999994e-1f;
  float const power = p * (rest * rest) + rest + 1.0f;

  // 2^n by its exponent field; n = 128 makes the field of infinity.
  return power * float_of((bits_of(shifted) - bits_of(kRounder) + 127u) << 23);
}

SILU_BODY float multiply_by_silu(float gate, float up) { return gate / (1.0f + exponential(-gate)) * up; }

SILU_BODY float load(float number) { return number; }

SILU_BODY float load(BFloat16 number) { return float_of(static_cast<std::uint32_t>(number.bits) << 16); }

SILU_BODY void store(float *out, float number) { *out = number; }

// Rounds to nearest, ties to even. A NaN stays one: it is the default NaN or that of a bfloat16 operand, so the bits
// to be rounded away are zero.
SILU_BODY void store(BFloat16 *out, float number) {
  std::uint32_t const bits = bits_of(number);
  out->bits = static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

template <typename Number>
SILU_BODY void multiply_segment_by_silu(Number const *__restrict gate, Number const *__restrict up,
                                        Number *__restrict out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    store(out + i, multiply_by_silu(load(gate[i]), load(up[i])));
  }
}

} // namespace silu_and_mul_cpu

#undef SILU_BODY
