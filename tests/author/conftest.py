from pathlib import Path

import pytest

from tests.author.authoring import Author, clone_repository, use_registries
from tests.evaluation import VARIANT


@pytest.fixture(scope="session")
def author(tmp_path_factory: pytest.TempPathFactory) -> Author:
    """An author with a clone, in an empty folder."""
    place = tmp_path_factory.mktemp("author")
    clone = clone_repository(place / "clone")
    (place / "work").mkdir()
    return Author(clone, place / "work")


@pytest.fixture(scope="session")
def hello(author: Author) -> Path:
    """A new kernel for CPU and CUDA, with its CPU variant built."""
    folder = author.init("hello", "--backends", "cpu", "cuda")
    use_registries(folder)
    author.kernel_builder("build", "--variant", VARIANT, cwd=folder)
    return folder
