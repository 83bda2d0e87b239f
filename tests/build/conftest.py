from pathlib import Path

import pytest

from tests.evaluation import build, read_variant
from tests.tiny_kernel import FLAKE, TinyKernel


@pytest.fixture
def flake(tmp_path: Path) -> TinyKernel:
    """A kernel whose folder is a flake, and not in git."""
    return TinyKernel(tmp_path / "flake", {"flake.nix": FLAKE})


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The variant of an unchanged tiny kernel, built."""
    return build(read_variant(TinyKernel(tmp_path_factory.mktemp("tiny")).folder).drv)
