"""One unit and its compiler: a CUDA unit taken apart, as a build does it, or given to one nvcc.

Neither is linked. Both have the same flags and the same files.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.compared import Record
from bench.measuring import CORES, Cost, measure
from bench.ways import OURS
from tests.cuda.cuda_kernel import ADD_SOURCE, CudaVariant, cuda_kernel, read_one
from tests.derivation import Derivation
from tests.evaluation import ROOT, SYSTEM, fetch

NVCC = "one nvcc"


class Published(NamedTuple):
    """A unit of a published kernel."""

    kernel: str
    source: str
    build: str


UNIT = """\
#include <torch/all.h>
#include <c10/cuda/CUDAStream.h>

namespace {
template <typename T>
__global__ void fill_kernel(T *out, T value, int64_t count) {
  int64_t const i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) out[i] = value;
}
}  // namespace

bool ready() { return true; }

void fill(torch::Tensor &out, double value) {
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, out.scalar_type(), "fill", [&] {
    fill_kernel<scalar_t><<<(out.numel() + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
        out.data_ptr<scalar_t>(), static_cast<scalar_t>(value), out.numel());
  });
}
"""
CAPABILITIES = json.loads((ROOT / "backends/cuda/releases/13.0.json").read_text())["default"]
# Units of published kernels for several targets; `build` is the variant without its system.
PUBLISHED = (
    Published(
        "flash-attn2", "flash_attn/src/flash_fwd_hdim64_fp16_sm80.cu", "torch-stable-abi210-cu130"
    ),
    Published("flash-attn3", "flash-attn/flash_fwd_combine.cu", "torch-stable-abi29-cu130"),
    Published("natten", "csrc/src/token_permute.cu", "torch213-cxx11-cu130"),
    Published("sage-attention", "sage_attention/fused/fused.cu", "torch213-cxx11-cu130"),
)


def with_torch(folder: Path, salt: str, capabilities: Sequence[str]) -> CudaVariant:
    """Return a kernel whose unit includes all of Torch, and which nobody has compiled yet."""
    files = {ADD_SOURCE: f"// {salt}\n{UNIT}"}
    listed = {"cuda-capabilities": json.dumps(capabilities)}
    return read_one(cuda_kernel(folder, files, **listed).folder)


def of_published(kernels: Path, folder: Path, salt: str, unit: Published) -> CudaVariant:
    """Return a copy of a kernel in the folder `kernels`, with a unit nobody has compiled yet."""
    shutil.copytree(kernels / unit.kernel, folder)
    with (folder / unit.source).open("a") as file:
        file.write(f"// {salt}\n")
    return read_one(folder, f"{unit.build}-{SYSTEM}")


def build_apart(variant: CudaVariant, source: str) -> Cost:
    """Build the unit's objects as a user's build does."""
    parts = [variant.part(source, ending).path for ending in (".fatbin.o", ".host.o")]
    limits = ["--max-jobs", str(CORES), "--cores", "1"]
    return measure(["nix-store", "--realise", *limits, *parts])


def prepare(variant: CudaVariant, source: str) -> None:
    """Put all into the store that the unit is compiled with."""
    passes = variant.passes(source)
    host = variant.part(source, ".host.o")
    fetch(host.path)
    needed = {path for part in (host, *passes.values()) for path in part.inputs}
    measure(["nix-store", "--realise", *sorted(needed - {part.path for part in passes.values()})])


def compile_alone(item: Derivation, folder: Path) -> Cost:
    """Compile a C++ unit as its derivation does, with Torch's own headers."""
    lay_out(item, folder)
    source, compiler = item.env["source"], item.env["compiler"]
    argv = [compiler, *item.env["flags"].split("\n"), "-c", source, "-o", "unit.o"]
    return measure(argv, cwd=folder, env={"PATH": item.env["PATH"], "TMPDIR": str(folder)})


def lay_out(item: Derivation, folder: Path) -> None:
    """Put a unit and the kernel's headers that it reaches where the compiler looks for them."""
    for line in item.env["files"].splitlines():
        path, file = line.split(" ", 1)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).symlink_to(path)


def build_in_one_call(variant: CudaVariant, source: str, folder: Path) -> Cost:
    """Give one nvcc the same flags, files and targets."""
    (one, *_) = variant.passes(source).values()
    lay_out(one, folder)
    argv = ["nvcc", f"--threads={CORES}", "-c", source, "-o", "unit.o"]
    argv += one.env["flags"].split("\n")
    for device in variant.unit(source)["device"]["passes"]:
        name = device["name"]
        code = f"[sm_{name},compute_{name}]" if device["ptx"] else f"sm_{name}"
        argv += ["-gencode", f"arch=compute_{name},code={code}"]
    return measure(argv, cwd=folder, env={"PATH": one.env["PATH"], "TMPDIR": str(folder)})


def compare(variant: CudaVariant, source: str, folder: Path, turn: int, record: Record) -> None:
    """Build a unit in both ways; `turn` says which begins."""
    prepare(variant, source)
    runs: list[tuple[str, Callable[[], Cost]]] = [
        (OURS, lambda: build_apart(variant, source)),
        (NVCC, lambda: build_in_one_call(variant, source, folder / "call")),
    ]
    for name, run in runs if turn % 2 == 0 else runs[::-1]:
        record("cold", name, run())
