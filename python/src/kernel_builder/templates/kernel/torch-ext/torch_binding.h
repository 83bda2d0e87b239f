#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

// Writes input + 1 to `out`, which may be `input` itself.
void mykernel(at::Tensor &out, at::Tensor const &input);

inline void check_operands(at::Tensor const &out, at::Tensor const &input) {
  TORCH_CHECK_TYPE(input.scalar_type() == at::kFloat, "mykernel: want float32, found ", input.scalar_type());
  TORCH_CHECK(input.is_contiguous() && out.is_contiguous(), "mykernel: want contiguous tensors");
  TORCH_CHECK(out.sizes() == input.sizes() && out.scalar_type() == input.scalar_type() &&
                  out.device() == input.device(),
              "mykernel: out is not like input");
}
