import subprocess
from pathlib import Path

import pytest

from tests.author.authoring import clone_repository
from tests.extending.copy import Copy
from tests.extending.maintainer import Maintainer


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with its uncommitted changes."""
    return clone_repository(tmp_path_factory.mktemp("extending") / "clone")


@pytest.fixture
def copy(clone: Path, tmp_path: Path) -> Copy:
    argv = ["cp", "-a", "--reflink=auto", str(clone), str(tmp_path / "copy")]
    subprocess.run(argv, check=True)
    return Copy(tmp_path / "copy")


@pytest.fixture
def maintainer(copy: Copy, tmp_path: Path) -> Maintainer:
    return Maintainer.make(copy, tmp_path / "home")
