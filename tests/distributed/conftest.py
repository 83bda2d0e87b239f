"""A team's machines: stores in folders, and a binary cache behind HTTP."""

import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import dead_url, server  # noqa: F401  (fixtures)
from tests.cli.served import Server
from tests.distributed.machine import Cache, Machine
from tests.distributed.made_up import MadeUp


@contextmanager
def _folder(parent: Path | None = None) -> Iterator[Path]:
    """A folder for stores, whose files nobody may write to: it is removed here."""
    folder = Path(tempfile.mkdtemp(prefix="team-", dir=parent))
    yield folder
    subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=False)


@pytest.fixture(scope="session")
def room() -> Iterator[Path]:
    with _folder() as folder:
        yield folder


@pytest.fixture
def machine(room: Path) -> Iterator[Callable[..., Machine]]:
    """Return a maker of machines with empty stores, which are gone after the test."""
    with _folder(room) as folder:
        yield lambda name: Machine(f"{name}-{uuid.uuid4().hex[:6]}", folder)


@pytest.fixture
def three(machine: Callable[..., Machine]) -> list[Machine]:
    """Three machines that build for others."""
    return [machine(name) for name in "abc"]


@pytest.fixture
def kernel(tmp_path: Path) -> MadeUp:
    return MadeUp(tmp_path / "kernel", uuid.uuid4().hex[:12])


@pytest.fixture
def cache(server: Server) -> Cache:  # noqa: F811  (the fixture above)
    """A binary cache in a folder, served over HTTP, with a key."""
    return Cache(server.root, server.url)
