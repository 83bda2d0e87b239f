// ReLU on the bits of floating point numbers, with the widest vectors that the running CPU has.

#include <ATen/Parallel.h>

#include <cstdint>

#include "../operands/dense_pair.h"
#include "../torch-ext/torch_binding.h"

namespace {

// Read as a signed integer, every negative number that is not a NaN is at most minus infinity, and everything that
// ReLU keeps, NaNs of both signs included, is above it. So one integer comparison serves all formats.
constexpr int32_t kMinusInfinity32 = INT32_MIN | 0x7f800000;
constexpr int16_t kMinusInfinityHalf = static_cast<int16_t>(0xfc00);
constexpr int16_t kMinusInfinityBFloat16 = static_cast<int16_t>(0xff80);

// Plain enough for the compiler to vectorise. It is forced into its callers because the vectors it gets are theirs;
// as a function of its own it would be compiled for the oldest CPU.
template <typename Word>
[[gnu::always_inline]] inline void keep_above(Word floor, Word const *input, Word *out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    out[i] = input[i] > floor ? input[i] : Word{0};
  }
}

template <typename Word>
using KeepAbove = void (*)(Word, Word const *, Word *, int64_t);

template <typename Word>
void keep_above_baseline(Word floor, Word const *input, Word *out, int64_t count) {
  keep_above(floor, input, out, count);
}

#if defined(__x86_64__)
template <typename Word>
__attribute__((target("avx2")))
void keep_above_avx2(Word floor, Word const *input, Word *out, int64_t count) {
  keep_above(floor, input, out, count);
}

template <typename Word>
__attribute__((target("avx512f,avx512bw,avx512vl")))
void keep_above_avx512(Word floor, Word const *input, Word *out, int64_t count) {
  keep_above(floor, input, out, count);
}
#endif

template <typename Word>
KeepAbove<Word> widest_keep_above() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return keep_above_avx512<Word>;
  }
  if (__builtin_cpu_supports("avx2")) {
    return keep_above_avx2<Word>;
  }
#endif
  return keep_above_baseline<Word>;
}

template <typename Word>
void relu_words(Word floor, at::Tensor const &out, at::Tensor const &input) {
  static KeepAbove<Word> const keep = widest_keep_above<Word>();
  // A smaller share of work is done before a second thread has woken up.
  constexpr int64_t kBytesPerThread = 128 * 1024;

  auto const *source = static_cast<Word const *>(input.const_data_ptr());
  auto *target = static_cast<Word *>(out.mutable_data_ptr());
  at::parallel_for(0, input.numel(), kBytesPerThread / sizeof(Word), [=](int64_t begin, int64_t end) {
    keep(floor, source + begin, target + begin, end - begin);
  });
}

} // namespace

void relu(at::Tensor &out, at::Tensor const &input) {
  run_on_dense_pair(out, input, [](at::Tensor const &dense_out, at::Tensor const &dense_input) {
    switch (dense_input.scalar_type()) {
    case at::kFloat:
      return relu_words(kMinusInfinity32, dense_out, dense_input);
    case at::kHalf:
      return relu_words(kMinusInfinityHalf, dense_out, dense_input);
    case at::kBFloat16:
      return relu_words(kMinusInfinityBFloat16, dense_out, dense_input);
    default:
      TORCH_CHECK_TYPE(false, "relu: want float32, float16 or bfloat16, found ", dense_input.scalar_type());
    }
  });
}
