#pragma once

#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <c10/util/Exception.h>

// Checks the operands of an element-wise operation, then calls `run(out, input)` on two tensors that are one
// gapless block of memory each, with their elements in the same order. Any other layout goes through copies.
template <typename Run>
void run_on_dense_pair(at::Tensor &out, at::Tensor const &input, Run run) {
  TORCH_CHECK(out.device() == input.device(), "relu: out is on ", out.device(), ", but input is on ",
              input.device());
  TORCH_CHECK(out.scalar_type() == input.scalar_type(), "relu: out is ", out.scalar_type(), ", but input is ",
              input.scalar_type());
  TORCH_CHECK(out.sizes() == input.sizes(), "relu: out has shape ", out.sizes(), ", but input has shape ",
              input.sizes());
  at::assert_no_internal_overlap(out);
  at::assert_no_partial_overlap(out, input);

  if (input.is_non_overlapping_and_dense() && out.strides() == input.strides()) {
    run(out, input);
    return;
  }
  at::Tensor const dense_input = input.contiguous();
  at::Tensor dense_out = out.is_contiguous() ? out : at::empty_like(dense_input);
  run(dense_out, dense_input);
  if (!dense_out.is_same(out)) {
    out.copy_(dense_out);
  }
}
