"""Fixtures of the command line: real processes, a real Nix, servers on this machine.

Every test that touches the store uses content of its own (a random salt) and takes it away again,
so that tests neither see each other nor leave anything behind.
"""

import subprocess
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel, forget
from tests.cli.served import Quiet, Server, serve_with
from tests.cli.store import Store
from tests.cli.trials import Trials


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    folder = tmp_path / "here"
    folder.mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    # Whatever is left in TMPDIR was forgotten by the command; tests look.
    return Cli(folder, {"TMPDIR": str(temporary)})


@pytest.fixture
def links(tmp_path: Path) -> Path:
    folder = tmp_path / "links"
    folder.mkdir()
    return folder


@pytest.fixture
def offline(cli: Cli, links: Path) -> Cli:
    """Return a command line whose pip knows one folder and nothing else."""
    cli.environment |= {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(links),
        "PIP_EXTRA_INDEX_URL": "",
    }
    return cli


@pytest.fixture
def leftovers(tmp_path: Path) -> Any:
    return lambda: sorted(path.name for path in (tmp_path / "temporary").iterdir())


@pytest.fixture
def trials(record_property: Callable[[str, object], None]) -> Trials:
    return Trials(record_property)


@pytest.fixture
def salt() -> str:
    return uuid.uuid4().hex[:12]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    yield made
    for derivation in made.derivations:
        if Path(derivation).exists():
            paths = [*made.outputs(derivation), derivation]
            subprocess.run(["nix-store", "--delete", *paths], capture_output=True, check=False)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    root = tmp_path / "served"
    root.mkdir()
    with serve_with(partial(Quiet, directory=str(root))) as url:
        yield Server(root, url)


@pytest.fixture
def dead_url() -> str:
    """Return an address on this machine behind which nothing listens."""
    with serve_with(Quiet) as url:
        return url


@pytest.fixture
def programs(tmp_path: Path) -> Any:
    """Return a maker of a PATH with only the named programs, and scripts in place of others."""

    def make(names: Sequence[str], scripts: Mapping[str, str] | None = None) -> str:
        folder = tmp_path / f"path-{uuid.uuid4().hex[:6]}"
        folder.mkdir()
        for name in names:
            found = subprocess.run(["which", name], capture_output=True, text=True, check=False)
            if found.stdout.strip():
                (folder / name).symlink_to(found.stdout.strip())
        for name, text in (scripts or {}).items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        return str(folder)

    return make


@pytest.fixture
def kernel(tmp_path: Path, salt: str) -> Iterator[FakeKernel]:
    made = FakeKernel(tmp_path / "kernel", salt)
    yield made
    link = tmp_path / "kernel" / "result"
    if link.is_symlink():
        link.unlink()
    forget(made.folder)
