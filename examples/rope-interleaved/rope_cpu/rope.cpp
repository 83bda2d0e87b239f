// Shares the heads out to Torch's threads.

#include <torch/csrc/stable/ops.h>

#include <algorithm>

#include "../torch-ext/torch_binding.h"
#include "rotation.h"

namespace {

template <typename Number>
void turn_heads(Tensor const &out, Tensor const &x, Tensor const &cos, Tensor const &sin) {
  constexpr int64_t kElementsPerThread = 16 * 1024; // less is done before a second thread has woken up

  auto const turn = rope_cpu::running_turn<Number>();
  int64_t const heads = x.size(1);
  int64_t const size = x.size(2);
  auto const *source = x.const_data_ptr<Number>();
  auto const *cosines = cos.const_data_ptr<float>();
  auto const *sines = sin.const_data_ptr<float>();
  auto *target = out.mutable_data_ptr<Number>();

  int64_t const grain = kElementsPerThread / std::max<int64_t>(size, 1) + 1;
  torch::stable::parallel_for(0, x.size(0) * heads, grain, [=](int64_t begin, int64_t end) {
    for (int64_t head = begin; head < end; ++head) {
      int64_t const angles = head / heads * (size / 2);
      turn(target + head * size, source + head * size, cosines + angles, sines + angles, size / 2);
    }
  });
}

} // namespace

void rope(Tensor out, Tensor x, Tensor cos, Tensor sin) {
  check_operands(out, x, cos, sin);
  using torch::headeronly::ScalarType;
  switch (x.scalar_type()) {
  case ScalarType::Float:
    return turn_heads<float>(out, x, cos, sin);
  case ScalarType::Half:
    return turn_heads<torch::headeronly::Half>(out, x, cos, sin);
  case ScalarType::BFloat16:
    return turn_heads<torch::headeronly::BFloat16>(out, x, cos, sin);
  default:
    STD_TORCH_CHECK(false, "rope: want float32, float16 or bfloat16, found ",
                    torch::headeronly::toString(x.scalar_type()));
  }
}
