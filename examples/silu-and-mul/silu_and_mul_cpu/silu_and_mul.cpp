// Checks and allocates tensors, and shares the work out to Torch's threads.

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <vector>

#include "../torch-ext/torch_binding.h"
#include "segment.h"

namespace {

// Thread boundaries fall anywhere in the output, so one long row is shared out as well as many short ones.
template <typename Number>
void fill(at::Tensor const &out, at::Tensor const &input) {
  constexpr int64_t kElementsPerThread = 16 * 1024; // less is done before a second thread has woken up

  if (out.numel() == 0) {
    return; // where -1 below could stand for any number
  }
  // A view where the layout allows it, which is the case for slices of whole rows.
  at::Tensor rows = input.reshape({-1, input.size(-1)});
  if (rows.stride(1) != 1) {
    rows = rows.contiguous();
  }

  auto const *source = static_cast<Number const *>(rows.const_data_ptr());
  auto *target = static_cast<Number *>(out.mutable_data_ptr());
  int64_t const width = rows.size(1) / 2;
  int64_t const row_stride = rows.stride(0);

  at::parallel_for(0, out.numel(), kElementsPerThread, [=](int64_t begin, int64_t end) {
    while (begin < end) {
      int64_t const column = begin % width;
      int64_t const count = std::min(width - column, end - begin);
      Number const *gate = source + begin / width * row_stride + column;
      silu_and_mul_cpu::multiply_by_silu(gate, gate + width, target + begin, static_cast<std::size_t>(count));
      begin += count;
    }
  });
}

} // namespace

at::Tensor silu_and_mul(at::Tensor const &input) {
  TORCH_CHECK(input.dim() > 0 && input.size(-1) % 2 == 0,
              "silu_and_mul: want a last dimension of even size, found shape ", input.sizes());

  std::vector<int64_t> shape = input.sizes().vec();
  shape.back() /= 2;
  at::Tensor out = at::empty(shape, input.options());
  switch (input.scalar_type()) {
  case at::kFloat:
    fill<float>(out, input);
    break;
  case at::kBFloat16:
    fill<silu_and_mul_cpu::BFloat16>(out, input);
    break;
  case at::kDouble:
    fill<double>(out, input);
    break;
  default:
    TORCH_CHECK_TYPE(false, "silu_and_mul: want float32, bfloat16 or float64, found ", input.scalar_type());
  }
  return out;
}
