"""Lean headers of Torch give what full ones give, in device code and in nvcc's front end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD_SOURCE,
    BINDING,
    BINDING_SOURCE,
    BUILD,
    EXAMPLES,
    CudaVariant,
    build_object,
    cuda_kernel,
    read_one,
    run_step,
    with_capabilities,
)
from tests.derivation import Derivation
from tests.evaluation import ROOT, NixError, build, read_log

TORCH = """\
#include <torch/all.h>
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


def same_with_full_headers(item: Derivation, folder: Path) -> bool:
    """Say whether a pass gives the same bytes with Torch's own headers."""
    built = build(item.path)
    again = run_step(item, folder, torchHeaders="full")
    assert '"headers": "full"' in (again / "pass.json").read_text()
    return (built / "cubin").read_bytes() == (again / "cubin").read_bytes()


@pytest.mark.parametrize("example", EXAMPLES)
def test_lean_headers_give_the_same_code_for_the_examples(example: str, tmp_path: Path) -> None:
    variant = read_one(ROOT / "examples" / example)
    units = [unit for unit in variant.plan["units"] if unit["device"]]
    assert units
    for unit in units:
        passes = variant.passes(unit["source"])
        if unit["torchHeaders"] is None:
            # Without headers of Torch there are no lean ones on its path either.
            assert all("leanHeaders" not in item.env for item in passes.values())
            continue
        for name in sorted(passes)[:: max(1, len(passes) - 1)]:
            assert same_with_full_headers(passes[name], tmp_path / unit["component"] / name), name


def torch_unit(folder: Path, text: str) -> CudaVariant:
    """Return a kernel whose first unit includes all of Torch, for one target."""
    kernel = cuda_kernel(folder, {ADD_SOURCE: text}, **with_capabilities("9.0"))
    return read_one(kernel.folder)


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


@pytest.mark.parametrize("text", [TORCH, OPERATORS], ids=["tensors", "operators"])
def test_lean_headers_serve_a_unit_that_includes_all_of_torch(text: str, tmp_path: Path) -> None:
    item = torch_unit(tmp_path / "kernel", text).passes(ADD_SOURCE)["90"]
    assert '"headers": "lean"' in (build(item.path) / "pass.json").read_text()
    assert same_with_full_headers(item, tmp_path / "full")


@pytest.mark.parametrize("text", [TORCH, OPERATORS], ids=["tensors", "operators"])
def test_a_lean_front_end_gives_the_same_object(text: str, tmp_path: Path) -> None:
    item = torch_unit(tmp_path / "kernel", text).part(ADD_SOURCE, ".host.o")
    built = build_object(item)
    (entry,) = json.loads(Path(item.outputs["report"]).read_text())
    assert entry == {"unit": ADD_SOURCE, "part": "host", "headers": "lean-front-end"}
    again = run_step(item, tmp_path / "full", torchHeaders="full")
    assert built.read_bytes() == again.read_bytes()


def test_a_unit_that_needs_the_full_headers_gets_them(tmp_path: Path) -> None:
    text = f"{TORCH}\ntorch::nn::Linear layer() {{ return torch::nn::Linear(1, 1); }}\n"
    variant = torch_unit(tmp_path, text)
    item = variant.passes(ADD_SOURCE)["90"]
    assert '"headers": "full"' in (build(item.path) / "pass.json").read_text()
    log = read_log(item.path)
    said = f"{ADD_SOURCE}, sm_90: does not compile with lean headers; compiled with Torch's own"
    assert said in log
    # What the first try said of it was never about the user's code.
    assert "error" not in log
    host = variant.part(ADD_SOURCE, ".host.o")
    build(host.path)
    assert '"headers": "full"' in Path(host.outputs["report"]).read_text()


def test_an_error_of_nvcc_names_file_and_line(tmp_path: Path) -> None:
    text = TORCH.replace("numbers[threadIdx.x] = value;", "\n  nonsense(value);\n")
    item = torch_unit(tmp_path, text).passes(ADD_SOURCE)["90"]
    with pytest.raises(NixError, match=r"numbers/add\.cu\(6\): error: identifier \"nonsense\""):
        build(item.path)


def test_a_kernel_that_only_full_headers_give_stops_the_build(tmp_path: Path) -> None:
    # The macro is one of the headers that lean ones leave out.
    call = "fill_kernel<<<1, 32>>>(static_cast<int *>(nullptr), 1);"
    launch = f"#ifdef TORCH_MODULE\n  {call}\n#endif\n"
    text = TORCH.replace("bool ready() {", f"void more() {{\n{launch}}}\nbool ready() {{")
    assert text != TORCH
    variant = torch_unit(tmp_path, text)
    with pytest.raises(NixError) as error:
        build(variant.part(ADD_SOURCE, ".host.o").path)
    said = str(error.value)
    assert "the parts of a unit do not fit together" in said
    assert 'set headers = "full" in [torch]' in said


def test_lean_headers_in_all_parts_where_the_kernel_asks_for_them(tmp_path: Path) -> None:
    files = {
        "build.toml": BUILD.replace("[torch]\n", '[torch]\nheaders = "lean"\n'),
        BINDING_SOURCE: BINDING.replace("<torch/library.h>", "<torch/all.h>"),
    }
    variant = read_one(cuda_kernel(tmp_path, files, **with_capabilities("9.0")).folder)
    item = variant.part(BINDING_SOURCE, ".o")
    build(item.path)
    (entry,) = json.loads(Path(item.outputs["report"]).read_text())
    assert entry == {"unit": BINDING_SOURCE, "part": "host", "headers": "lean"}
