"""A build for one capability: which steps it shares with the whole build, and its messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    BINDING_SOURCE,
    SCALE_SOURCE,
    VARIANT,
    CudaVariant,
    cuda_kernel,
    read_one,
)
from tests.derivation import named

# Code that can see all capabilities of the unit.
SEES_THE_LIST = f"int list[] = {{__CUDA_ARCH_LIST__}};\n{ADD}"


def passes_of(variant: CudaVariant) -> dict[str, str]:
    """Return the derivations of device code by unit and capability."""
    return {
        f"{source} {arch}": item.path
        for source in (ADD_SOURCE, SCALE_SOURCE)
        for arch, item in variant.passes(source).items()
    }


@pytest.mark.parametrize("text", [ADD, SEES_THE_LIST], ids=["", "sees the list"])
def test_device_code_is_that_of_the_whole(tmp_path: Path, text: str) -> None:
    folder = cuda_kernel(tmp_path, {ADD_SOURCE: text}).folder
    whole, part = read_one(folder), read_one(folder, targets="9.0")
    every, some = passes_of(whole), passes_of(part)
    assert set(some) == {f"{ADD_SOURCE} 90", f"{SCALE_SOURCE} 90"}
    assert some.items() < every.items()
    # A unit without device code does not change.
    assert part.part(BINDING_SOURCE, ".o").path == whole.part(BINDING_SOURCE, ".o").path


def test_it_is_another_build_that_waits_for_its_capability_alone(tmp_path: Path) -> None:
    folder = cuda_kernel(tmp_path).folder
    variants = [read_one(folder, targets=targets) for targets in ("", "9.0")]
    assert variants[1].part(ADD_SOURCE, ".host.o").env["listedBy"].endswith(".sm_90")
    whole, part = (named(variant.drv, "-assembled") for variant in variants)
    assert whole.env["extension"] != part.env["extension"]
    assert '"partial":["9.0"]' in part.env["metadata"]
    assert '"archs":["9.0"]' in part.env["metadata"]
    assert "partial" not in whole.env["metadata"]
    assert VARIANT in part.name
