"""A team's machines: stores in folders, a real sshd, a binary cache behind HTTP."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import dead_url, server  # noqa: F401  (fixtures)
from tests.cli.served import Server
from tests.distributed.cache import Cache
from tests.distributed.machine import Machine, Sshd, running_sshd
from tests.distributed.made_up import MadeUp
from tests.evaluation import ROOT
from tests.skipping import skip

PROGRAMS = ("ssh", "ssh-keygen", "sshd")


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


@pytest.fixture(scope="session")
def programs(room: Path) -> dict[str, str]:
    """OpenSSH: this machine's, or else apt's, unpacked into a folder and not installed."""
    if os.geteuid() != 0:
        skip("an sshd with a namespace of its own is started by root only", installable=False)
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        skip("this machine lets nobody make mount namespaces", installable=False)
    places = {name: shutil.which(name) or shutil.which(name, path="/usr/sbin") for name in PROGRAMS}
    found = {name: place for name, place in places.items() if place}
    if len(found) == len(PROGRAMS):
        return {**found, "libraries": ""}
    borrowed = room / "openssh"
    script = str(ROOT / "tests/machines/borrow.sh")
    argv = [script, str(borrowed), "openssh-server", "openssh-client"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        skip(f"apt has no openssh-server: {done.stderr.strip()[-200:]}", installable=True)
    libraries = ":".join(str(each) for each in borrowed.glob("**/lib/*-linux-gnu"))
    for name in PROGRAMS:
        if name not in found:
            (place,) = borrowed.glob(f"usr/*bin/{name}")
            wrapper = borrowed / name
            wrapper.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH={libraries} exec {place} "$@"\n')
            wrapper.chmod(0o755)
            # sshd has to be started by its own path: it starts itself for each session.
            found[name] = str(place if name == "sshd" else wrapper)
    return {**found, "libraries": libraries}


@pytest.fixture(scope="session")
def sshd(room: Path, programs: dict[str, str]) -> Iterator[Sshd]:
    folder = room / "ssh"
    folder.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with running_sshd(folder, programs, port) as running:
        yield running


@pytest.fixture
def machine(room: Path) -> Iterator[Callable[..., Machine]]:
    """Return a maker of machines with empty stores, which are gone after the test."""
    with _folder(room) as folder:
        yield lambda name: Machine(f"{name}-{uuid.uuid4().hex[:6]}", folder)


@pytest.fixture
def coordinator(machine: Callable[..., Machine], sshd: Sshd) -> Machine:
    """The machine that has builders."""
    made = machine("main")
    made.environment.update(sshd.variables())
    return made


@pytest.fixture
def three(machine: Callable[..., Machine], sshd: Sshd) -> list[Machine]:
    """Three machines behind ssh-ng."""
    made = [machine(name) for name in "abc"]
    for each in made:
        sshd.lead_to(each)
    return made


@pytest.fixture
def kernel(tmp_path: Path) -> MadeUp:
    return MadeUp(tmp_path / "kernel", uuid.uuid4().hex[:12])


@pytest.fixture
def cache(server: Server) -> Cache:  # noqa: F811  (the fixture above)
    """A binary cache in a folder, served over HTTP, with a key."""
    return Cache(server.root, server.url)
