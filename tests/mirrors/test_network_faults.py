"""Hosts that lie, or break off, at any request of fetching: nothing of it stays."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.cli.debian_mirror import DebianMirror
from tests.cli.faulty_server import BREAKS, LIES, ONCE, AtRequests, FaultyServer, serve
from tests.cli.store import Store
from tests.cli.trials import State, Trials
from tests.cli.wheel_file import make_wheel, wheel_source


@pytest.fixture
def host(tmp_path: Path) -> Iterator[FaultyServer]:
    with serve(tmp_path / "host") as running:
        yield running


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[FaultyServer]:
    with serve(tmp_path / "mirror") as running:
        yield running


def read_outputs(store: Store, derivations: Sequence[str]) -> State:
    """Return what is in the store, of each derivation."""
    return {str(number): str(store.has(drv)) for number, drv in enumerate(derivations)}


@pytest.mark.parametrize("kind", [*LIES, *BREAKS, ONCE])
def test_a_file_and_a_tree(
    kind: str,
    cli: Cli,
    host: FaultyServer,
    mirror: FaultyServer,
    store: Store,
    trials: Trials,
    tmp_path: Path,
) -> None:
    wanted: list[str] = []

    def restart() -> Sequence[str]:
        salt = uuid.uuid4().hex
        content = salt.encode() * 20
        file = store.source(salt, content, sourceKind="vendor", url=host.put("file", content))
        tree = tmp_path / salt
        tree.mkdir()
        (tree / "a.h").write_text(salt)
        with tarfile.open(tmp_path / "t.tar.gz", "w:gz") as packed:
            packed.add(tree, "tree-1")
        url = mirror.put("t.tar.gz", (tmp_path / "t.tar.gz").read_bytes())
        archive = store.source(
            "source", b"", sourceKind="archive", outputHashMode="recursive",
            outputHash=_hash_tree(tree), file="t.tar.gz", url=url,
        )  # fmt: skip
        wanted[:] = [store.instantiate(file), store.instantiate(archive)]
        return "prefetch", *wanted

    def look() -> State:
        return read_outputs(store, wanted)

    fault = AtRequests(kind, cli, [host, mirror])
    trials.try_each("prefetch: a file, a tree", fault, restart, look)


def _hash_tree(tree: Path) -> str:
    """Return the hash of a folder with one file, as Nix's archives are written."""

    def text(*words: bytes) -> bytes:
        return b"".join(
            len(word).to_bytes(8, "little") + word + b"\0" * (-len(word) % 8) for word in words
        )

    (file,) = tree.iterdir()
    regular = text(b"(", b"type", b"regular", b"contents", file.read_bytes(), b")")
    entry = text(b"entry", b"(", b"name", file.name.encode(), b"node") + regular + text(b")")
    packed = text(b"nix-archive-1", b"(", b"type", b"directory") + entry + text(b")")
    return hashlib.sha256(packed).hexdigest()


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt here")
@pytest.mark.parametrize(
    ("kind", "points"), [("other bytes", (1, 3, 5)), ("cut in the middle", (3,))]
)
def test_a_wheel_and_a_package(
    kind: str,
    points: Sequence[int],
    cli: Cli,
    host: FaultyServer,
    mirror: FaultyServer,
    store: Store,
    trials: Trials,
    tmp_path: Path,
) -> None:
    wanted: list[str] = []
    file, _ = make_wheel("kbtest-one", "1.0")
    cli.environment |= {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_INDEX_URL": f"{host.url}/simple",
        "PIP_FIND_LINKS": "",
        # pip caches nothing from other hosts without https://.
        "PIP_TRUSTED_HOST": "127.0.0.1",
        "PIP_EXTRA_INDEX_URL": "",
        # The second run finds the cached answers of a host that lied.
        "PIP_CACHE_DIR": str(tmp_path / "pip"),
    }
    host.put("simple/kbtest-one/index.html", f'<a href="/{file}">{file}</a>'.encode())

    def restart() -> Sequence[str]:
        shutil.rmtree(tmp_path / "pip", ignore_errors=True)
        salt = uuid.uuid4().hex[:12]
        _, content = make_wheel("kbtest-one", "1.0", salt=salt)
        host.put(file, content)
        debian = DebianMirror(mirror.root, mirror.url, tmp_path / "apt")
        cli.environment |= debian.configure()
        debian.put("kbtest-one", "1.0", salt.encode() * 10)
        debian.publish()
        package = store.source(
            "kbtest-one_1.0_amd64.deb", salt.encode() * 10, sourceKind="deb",
            package="kbtest-one", version="1.0", architecture="amd64", suite="bookworm",
        )  # fmt: skip
        wanted[:] = [wheel_source(store, file, content), store.instantiate(package)]
        return "prefetch", *wanted

    def look() -> State:
        return read_outputs(store, wanted)

    fault = AtRequests(kind, cli, [host, mirror])
    trials.try_each("prefetch: a wheel, a package", fault, restart, look, points=points)
