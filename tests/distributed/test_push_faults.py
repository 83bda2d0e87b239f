"""Stores and caches that are full, refuse, break off or lie, and a `push` that is killed."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.cli.faulty_server import KILLED, AtRequests, FaultyServer, serve
from tests.cli.small_disk import small_disk
from tests.cli.trials import State, Trials
from tests.distributed.cache import make_key
from tests.distributed.machine import Machine
from tests.distributed.made_up import MadeUp

INFO = "StoreDir: /nix/store\n"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[FaultyServer]:
    with serve(tmp_path / "host") as running:
        yield running


def clear(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    (folder / "nix-cache-info").write_text(INFO)


def look_at(folder: Path) -> State:
    """Return what a cache has."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


@pytest.mark.parametrize("kind", [KILLED, "status 500", "cut in the middle", "a page of HTML"])
def test_over_http(
    kind: str,
    machine: Callable[..., Machine],
    kernel: MadeUp,
    host: FaultyServer,
    trials: Trials,
    tmp_path: Path,
) -> None:
    first = machine("first")
    folder = kernel.make(objects=2)
    first.build(folder)
    secret, _ = make_key(tmp_path, "team-1")
    cli = Cli(tmp_path, first.environment)
    # Nix remembers what a cache had.
    cli.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")

    def restart() -> Sequence[str]:
        clear(host.root)
        url = f"{host.url}?compression=none&secret-key={secret}"
        return "push", url, str(folder)

    def look() -> State:
        return look_at(host.root)

    points = count(1, 30) if kind in (KILLED, "cut in the middle") else (3,)
    trials.try_each("push", AtRequests(kind, cli, [host]), restart, look, points=points)


def test_a_full_cache(
    machine: Callable[..., Machine], kernel: MadeUp, trials: Trials, tmp_path: Path
) -> None:
    first = machine("first")
    folder = kernel.make(objects=2)
    first.build(folder)
    cache = tmp_path / "disk"
    cache.mkdir()
    cli = Cli(tmp_path, {**first.environment, "XDG_CACHE_HOME": str(tmp_path / "cache")})
    with small_disk(cli, cache) as disk:

        def restart() -> Sequence[str]:
            disk.clear()
            shutil.rmtree(tmp_path / "cache", ignore_errors=True)
            return "push", f"file://{cache}?compression=none", str(folder)

        trials.try_each("push", disk, restart, lambda: look_at(disk.inside), points=count(1, 7))


def test_a_full_store(
    machine: Callable[..., Machine], kernel: MadeUp, trials: Trials, tmp_path: Path
) -> None:
    first = machine("first")
    folder = kernel.make(objects=1)
    (first.root / "tmp").mkdir()
    cli = Cli(tmp_path, {**first.environment, "TMPDIR": str(first.root / "tmp")})
    with small_disk(cli, first.root) as disk:

        def restart() -> Sequence[str]:
            disk.clear()
            (disk.inside / "tmp").mkdir()
            (folder / "result").unlink(missing_ok=True)
            return "build", str(folder)

        def look() -> State:
            result = str((folder / "result").readlink())
            return {result: (disk.inside / result[1:]).read_text()}

        trials.try_each("build: /nix, TMPDIR", disk, restart, look, points=count(1, 40))
