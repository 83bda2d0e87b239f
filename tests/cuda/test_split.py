"""A unit taken apart gives what one call of nvcc gives, and lean headers what full ones give."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from cuda_kernel import (
    ADD,
    ADD_SOURCE,
    BINDING,
    BINDING_SOURCE,
    BUILD,
    EXAMPLES,
    SCALE_SOURCE,
    VARIANT,
    CudaVariant,
    cuda_kernel,
    read_one,
    run_step,
    with_capabilities,
)
from derivation import Derivation
from evaluation import ROOT, NixError, build, read_log, run_nix
from fatbin import describe, images

pytestmark = pytest.mark.usefixtures("toolkit")

CCCL = """\
#include "numbers.h"
#include <cub/block/block_reduce.cuh>
namespace {
__global__ void sum_kernel(float *numbers) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  float const sum = Reduce(storage).Sum(numbers[threadIdx.x]);
  if (threadIdx.x == 0) numbers[0] = sum;
}
}  // namespace
bool ready() { return true; }
cudaError_t add(float *numbers, float, cudaStream_t stream) {
  sum_kernel<<<1, 128, 0, stream>>>(numbers);
  return cudaGetLastError();
}
"""
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


def build_object(item: Derivation) -> Path:
    """Build an object; return its file, which may have a report beside it."""
    build(item.path)
    return Path(item.outputs["out"])


def compile_in_one_call(one: Derivation, targets: list[str], folder: Path) -> Path:
    """Give nvcc what the passes of a unit are given, all targets at once; return the folder."""
    folder.mkdir(parents=True)
    for line in one.env["files"].splitlines():
        path, file = line.split(" ", 1)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).symlink_to(path)
    # By this nvcc tells the unit's own names from those of others.
    source = one.env["source"]
    (folder / f"{Path(source).stem}.module_id").write_text(one.env["moduleId"])
    call = [
        "nvcc",
        "--keep",
        "--dryrun",
        "-c",
        source,
        "-o",
        "unit.o",
        *one.env["flags"].split("\n"),
    ]
    for target in targets:
        number, _, ptx = target.partition("+")
        code = f"[sm_{number},compute_{number}]" if ptx else f"sm_{number}"
        call += ["-gencode", f"arch=compute_{number},code={code}"]
    environment = {"PATH": one.env["PATH"]}
    listed = subprocess.run(
        call, cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stderr
    steps = [line[3:] for line in listed.splitlines() if line.startswith("#$ ")]
    script = "\n".join(map(as_shell, steps))
    subprocess.run(["sh", "-e", "-c", script], cwd=folder, env=environment, check=True)
    return folder


def as_shell(step: str) -> str:
    """Return a line of nvcc's listing for the shell, without that which names the module anew."""
    assignment = re.fullmatch(r"(\w+)=(.*)", step)
    if assignment:
        return f'export {assignment[1]}="{assignment[2]}"'
    return step.replace("--gen_module_id_file", "")


CASES = {
    "plain": (ADD, ["8.0", "9.0", "9.0a", "12.0f", "12.1+PTX"]),
    "cccl": (CCCL, ["8.0", "9.0+PTX"]),
}


@pytest.mark.parametrize("case", CASES)
def test_the_parts_are_what_one_call_of_nvcc_makes(case: str, tmp_path: Path) -> None:
    text, capabilities = CASES[case]
    kernel = cuda_kernel(
        tmp_path / "kernel", {ADD_SOURCE: text}, **with_capabilities(*capabilities)
    )
    variant = read_one(kernel.folder)
    split = list(images(build_object(variant.part(ADD_SOURCE, ".fatbin.o")).read_bytes()))

    (one, *_) = variant.passes(ADD_SOURCE).values()
    targets = [name.replace(".", "") for name in capabilities]
    folder = compile_in_one_call(one, targets, tmp_path / "one-call")
    whole = list(images((folder / "unit.o").read_bytes()))

    assert {(image.kind, image.target) for image in split} == {
        (image.kind, image.target) for image in whole
    }
    assert len(split) == len(capabilities) + 1
    # Machine code and PTX, to the byte.
    assert sorted(split, key=repr) == sorted(whole, key=repr)


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


def test_lean_headers_serve_a_unit_that_includes_all_of_torch(tmp_path: Path) -> None:
    item = torch_unit(tmp_path / "kernel", TORCH).passes(ADD_SOURCE)["90"]
    assert '"headers": "lean"' in (build(item.path) / "pass.json").read_text()
    assert same_with_full_headers(item, tmp_path / "full")


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


ONLY_OLD = """\
#include "numbers.h"
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
__global__ void only_old_kernel(float *numbers) { numbers[0] = 1; }
#endif
"""


def test_a_kernel_that_one_target_lacks_stops_the_build(tmp_path: Path) -> None:
    variant = read_one(cuda_kernel(tmp_path, {ADD_SOURCE: ONLY_OLD + ADD}).folder)
    with pytest.raises(NixError) as error:
        build(variant.part(ADD_SOURCE, ".fatbin.o").path)
    said = str(error.value)
    assert "the passes of a unit do not fit together" in said
    assert "sm_90" in said
    assert "without _Z15only_old_kernelPf" in said


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


def test_a_kernel_is_built_loaded_and_has_the_targets_it_asked_for(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, **with_capabilities("8.0", "9.0a+PTX"))
    built = build(read_one(kernel.folder, VARIANT).drv)
    (extension,) = built.glob("*.so")
    assert describe(extension.read_bytes()) == ["compute_90a", "sm_80", "sm_90a"]


def test_no_shell_of_the_machine_is_needed(tmp_path: Path) -> None:
    text = f"// {tmp_path}\n{ADD}"
    variant = read_one(cuda_kernel(tmp_path, {ADD_SOURCE: text}, **with_capabilities("8.0")).folder)
    for ending in (".fatbin.o", ".host.o"):
        drv = variant.part(ADD_SOURCE, ending).path
        run_nix("nix-store", "--realise", "--option", "sandbox-paths", "", drv)


def test_a_whole_unit_has_all_targets(tmp_path: Path) -> None:
    variant = read_one(cuda_kernel(tmp_path, **{"cuda-flags": '["-res-usage"]'}).folder)
    assert variant.unit(SCALE_SOURCE)["device"]["whole"]
    built = build_object(variant.part(SCALE_SOURCE, ".o"))
    assert describe(built.read_bytes()) == ["sm_80", "sm_90"]


def test_relocatable_device_code_is_linked_and_loads(tmp_path: Path) -> None:
    own = "__device__ float sum(float a, float b) { return a + b; }"
    assert own in ADD
    add = f"{ADD.replace(own, own.replace('{ return a + b; }', ';'))}\nnamespace {{ {own} }}\n"
    kernel = cuda_kernel(tmp_path, {ADD_SOURCE: add}, **{"cuda-flags": '["-rdc=true"]'})
    built = build(read_one(kernel.folder).drv)
    (extension,) = built.glob("*.so")
    assert describe(extension.read_bytes()) == ["sm_80", "sm_90"]


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
