import shutil
from pathlib import Path

import pytest

from tests.evaluation import ROOT


@pytest.fixture
def silu(tmp_path: Path) -> Path:
    """A copy of the example with several units and shared headers."""
    return Path(shutil.copytree(ROOT / "examples" / "silu-and-mul", tmp_path / "silu-and-mul"))
