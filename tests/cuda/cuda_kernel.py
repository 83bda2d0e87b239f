"""Small CUDA kernels for the tests, and their derivations."""

import json
import os
from pathlib import Path
from typing import Any

from tests.derivation import Derivation
from tests.evaluation import ROOT, SYSTEM, build, call, evaluate, outputs_of, path_of, realise
from tests.taken_apart import OUTLINE, TakenApart, make_kernel
from tests.tiny_kernel import TinyKernel, head_for

VARIANT = f"torch213-cxx11-cu130-{SYSTEM}"
STABLE = f"torch-stable-abi210-cu130-{SYSTEM}"
# A variant of each kernel in examples/ with code for CUDA.
EXAMPLES = {
    "relu": VARIANT,
    "rmsnorm": STABLE,
    "cutlass-gemm": STABLE,
    "capabilities": STABLE,
    "rope": STABLE,
}
REGISTRIES = f"torchVersions = _: (import {path_of(ROOT)}).lib.torchVersions.fromRegistries;"
# CUDA 12.4 compiles: for a Torch with another release of CUDA 12, and for a row of its own.
INSTEAD = f"torch210-cxx11-cu128-{SYSTEM}"
INSTEAD_STABLE = f"torch-stable-abi210-cu128-{SYSTEM}"
OLDER = f"torch29-cxx11-cu128-{SYSTEM}"
ALONE = f"torch210-cxx11-cu124-{SYSTEM}"
CUDA_12 = f"""torchVersions = (import {path_of(ROOT / "stand-ins")}).cuda124 [
  {{
    torchVersion = "2.10"; cudaVersion = "12.8"; bundleBuild = true;
    systems = [ "{SYSTEM}" "aarch64-linux" ];
  }}
  {{ torchVersion = "2.9"; cudaVersion = "12.8"; systems = [ "{SYSTEM}" ]; bundleBuild = true; }}
  {{ torchVersion = "2.10"; cudaVersion = "12.4"; systems = [ "{SYSTEM}" ]; bundleBuild = true; }}
];"""
# A toolkit that no Torch of the matrix is built with.
AHEAD = f"torch215-cxx11-cu135-{SYSTEM}"
AHEAD_ROW = f"""torchVersions = [
  {{
    torchVersion = "2.15"; cudaVersion = "13.5"; systems = [ "{SYSTEM}" ];
    wheel = {{
      build = "2.15.0+cu135";
      file = "torch-2.15.0+cu135-cp311-cp311-manylinux_2_28_{SYSTEM.partition("-")[0]}.whl";
      url = "https://wheels.example/torch.whl";
      hash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    }};
  }}
];"""

BUILD = f"""\
{head_for("cuda")}[kernel.numbers]
backend = "cuda"
depends = ["torch"]
cuda-capabilities = ["8.0", "9.0"]
src = ["numbers/add.cu", "numbers/scale.cu", "numbers/numbers.h"]
"""

BINDING = """\
#include <torch/library.h>

#include "../numbers/numbers.h"
#include "registration.h"

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) { ops.def("ready() -> bool", &ready); }

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
"""

HEADER = """\
#pragma once
#include <cuda_runtime_api.h>
bool ready();
cudaError_t add(float *numbers, float addend, cudaStream_t stream);
cudaError_t scale(float *numbers, float factor, cudaStream_t stream);
"""

ADD = """\
#include "numbers.h"
namespace {
__device__ float sum(float a, float b) { return a + b; }
template <typename T> __global__ void add_kernel(T *numbers, T addend) {
  numbers[threadIdx.x] = sum(numbers[threadIdx.x], addend);
}
}  // namespace
bool ready() { return true; }
cudaError_t add(float *numbers, float addend, cudaStream_t stream) {
  add_kernel<float><<<1, 32, 0, stream>>>(numbers, addend);
  return cudaGetLastError();
}
"""

SCALE = """\
#include "numbers.h"
__global__ void __launch_bounds__(64) scale_kernel(float *numbers, float factor) {
  numbers[threadIdx.x] *= factor;
}
cudaError_t scale(float *numbers, float factor, cudaStream_t stream) {
  scale_kernel<<<1, 32, 0, stream>>>(numbers, factor);
  return cudaGetLastError();
}
"""

