#pragma once

#include <cstdint>

// Turns the points of one head, with the widest vectors that the running CPU has.
namespace rope_cpu {

// Elements 2 * i and 2 * i + 1 are a point. `out` may be `x` itself: each pass reads what it writes, and nothing else.
//
// It is forced into its callers because the vectors it gets are theirs.
template <typename Number>
[[gnu::always_inline]] inline void turn(Number *out, Number const *x, float const *cos, float const *sin,
                                        int64_t half) {
#pragma GCC ivdep
  for (int64_t i = 0; i < half; ++i) {
    float const a = x[2 * i];
    float const b = x[2 * i + 1];
    out[2 * i] = static_cast<Number>(a * cos[i] - b * sin[i]);
    out[2 * i + 1] = static_cast<Number>(b * cos[i] + a * sin[i]);
  }
}

template <typename Number>
using Turn = void (*)(Number *, Number const *, float const *, float const *, int64_t);

template <typename Number>
void turn_baseline(Number *out, Number const *x, float const *cos, float const *sin, int64_t half) {
  turn(out, x, cos, sin, half);
}

#if defined(__x86_64__)
template <typename Number>
__attribute__((target("avx2,fma")))
void turn_avx2(Number *out, Number const *x, float const *cos, float const *sin, int64_t half) {
  turn(out, x, cos, sin, half);
}
#endif

template <typename Number>
Turn<Number> widest_turn() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return turn_avx2<Number>;
  }
#endif
  return turn_baseline<Number>;
}

template <typename Number>
Turn<Number> running_turn() {
  static Turn<Number> const turn = widest_turn<Number>();
  return turn;
}

} // namespace rope_cpu
