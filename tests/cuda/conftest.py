from __future__ import annotations

import os
from pathlib import Path

import pytest
from cuda_kernel import REGISTRIES, VARIANT, cuda_kernel, read_one

from derivation import closure_of


def is_at_hand(folder: Path) -> bool:
    """Say whether the CUDA toolkit and its Torch are in the store."""
    variant = read_one(cuda_kernel(folder).folder, VARIANT, arguments=REGISTRIES)
    wanted = {"cuda-13.0", "torch-2.13.0-cu130"}
    found = [item for item in closure_of(variant.drv) if item.name in wanted]
    assert {item.name for item in found} == wanted
    return all(Path(out).exists() for item in found for out in item.outputs.values())


@pytest.fixture(scope="session")
def toolkit(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is needed for building; without it a test is skipped."""
    if os.environ.get("KERNEL_BUILDER_CUDA") != "1" and not is_at_hand(
        tmp_path_factory.mktemp("at-hand") / "kernel"
    ):
        pytest.skip(
            "neither the CUDA toolkit nor its Torch (2.5 GB of wheels) is in the store; "
            "KERNEL_BUILDER_CUDA=1 has them fetched"
        )
