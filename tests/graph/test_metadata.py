"""A variant's metadata, as the derivation that writes them has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.derivation import Derivation, named, read_derivation
from tests.evaluation import SYSTEM, evaluate, outputs_of
from tests.tiny_kernel import TinyKernel

NOARCH = """\
[general]
name = "tiny"
version = 1
edition = 5
backends = ["cuda", "rocm"]

[torch-noarch]
cuda-capabilities = ["9.0", "8.0"]
"""


PYTHON_ONLY = """\
[general]
name = "tiny"
version = 1
edition = 5
backends = ["cann", "cpu", "neuron", "tpu"]
@more@
[general.neuron]
python-depends = ["nki"]
kernel-depends = [{ repo-id = "a/b", revision = "main" }]

[torch-noarch]
"""


def metadata_of(kernel: TinyKernel, variant: str) -> Any:
    """Return the values for a variant's metadata.json."""
    drv = evaluate(f"({outputs_of(kernel.folder)}).redistributable.{variant}.drvPath")
    return json.loads(named(drv, "-assembled").env["metadata"])


def test_targets_of_a_kernel_without_compiled_code(tiny: TinyKernel) -> None:
    tiny.write("build.toml", NOARCH)
    cuda = metadata_of(tiny, "torch-cuda")
    assert cuda["backend"] == {"type": "cuda", "archs": ["8.0", "9.0"]}
    assert metadata_of(tiny, "torch-rocm")["backend"] == {"type": "rocm"}


@pytest.mark.parametrize(
    ("variant", "backend"),
    [("torch-npu", "cann"), ("torch-neuron", "neuron"), ("torch-tpu", "tpu")],
)
def test_backends_that_nothing_is_compiled_for(
    variant: str, backend: str, tiny: TinyKernel
) -> None:
    tiny.write("build.toml", PYTHON_ONLY.replace("@more@", ""))
    metadata = metadata_of(tiny, variant)
    assert metadata["backend"] == {"type": backend}
    is_neuron = backend == "neuron"
    assert metadata["python-depends"] == (["nki"] if is_neuron else [])
    depends = [{"repo-id": "a/b", "revision": "main"}] if is_neuron else None
    assert metadata.get("kernel-depends") == depends
    # Clients before 0.17 do not load the kernels that a kernel names.
    assert metadata["kernels-minver"] == ("0.17.0" if is_neuron else "0.14.0")


def import_check_of(kernel: TinyKernel, arguments: str = "") -> list[Derivation]:
    """Return the import check of a variant without code, if it has one."""
    outputs = outputs_of(kernel.folder, arguments)
    drv = evaluate(f"({outputs}).redistributable.torch-cpu.drvPath")
    inputs = map(read_derivation, read_derivation(drv).inputs)
    return [item for item in inputs if item.name.endswith("-get-kernel-check")]


def test_what_loads_other_kernels_is_imported_with_their_local_builds(
    tiny: TinyKernel, tmp_path: Path
) -> None:
    loads = 'kernel-depends = [{ repo-id = "c/d", version = 1 }]\n'
    other = TinyKernel(tmp_path / "other")
    for kernel, more in ((other, ""), (tiny, loads)):
        kernel.write("build.toml", PYTHON_ONLY.replace("@more@", more))
    assert len(import_check_of(other)) == 1
    assert import_check_of(tiny) == []

    flake = f"{{ legacyPackages.{SYSTEM} = {outputs_of(other.folder)}; }}"
    (check,) = import_check_of(tiny, f'localKernels."c/d" = {flake};')
    build = evaluate(f"({outputs_of(other.folder)}).redistributable.torch-cpu.outPath")
    assert check.env["LOCAL_KERNELS"] == f"c/d={build}"
