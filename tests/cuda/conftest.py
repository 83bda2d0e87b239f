from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cuda_kernel import EXAMPLES, VARIANT, CudaVariant, cuda_kernel, read_one
from derivation import closure_of
from evaluation import ROOT


def is_at_hand(variant: CudaVariant) -> bool:
    """Say whether the CUDA toolkit and its Torch are in the store."""
    wanted = {"cuda-13.0", "torch-2.13.0-cu130"}
    found = [item for item in closure_of(variant.drv) if item.name in wanted]
    assert {item.name for item in found} == wanted
    return all(Path(out).exists() for item in found for out in item.outputs.values())


@pytest.fixture(scope="session")
def toolkit(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is needed for building; without it a test is skipped."""
    tiny = read_one(cuda_kernel(tmp_path_factory.mktemp("tiny") / "kernel").folder, VARIANT)
    if os.environ.get("KERNEL_BUILDER_CUDA") != "1" and not is_at_hand(tiny):
        pytest.skip(
            "neither the CUDA toolkit nor its Torch (2.5 GB of wheels) is in the store; "
            "KERNEL_BUILDER_CUDA=1 has them fetched"
        )
    objects = [drv for name in EXAMPLES for drv in read_one(ROOT / "examples" / name).objects]
    subprocess.run([ROOT / "python/bin/kernel-builder", "prefetch", tiny.drv, *objects], check=True)
