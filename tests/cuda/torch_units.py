"""Units that include all headers of Torch's tensors, in kernels for one target."""

from pathlib import Path

from tests.cuda.cuda_kernel import (
    ADD_SOURCE,
    BUILD,
    VARIANT,
    CudaVariant,
    cuda_kernel,
    read_one,
    with_capabilities,
)

# All headers of tensors; they take half as long as the neural network frontend.
TORCH = """\
#include <torch/types.h>
#include "numbers.h"
namespace {
template <typename T>
__global__ void fill_kernel(T *numbers, T value) { numbers[threadIdx.x] = value; }
}  // namespace
bool ready() { return true; }
void fill(torch::Tensor out, double value) {
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, out.scalar_type(), "fill", [&] {
    fill_kernel<scalar_t><<<1, 32>>>(out.data_ptr<scalar_t>(), static_cast<scalar_t>(value));
  });
}
"""

OPERATORS = """\
#include <torch/all.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
using namespace at;
template <typename F> __global__ void apply(F f, float *p) { p[threadIdx.x] = f(p[threadIdx.x]); }
template <typename T> auto twice(T const &t) { return t + t; }
bool ready() { return true; }
std::vector<Tensor> many(Tensor a, torch::Tensor b, int n, torch::optional<torch::Device> where) {
  torch::NoGradGuard guard;
  c10::cuda::OptionalCUDAGuard const device_guard(a.device());
  torch::manual_seed(3);
  auto options = torch::TensorOptions().dtype(torch::kFloat32).device(where.value_or(a.device()));
  // Torch has these twice, and they differ.
  if (!torch::cuda::is_available() || torch::cuda::device_count() == 0) return {};
  std::vector<Tensor> out{torch::empty({n, 3}, options), at::empty({n, 3}, options)};
  out.push_back(torch::ones_like(a));
  out.push_back(torch::tensor({1.0, 2.0}));
  out.push_back(torch::from_blob(a.data_ptr(), {n}, options));
  out.push_back(torch::cat({a, b}, 0));
  out.push_back(relu(a) + b * 2 - twice(a));
  out.push_back(a.index({torch::indexing::Slice(0, n), torch::indexing::None}));
  auto [largest, indices] = at::max(a, 0);
  TORCH_CHECK(largest.is_contiguous(), "sizes: ", indices.sizes());
  float const factor = a.item<float>();
  apply<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(
      [=] __device__(float x) { return x * factor; }, a.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}
"""

# Tests compare declarations, not optimised code. This takes half as long.
PLAIN = BUILD.replace('src = ["numbers', 'cuda-flags = ["-Xcompiler=-O0"]\nsrc = ["numbers')


def torch_unit(folder: Path, text: str, name: str = VARIANT) -> CudaVariant:
    """Return a kernel for one target whose first unit has this text."""
    files = {"build.toml": PLAIN, ADD_SOURCE: text}
    return read_one(cuda_kernel(folder, files, **with_capabilities("9.0")).folder, name)
