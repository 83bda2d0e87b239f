import shutil
from pathlib import Path

import pytest

from tests.evaluation import ROOT
from tests.tiny_kernel import TinyKernel


@pytest.fixture
def tiny(tmp_path: Path) -> TinyKernel:
    """A kernel whose unit `answer/answer.cpp` does not include Torch."""
    return TinyKernel(tmp_path / "tiny")


@pytest.fixture
def silu(tmp_path: Path) -> Path:
    """A copy of the example with several units and shared headers."""
    return Path(shutil.copytree(ROOT / "examples" / "silu-and-mul", tmp_path / "silu-and-mul"))
