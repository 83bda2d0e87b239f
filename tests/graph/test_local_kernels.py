"""Kernels that a kernel loads: local builds for the import check, and those in kernels.lock."""

import json
from pathlib import Path

import pytest

from tests.derivation import Derivation, closure_of, read_derivation
from tests.evaluation import SYSTEM, evaluate, outputs_of, read_variant
from tests.tiny_kernel import BUILD, NOARCH, TinyKernel

HASH = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
COMMITS = {1: "a" * 40, 2: "b" * 40}


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
    other = TinyKernel(tmp_path / "other", {"build.toml": NOARCH})
    tiny.write("build.toml", NOARCH.replace("[torch-noarch]", f"{loads}[torch-noarch]"))
    assert len(import_check_of(other)) == 1
    assert import_check_of(tiny) == []

    flake = f"{{ legacyPackages.{SYSTEM} = {outputs_of(other.folder)}; }}"
    (check,) = import_check_of(tiny, f'localKernels."c/d" = {flake};')
    build = evaluate(f"({outputs_of(other.folder)}).redistributable.torch-cpu.outPath")
    assert check.env["LOCAL_KERNELS"] == f"c/d={build}"


@pytest.mark.parametrize("version", COMMITS)
def test_each_backend_loads_its_own_version(tiny: TinyKernel, version: int) -> None:
    depends = f'kernel-depends = [{{ repo-id = "org/dep", version = {version} }}]\n'
    tiny.write("build.toml", BUILD.replace("[torch]", f"[general.cpu]\n{depends}\n[torch]"))
    locks = [
        {
            "dependency": {"repo-id": "org/dep", "version": version},
            "lock": {"commit": commit, "hash": HASH},
        }
        for version, commit in COMMITS.items()
    ]
    tiny.write("kernels.lock", json.dumps(locks))
    variant = read_variant(tiny.folder, f"torch213-cxx11-cpu-{SYSTEM}")
    fetched = [item for item in closure_of(variant.drv) if item.env.get("sourceKind") == "kernel"]
    assert [item.env["commit"] for item in fetched] == [COMMITS[version]]
