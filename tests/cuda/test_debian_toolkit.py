"""CUDA 12.4, whose compiler is Debian's: alone, and in place of a release of NVIDIA's host."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    ALONE,
    BUILD,
    CUDA_12,
    INSTEAD,
    INSTEAD_STABLE,
    OLDER,
    CudaVariant,
    build_object,
    cuda_kernel,
    read_manifest,
    read_one,
    with_capabilities,
)
from tests.cuda.fatbin import describe
from tests.cuda.test_options import build_package
from tests.cuda.test_split import compile_in_one_call
from tests.evaluation import ROOT, build


def unpack(file: Path, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Return the images of an object, which CUDA 12 compresses and its own program reads."""
    folder.mkdir(parents=True)
    toolkit = build_package('(cudaToolkit { toolkit = "12.4"; ptxas = null; }).cuda')
    program = toolkit / "bin" / "cuobjdump"
    for kind in ("elf", "ptx"):
        subprocess.run([program, f"-x{kind}", "all", file], cwd=folder, check=True)
    for image in folder.iterdir():
        yield ".".join(image.name.split(".")[-2:]), image.read_bytes()


def check_parts(variant: CudaVariant, source: str, folder: Path) -> None:
    """Fail unless the images of a unit are those of one call of nvcc for all its targets."""
    made = build_object(variant.part(source, ".fatbin.o"))
    passes = variant.passes(source)
    targets = [arch + "+PTX" * bool(item.env["ptx"]) for arch, item in passes.items()]
    (one, *_) = passes.values()
    whole = compile_in_one_call(one, targets, folder / "one-call") / "unit.o"
    parts = sorted(unpack(made, folder / "parts"))
    assert parts
    assert parts == sorted(unpack(whole, folder / "whole"))


LAMBDA = ADD.replace(
    "add_kernel<float><<<1, 32, 0, stream>>>(numbers, addend);",
    "run<<<1, 32, 0, stream>>>([=] __device__(int i) { numbers[i] += addend; });",
).replace(
    "}  // namespace",
    "template <typename F> __global__ void run(F f) { f(threadIdx.x); }\n}  // namespace",
)


FLAGS = ["-rdc=true", "--extended-lambda", "-ccbin=gcc"]


@pytest.mark.parametrize(
    ("name", "flags"),
    [(ALONE, []), (INSTEAD, []), *((INSTEAD, [flag]) for flag in FLAGS)],
    ids=["alone", "none", *FLAGS],
)
def test_a_kernel_is_built_and_loaded_with_its_torch(
    name: str, flags: list[str], tmp_path: Path
) -> None:
    text = LAMBDA if "--extended-lambda" in flags else ADD
    quoted = ", ".join(f'"{flag}"' for flag in flags)
    kernel = cuda_kernel(tmp_path, {ADD_SOURCE: text}, **{"cuda-flags": f"[{quoted}]"})
    built = build(read_one(kernel.folder, name).drv)
    (extension,) = built.glob("*.so")
    assert describe(extension.read_bytes()) == ["sm_80", "sm_90"]


def test_targets_and_options_that_it_lacks_are_left_out_and_named(tmp_path: Path) -> None:
    names = ["-static-global-template-stub=false", "-frandom-seed=1", "--compress-mode=size"]
    flags = {"cuda-flags": json.dumps(names)}
    kernel = cuda_kernel(tmp_path, **flags, **with_capabilities("9.0", "10.0"))
    (listed,) = [
        v for v in read_manifest(kernel.folder, CUDA_12)["variants"] if v["name"] == INSTEAD
    ]
    said = str(listed["warnings"])
    assert '"10.0", left out' in said
    assert "static-global-template-stub" in said
    assert "frandom-seed" in said
    assert "compress-mode" in said
    variant = read_one(kernel.folder, INSTEAD)
    assert list(variant.passes(ADD_SOURCE)) == ["90"]
    unit = variant.unit(ADD_SOURCE)
    assert not [flag for flag in unit["flags"] if "stub" in flag or "seed" in flag]
    assert unit["device"]["packing"] == ["--compress-all"]


def test_default_targets_that_it_lacks_are_named(tmp_path: Path) -> None:
    text = BUILD.replace('cuda-capabilities = ["8.0", "9.0"]\n', "")
    kernel = cuda_kernel(tmp_path, {"build.toml": text})
    (listed,) = [
        v for v in read_manifest(kernel.folder, CUDA_12)["variants"] if v["name"] == INSTEAD
    ]
    assert '"12.0+PTX", left out' in str(listed["warnings"])
    # Its own defaults are no reason for a warning.
    (listed,) = [v for v in read_manifest(kernel.folder, CUDA_12)["variants"] if v["name"] == ALONE]
    assert "left out" not in str(listed["warnings"])


# Examples with the targets that they are built for. The stable ABI of three of them begins with
# Torch 2.10.
EXAMPLES = [
    ("relu", OLDER, "9.0", ["sm_90"]),
    ("relu", INSTEAD, "9.0", ["sm_90"]),
    ("rmsnorm", INSTEAD_STABLE, "8.0 9.0", ["sm_80", "sm_90"]),
    ("capabilities", INSTEAD_STABLE, "", ["compute_80", "sm_80", "sm_90a"]),
    ("cutlass-gemm", INSTEAD_STABLE, "", ["compute_80", "sm_80"]),
]


@pytest.mark.parametrize(("example", "name", "targets", "found"), EXAMPLES)
def test_an_example_is_loaded_with_its_torch_and_has_the_code_of_one_call(
    example: str, name: str, targets: str, found: list[str], tmp_path: Path
) -> None:
    variant = read_one(ROOT / "examples" / example, name, targets=targets)
    (extension,) = build(variant.drv).glob("*.so")
    assert describe(extension.read_bytes()) == found
    for unit in variant.plan["units"]:
        if unit["device"]:
            check_parts(variant, unit["source"], tmp_path / unit["component"])
