// Torch's tensors, for the kernels in kernels.cu.

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/macros.h>

#include "../torch-ext/rows.h"
#include "../torch-ext/torch_binding.h"
#include "kernels.h"

namespace {

Element element_of(Tensor const &x) {
  using torch::headeronly::ScalarType;
  switch (x.scalar_type()) {
  case ScalarType::Float:
    return Element::float32;
  case ScalarType::Half:
    return Element::float16;
  case ScalarType::BFloat16:
    return Element::bfloat16;
  default:
    STD_TORCH_CHECK(false, "rmsnorm: want float32, float16 or bfloat16, found ",
                    torch::headeronly::toString(x.scalar_type()));
  }
}

cudaStream_t current_stream(Tensor const &x) {
  void *stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(x.get_device_index(), &stream));
  return static_cast<cudaStream_t>(stream);
}

} // namespace

std::tuple<Tensor, Tensor> rmsnorm(Tensor x, Tensor weight, double eps) {
  Rows const rows = rows_of(x, weight);
  Element const element = element_of(x);
  torch::stable::accelerator::DeviceGuard const guard(x.get_device_index());
  Tensor const dense_x = torch::stable::contiguous(x);
  Tensor const dense_weight = torch::stable::contiguous(weight);
  Tensor out = torch::stable::empty_like(dense_x);
  Tensor rstd = empty_rstd(x);
  STD_CUDA_CHECK(launch_forward(element, out.mutable_data_ptr(), rstd.mutable_data_ptr<float>(),
                                dense_x.const_data_ptr(), dense_weight.const_data_ptr(), rows.count, rows.width,
                                static_cast<float>(eps), current_stream(x)));
  return {out, rstd};
}

std::tuple<Tensor, Tensor> rmsnorm_backward(Tensor grad, Tensor x, Tensor weight, Tensor rstd) {
  Rows const rows = rows_of(x, weight);
  check_gradient(grad, x, rstd, rows);
  Element const element = element_of(x);
  torch::stable::accelerator::DeviceGuard const guard(x.get_device_index());
  Tensor const dense_grad = torch::stable::contiguous(grad);
  Tensor const dense_x = torch::stable::contiguous(x);
  Tensor const dense_weight = torch::stable::contiguous(weight);
  Tensor const dense_rstd = torch::stable::contiguous(rstd);
  Tensor grad_x = torch::stable::empty_like(dense_x);
  Tensor partial = zero_sums(x, count_parts(rows.count));
  STD_CUDA_CHECK(launch_backward(element, grad_x.mutable_data_ptr(), partial.mutable_data_ptr<float>(),
                                 dense_grad.const_data_ptr(), dense_x.const_data_ptr(), dense_weight.const_data_ptr(),
                                 dense_rstd.const_data_ptr<float>(), rows.count, rows.width,
                                 current_stream(x)));
  return {grad_x, add_sums(partial, weight)};
}
