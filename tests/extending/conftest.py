from __future__ import annotations

from pathlib import Path

import pytest

from tests.extending.copy import Copy
from tests.extending.maintainer import Maintainer
from tests.tiny_kernel import TinyKernel


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """A copy of the repository for one task."""
    return Copy.make(tmp_path / "copy")


@pytest.fixture
def tiny(tmp_path: Path) -> TinyKernel:
    """A kernel to build with the copy."""
    return TinyKernel(tmp_path / "tiny")


@pytest.fixture
def maintainer(copy: Copy, tmp_path: Path) -> Maintainer:
    """A maintainer of the copy."""
    return Maintainer.make(copy, tmp_path / "home")