FILES = {
    "build.toml": BUILD,
    "torch-ext/torch_binding.cpp": BINDING,
    "torch-ext/tiny/__init__.py": "from ._ops import ops\n\nready = ops.ready\n",
    "numbers/numbers.h": HEADER,
    "numbers/add.cu": ADD,
    "numbers/scale.cu": SCALE,
}
BINDING_SOURCE, ADD_SOURCE, SCALE_SOURCE = (
    "torch-ext/torch_binding.cpp",
    "numbers/add.cu",
    "numbers/scale.cu",
)


def cuda_kernel(folder: Path, files: dict[str, str] | None = None, /, **build: str) -> TinyKernel:
    """Write the kernel; `build` replaces the value of a key of its component."""
    return make_kernel(folder, {**FILES, **(files or {})}, build)


def with_capabilities(*names: str) -> dict[str, str]:
    return {"cuda-capabilities": json.dumps(names)}


class CudaVariant(TakenApart):
    """One variant, instantiated."""

    def passes(self, source: str) -> dict[str, Derivation]:
        """Return the derivations of a unit's device code by target."""
        inputs = self.inputs_of_code(source)
        return {i.env["arch"]: i for i in inputs if i.name.endswith(f".sm_{i.env.get('arch')}")}


def read_cuda(
    folder: Path, *names: str, arguments: str = REGISTRIES, targets: str = ""
) -> dict[str, CudaVariant]:
    """Return variants of a kernel, instantiated; all that have a derivation if none is named.

    With `targets`, such as "8.0 9.0", they are built for these alone.
    """
    outputs = outputs_of(folder, arguments)
    if targets:
        outputs = f"(({outputs}).forTargets [ {' '.join(map(json.dumps, targets.split()))} ])"
    wanted = f"[ {' '.join(map(json.dumps, names))} ]"
    if not names:
        wanted = "(map (v: v.name) (builtins.filter (v: v ? drv) o.manifest.variants))"
    asked = (
        f"let o = {outputs}; in builtins.listToAttrs (map "
        f"(name: {{ inherit name; value = ({OUTLINE}) o.redistributable.${{name}}; }}) {wanted})"
    )
    return {
        name: CudaVariant(data["drv"], data["plan"], tuple(data["objects"]))
        for name, data in evaluate(asked).items()
    }


def read_one(
    folder: Path, name: str = VARIANT, *, arguments: str = "", targets: str = ""
) -> CudaVariant:
    arguments = arguments or (CUDA_12 if "-cu12" in name else REGISTRIES)
    return read_cuda(folder, name, arguments=arguments, targets=targets)[name]


def read_manifest(folder: Path, arguments: str = REGISTRIES) -> dict[str, Any]:
    """Return the data of a kernel that the command line reads."""
    return dict(evaluate(f"({outputs_of(folder, arguments)}).manifest"))


def read_entry(folder: Path, name: str = VARIANT, arguments: str = REGISTRIES) -> dict[str, Any]:
    """Return a variant as the manifest lists it."""
    (entry,) = (v for v in read_manifest(folder, arguments)["variants"] if v["name"] == name)
    return dict(entry)


# Variables that Nix sets for each build.
OF_EACH_BUILD = {"HOME": os.devnull, "NIX_BUILD_CORES": "1"}


def run_step(item: Derivation, folder: Path, **changes: str) -> Path:
    """Run a step outside the sandbox with other values of some variables; return its `$out`."""
    realise(*item.inputs)
    folder.mkdir(parents=True)
    environment = {**item.env, **changes}
    environment.update({name: str(folder / name) for name in item.outputs})
    for name in environment.pop("passAsFile", "").split():
        (folder / f"{name}-as-file").write_text(environment.pop(name))
        environment[f"{name}Path"] = str(folder / f"{name}-as-file")
    environment |= {**OF_EACH_BUILD, "TMPDIR": str(folder)}
    call(item.builder, *item.args, cwd=folder, env=environment)
    return folder / "out"


def build_object(item: Derivation) -> Path:
    """Build an object and return its file; a report may lie beside it."""
    build(item.path)
    return Path(item.outputs["out"])
