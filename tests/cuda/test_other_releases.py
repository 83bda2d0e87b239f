"""Releases of CUDA 12: 12.4 as Debian has it, and wheels of 12.6, 12.8 and 12.9.

No registry has nvcc of the newer ones: 12.4 compiles in their place. A wheel has ptxas, libnvvm and
the headers of the compiler.
"""

import json
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from lock.add_toolkit import find_newest_gcc, list_targets
from lock.nvcc_options import parse_help
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
    read_entry,
    read_one,
    with_capabilities,
)
from tests.cuda.fatbin import describe
from tests.cuda.test_options import build_package, steps
from tests.cuda.test_split import CCCL, compile_in_one_call
from tests.evaluation import ROOT, SYSTEM, build, call, evaluate, path_of

RELEASES = ROOT / "backends/cuda/releases"
WHEELS = {
    "12.6": (
        "nvidia_cuda_nvcc_cu12-12.6.85-py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl",
        "d75d9d74599f4d7c0865df19ed21b739e6cb77a6497a3f73d6f61e8038a765e4",
    ),
    "12.8": (
        "nvidia_cuda_nvcc_cu12-12.8.93-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
        "2d6dc36fb7cb5ac9c0b8825bc13d193c35487a315664007287d0126531238011",
    ),
    "12.9": (
        "nvidia_cuda_nvcc_cu12-12.9.86-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
        "5d6a0d32fdc7ea39917c20065614ae93add6f577d840233237ff08e9a38f58f0",
    ),
}
# CUDA 12.4 compiles for these, and its PTX for 9.0 is the one for every newer target.
OWN = ("7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "9.0a")
# Options that nvcc of CUDA 13.0 hands to ptxas under their own names, and that 12.4 lacks.
HANDED = {"--Ofast-compile": "mid", "--device-stack-protector": "true", "--sanitize": "memcheck"}


@dataclass(frozen=True)
class Compiler:
    """The wheel of a release, and what our release file says about it."""

    release: str
    version: str
    folder: Path
    said: dict[str, Any]

    @property
    def ptxas(self) -> Path:
        return self.folder / "bin/ptxas"


@pytest.fixture(scope="module", params=WHEELS)
def compiler(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    release = str(request.param)
    file, sha256 = WHEELS[release]
    version = file.split("-")[1]
    wheel = (
        f"(import {path_of(ROOT)}).packages.{SYSTEM}.fetchWheel {{ "
        f'project = "nvidia-cuda-nvcc-cu12"; version = "{version}"; '
        f'file = "{file}"; sha256 = "{sha256}"; }}'
    )
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(build(evaluate(f"({wheel}).drvPath"))) as archive:
        archive.extractall(folder)
    made = Compiler(
        release,
        version,
        folder / "nvidia/cuda_nvcc",
        json.loads((RELEASES / f"{release}.json").read_text()),
    )
    made.ptxas.chmod(0o755)
    return made


@pytest.fixture(scope="module")
def ptx(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Return the PTX of two units that CUDA 12.4 writes, by capability."""
    found: dict[str, list[Path]] = {name: [] for name in OWN}
    for text in (ADD, CCCL):
        kernel = cuda_kernel(
            tmp_path_factory.mktemp("kernel") / "kernel",
            {ADD_SOURCE: text},
            **with_capabilities(*(f"{name}+PTX" for name in OWN)),
        )
        passes = read_one(kernel.folder, INSTEAD).passes(ADD_SOURCE)
        for name in OWN:
            found[name].append(build_object(passes[name.replace(".", "")]) / "ptx")
    return found


def test_the_release_file_says_what_the_wheel_says(compiler: Compiler) -> None:
    said = compiler.said
    nvcc = [components["cuda_nvcc"] for components in said["components"].values()]
    assert {component["version"] for component in nvcc} == {compiler.version}
    assert f"V{compiler.version}" in call(compiler.ptxas, "--version").stdout
    assert said["supported"] == list_targets(call(compiler.ptxas, "--help").stdout)
    header = compiler.folder / "include/crt/host_config.h"
    assert said["gcc"]["newest"] == find_newest_gcc(header.read_text())


def test_ptx_of_another_compiler_is_assembled(
    compiler: Compiler, ptx: dict[str, list[Path]], tmp_path: Path
) -> None:
    """For all default targets, and for those of a device or a family of the same capabilities."""
    newer = [name for name in compiler.said["supported"] if int(name.split(".")[0]) > 9]
    assert {name.removesuffix("+PTX") for name in compiler.said["default"]} <= {*OWN, *newer}
    for name in (*OWN, *newer):
        arch = f"sm_{name.replace('.', '')}"
        for text in ptx[name if name in OWN else "9.0"]:
            call(compiler.ptxas, f"-arch={arch}", "-m64", text, "-o", "cubin", cwd=tmp_path)
            with (tmp_path / "cubin").open("rb") as code:
                flags = ELFFile(code)["e_flags"]
            # The number is in the first byte, and for code of Blackwell in the second.
            assert int(arch[3:].rstrip("af")) in (flags & 0xFF, flags >> 8 & 0xFF)


def test_options_of_ptxas_are_those_of_cuda_13(compiler: Compiler) -> None:
    """The patterns for values of -Xptxas (option-effects.json) were written for 13."""
    newer = build_package('(cudaToolkit { toolkit = "13.0"; ptxas = null; }).cuda') / "bin/ptxas"
    own, others = (
        {long: option["short"] for long, option in parse_help(call(each, "--help").stdout).items()}
        for each in (compiler.ptxas, newer)
    )
    assert len(own) > 40
    assert own.items() <= others.items()


def test_options_that_ptxas_lacks_are_left_out(compiler: Compiler, tmp_path: Path) -> None:
    nvcc = build_package('(cudaToolkit { toolkit = "13.0"; ptxas = null; }).cuda') / "bin/nvcc"
    toolchain = build_package("toolchain")
    has = parse_help(call(compiler.ptxas, "--help").stdout)
    for long, value in HANDED.items():
        argv = [argv for argv in steps(nvcc, toolchain, tmp_path, long, value) if "ptxas" in argv]
        assert argv
        assert all(any(long.strip("-") in word for word in each) for each in argv), long
        warnings = evaluate(
            f"(import {path_of(ROOT / 'lib')}).backends.all.cuda.toolkit.warningsOf "
            f'"{compiler.release}" {{ src = [ "a.cu" ]; '
            f'flags.cuda-flags = [ "{long}={value}" ]; }}'
        )
        assert ("does not have it" in str(warnings)) == (long not in has), long


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
    kernel = cuda_kernel(tmp_path, {ADD_SOURCE: text}, **{"cuda-flags": json.dumps(flags)})
    built = build(read_one(kernel.folder, name).drv)
    (extension,) = built.glob("*.so")
    assert describe(extension.read_bytes()) == ["sm_80", "sm_90"]


def test_targets_and_options_that_it_lacks_are_left_out_and_named(tmp_path: Path) -> None:
    names = ["-static-global-template-stub=false", "-frandom-seed=1", "--compress-mode=size"]
    flags = {"cuda-flags": json.dumps(names)}
    kernel = cuda_kernel(tmp_path, **flags, **with_capabilities("9.0", "10.0"))
    listed = read_entry(kernel.folder, INSTEAD, CUDA_12)
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
    listed = read_entry(kernel.folder, INSTEAD, CUDA_12)
    assert '"12.0+PTX", left out' in str(listed["warnings"])
    # Its own defaults are no reason for a warning.
    listed = read_entry(kernel.folder, ALONE, CUDA_12)
    assert "left out" not in str(listed["warnings"])


# Examples with the targets that they are built for. The stable ABI of three of them begins with
# Torch 2.10.
EXAMPLES = [
    ("relu", INSTEAD, "9.0", ["sm_90"]),
    ("rmsnorm", INSTEAD_STABLE, "8.0 9.0", ["sm_80", "sm_90"]),
    ("capabilities", INSTEAD_STABLE, "", ["compute_80", "sm_80", "sm_90a"]),
    ("cutlass-gemm", INSTEAD_STABLE, "", ["compute_80", "sm_80"]),
]


def check_example(example: str, name: str, targets: str, found: list[str], tmp_path: Path) -> None:
    variant = read_one(ROOT / "examples" / example, name, targets=targets)
    (extension,) = build(variant.drv).glob("*.so")
    assert describe(extension.read_bytes()) == found
    for unit in variant.plan["units"]:
        if unit["device"]:
            check_parts(variant, unit["source"], tmp_path / unit["component"])


@pytest.mark.parametrize(("example", "name", "targets", "found"), EXAMPLES)
def test_an_example_is_loaded_with_its_torch_and_has_the_code_of_one_call(
    example: str, name: str, targets: str, found: list[str], tmp_path: Path
) -> None:
    check_example(example, name, targets, found, tmp_path)


def test_an_example_with_an_older_torch(tmp_path: Path) -> None:
    """At night: no other test needs this Torch."""
    check_example("relu", OLDER, "9.0", ["sm_90"], tmp_path)
