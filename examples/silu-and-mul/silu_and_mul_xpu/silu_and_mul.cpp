// A work item for each number of the result.

#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>
#include <c10/xpu/XPUStream.h>

#include <sycl/sycl.hpp>

#include <vector>

#include "../torch-ext/torch_binding.h"

namespace {

// `Wide` is the type that is computed in.
template <typename Number, typename Wide>
void fill(at::Tensor const &out, at::Tensor const &input) {
  if (out.numel() == 0) {
    return;
  }
  at::Tensor const dense = input.contiguous();
  auto const *source = dense.const_data_ptr<Number>();
  auto *target = out.mutable_data_ptr<Number>();
  int64_t const width = out.size(-1);
  sycl::queue &queue = c10::xpu::getCurrentXPUStream(input.device().index()).queue();
  queue.parallel_for(sycl::range<1>(static_cast<size_t>(out.numel())), [=](sycl::id<1> id) {
    int64_t const i = static_cast<int64_t>(id);
    Number const *row = source + i / width * 2 * width;
    Wide const gate = static_cast<Wide>(row[i % width]);
    Wide const up = static_cast<Wide>(row[i % width + width]);
    target[i] = static_cast<Number>(gate / (1 + sycl::exp(-gate)) * up);
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
    fill<float, float>(out, input);
    break;
  case at::kBFloat16:
    fill<at::BFloat16, float>(out, input);
    break;
  case at::kDouble:
    fill<double, double>(out, input);
    break;
  default:
    TORCH_CHECK_TYPE(false, "silu_and_mul: want float32, bfloat16 or float64, found ", input.scalar_type());
  }
  return out;
}
