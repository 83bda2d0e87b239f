"""kernels.lock: a variant fetches the kernel in the version that its own backend asks for."""

from __future__ import annotations

import json

import pytest

from tests.derivation import closure_of
from tests.evaluation import SYSTEM, read_variant
from tests.tiny_kernel import BUILD, TinyKernel

HASH = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
COMMITS = {1: "a" * 40, 2: "b" * 40}


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
