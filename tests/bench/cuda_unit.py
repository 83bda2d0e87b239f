"""What a CUDA unit costs that includes all of Torch: taken apart, against one call of nvcc.

Core seconds and memory are those of the processes that Nix starts, so a Nix without a daemon is
needed; the sources of the toolkit and of Torch are fetched if the store lacks them.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measuring import Cost, measure, show
from tests.evaluation import ROOT

sys.path.insert(0, str(ROOT / "tests" / "cuda"))

from tests.cuda.cuda_kernel import ADD_SOURCE, CudaVariant, cuda_kernel, read_one

JOBS = 2
UNIT = """\
// @salt@
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
CAPABILITIES = json.loads((ROOT / "lib/backends/cuda/toolkits.json").read_text())["13.0"]["default"]


def make_unit(folder: Path, salt: str, capabilities: list[str]) -> CudaVariant:
    """Return a kernel whose unit nobody has compiled yet."""
    files = {ADD_SOURCE: UNIT.replace("@salt@", salt)}
    listed = {"cuda-capabilities": json.dumps(capabilities)}
    return read_one(cuda_kernel(folder, files, **listed).folder)


def build_apart(variant: CudaVariant) -> Cost:
    """Build the unit's objects as a user's build does."""
    parts = [variant.part(ADD_SOURCE, ending).path for ending in (".fatbin.o", ".host.o")]
    limits = ["--max-jobs", str(JOBS), "--cores", "1"]
    return measure(["nix-store", "--realise", *limits, *parts])


def build_in_one_call(variant: CudaVariant, folder: Path) -> Cost:
    """Give one nvcc the same flags, files and targets."""
    folder.mkdir()
    (one, *_) = variant.passes(ADD_SOURCE).values()
    for line in one.env["files"].splitlines():
        path, file = line.split(" ", 1)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).symlink_to(path)
    argv = [
        "nvcc",
        f"--threads={JOBS}",
        "-c",
        ADD_SOURCE,
        "-o",
        "unit.o",
        *one.env["flags"].split("\n"),
    ]
    for device in variant.unit(ADD_SOURCE)["device"]["passes"]:
        name = device["name"]
        code = f"[sm_{name},compute_{name}]" if device["ptx"] else f"sm_{name}"
        argv += ["-gencode", f"arch=compute_{name},code={code}"]
    compiler = next(p for p in one.env["PATH"].split(":") if Path(p, "nvcc").exists())
    environment = {"PATH": one.env["PATH"], "TMPDIR": str(folder)}
    return measure([f"{compiler}/{argv[0]}", *argv[1:]], cwd=folder, env=environment)


def measure_cuda(times: int) -> None:
    """Measure in turns, so that a noisy moment hits all."""
    rounds = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # What is needed for compiling is no part of it.
        build_apart(make_unit(folder / "first", f"{time.time_ns()}", ["9.0"]))
        for number in range(times):
            salt = f"{time.time_ns()}"
            unit = make_unit(folder / f"unit-{number}", salt, CAPABILITIES)
            more = make_unit(folder / f"more-{number}", salt, [*CAPABILITIES, "12.0a"])
            apart = build_apart(unit)
            added = build_apart(more)
            rounds.append((apart, added, build_in_one_call(unit, folder / f"call-{number}")))
    targets = f"{len(CAPABILITIES)} targets, {JOBS} jobs"
    print(f"a unit with torch/all.h, {targets}; load {os.getloadavg()[0]:.1f}")
    for what, index in (
        ("taken apart", 0),
        ("one capability added", 1),
        ("one nvcc --threads=2", 2),
    ):
        show(f"{what}", [each[index].seconds for each in rounds], "s", 1)
        show(f"{what}: core seconds", [each[index].core_seconds for each in rounds], "s", 1)
        aim = "at most 1200" if index == 0 else ""
        show(f"{what}: largest process", [each[index].megabytes for each in rounds], "MB", 0, aim)
    show(
        "taken apart / one nvcc",
        [a.seconds / n.seconds for a, _, n in rounds],
        "x",
        aim="at most 0.40",
    )
    show(
        "taken apart / one nvcc: core seconds",
        [a.core_seconds / n.core_seconds for a, _, n in rounds],
        "x",
        aim="at most 0.45",
    )
    show(
        "one capability added / all",
        [m.seconds / a.seconds for a, m, _ in rounds],
        "x",
        aim="at most 0.25",
    )
