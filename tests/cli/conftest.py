"""What the tests of the command line share: real processes, a real Nix, servers on this machine.

Every test that touches the store uses content of its own (a random salt) and takes it away again,
so that tests neither see each other nor leave anything behind.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from fake_kernel import FakeKernel, forget

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "src"
sys.path.insert(0, str(PACKAGE))

FEATURES = ["--extra-experimental-features", "nix-command flakes"]


@dataclass(frozen=True)
class Ran:
    """A finished command."""

    status: int
    stdout: str
    stderr: str


@dataclass
class Cli:
    """Runs the command line as a process of its own."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, *words: str, **variables: str) -> Ran:
        environment = {
            **os.environ,
            "PYTHONPATH": str(PACKAGE),
            **self.environment,
            **variables,
        }
        done = subprocess.run(
            [sys.executable, "-m", "kernel_builder", *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    folder = tmp_path / "here"
    folder.mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    # Whatever is left in TMPDIR was forgotten by the command; tests look.
    return Cli(folder, {"TMPDIR": str(temporary)})


@pytest.fixture
def leftovers(tmp_path: Path) -> Any:
    return lambda: sorted(path.name for path in (tmp_path / "temporary").iterdir())


@pytest.fixture
def salt() -> str:
    return uuid.uuid4().hex[:12]


@dataclass
class Store:
    """Makes derivations and takes them away again."""

    folder: Path
    derivations: list[str] = field(default_factory=list)

    def instantiate(self, expression: str) -> str:
        done = subprocess.run(
            ["nix-instantiate", "--quiet", "--expr", expression],
            capture_output=True,
            text=True,
            check=True,
        )
        self.derivations += done.stdout.split()
        return done.stdout.strip()

    def source(self, name: str, content: bytes, **coordinates: str) -> str:
        """Return the expression of a fixed-output derivation, as fetchers make them."""
        attributes = {
            "name": name,
            "builder": "builtin:fetchurl",
            "system": "builtin",
            "outputHashMode": "flat",
            "outputHashAlgo": "sha256",
            "outputHash": hashlib.sha256(content).hexdigest(),
            **coordinates,
        }
        lines = " ".join(f"{key} = {json.dumps(value)};" for key, value in attributes.items())
        return f"(derivation {{ {lines} }})"

    def outputs(self, derivation: str) -> list[str]:
        done = subprocess.run(
            ["nix-store", "--query", "--outputs", derivation],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    def has(self, derivation: str) -> bool:
        """Say whether a derivation's outputs are valid (a file alone would not do)."""
        done = subprocess.run(
            ["nix-store", "--check-validity", *self.outputs(derivation)],
            capture_output=True,
            check=False,
        )
        return done.returncode == 0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    yield made
    for derivation in made.derivations:
        if Path(derivation).exists():
            paths = [*made.outputs(derivation), derivation]
            subprocess.run(["nix-store", "--delete", *paths], capture_output=True, check=False)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@dataclass
class Server:
    """A folder that is served on this machine."""

    root: Path
    url: str

    def put(self, path: str, content: bytes) -> str:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return f"{self.url}/{path}"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    root = tmp_path / "served"
    root.mkdir()
    handler = partial(_Quiet, directory=str(root))
    running = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield Server(root, f"http://127.0.0.1:{running.server_port}")
    running.shutdown()
    running.server_close()


@pytest.fixture
def dead_url() -> str:
    """Return an address on this machine behind which nothing listens."""
    probe = ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
    port = probe.server_port
    probe.server_close()
    return f"http://127.0.0.1:{port}"


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
    link = tmp_path / "here" / "result"
    if link.is_symlink():
        link.unlink()
    forget(made.folder)
