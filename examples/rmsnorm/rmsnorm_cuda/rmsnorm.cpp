// Torch's tensors, for the kernels in kernels.cu.

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "../torch-ext/rows.h"
#include "../torch-ext/torch_binding.h"
#include "kernels.h"

namespace {

Element element_of(at::Tensor const &x) {
  switch (x.scalar_type()) {
  case at::kFloat:
    return Element::float32;
  case at::kHalf:
    return Element::float16;
  case at::kBFloat16:
    return Element::bfloat16;
  default:
    TORCH_CHECK_TYPE(false, "rmsnorm: want float32, float16 or bfloat16, found ", x.scalar_type());
  }
}

} // namespace

std::tuple<at::Tensor, at::Tensor> rmsnorm(at::Tensor const &x, at::Tensor const &weight, double eps) {
  Rows const rows = rows_of(x, weight);
  Element const element = element_of(x);
  c10::cuda::CUDAGuard const device_guard(x.device());
  at::Tensor const dense_x = x.contiguous();
  at::Tensor const dense_weight = weight.contiguous();
  at::Tensor out = at::empty_like(dense_x);
  at::Tensor rstd = at::empty(x.sizes().slice(0, x.dim() - 1), x.options().dtype(at::kFloat));
  C10_CUDA_CHECK(launch_forward(element, out.mutable_data_ptr(), rstd.mutable_data_ptr<float>(),
                                dense_x.const_data_ptr(), dense_weight.const_data_ptr(), rows.count, rows.width,
                                static_cast<float>(eps), c10::cuda::getCurrentCUDAStream()));
  return {out, rstd};
}

std::tuple<at::Tensor, at::Tensor> rmsnorm_backward(at::Tensor const &grad, at::Tensor const &x,
                                                    at::Tensor const &weight, at::Tensor const &rstd) {
  Rows const rows = rows_of(x, weight);
  check_gradient(grad, x, rstd, rows);
  Element const element = element_of(x);
  c10::cuda::CUDAGuard const device_guard(x.device());
  at::Tensor const dense_grad = grad.contiguous();
  at::Tensor const dense_x = x.contiguous();
  at::Tensor const dense_weight = weight.contiguous();
  at::Tensor const dense_rstd = rstd.contiguous();
  at::Tensor grad_x = at::empty_like(dense_x);
  at::Tensor partial = at::zeros({count_parts(rows.count), rows.width}, x.options().dtype(at::kFloat));
  C10_CUDA_CHECK(launch_backward(element, grad_x.mutable_data_ptr(), partial.mutable_data_ptr<float>(),
                                 dense_grad.const_data_ptr(), dense_x.const_data_ptr(), dense_weight.const_data_ptr(),
                                 dense_rstd.const_data_ptr<float>(), rows.count, rows.width,
                                 c10::cuda::getCurrentCUDAStream()));
  return {grad_x, partial.sum(0).to(weight.scalar_type())};
}
