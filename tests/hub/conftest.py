"""What the tests of uploading share: a server, a build to upload, and ways to upload it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from built import make_bundle
from exchange import Hub
from server import serve

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "src"
sys.path.insert(0, str(PACKAGE))

# In the form of a real one, so that what finds tokens finds it.
TOKEN = "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ"
REPO = "org/tiny"

# Lines for the table that stands at the end: fault, tried, ended in the same state.
fault_table: list[tuple[str, int, int]] = []


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """A server that knows one token, which may write for `org`."""
    with serve(tmp_path / "server") as running:
        running.tokens[TOKEN] = {"org"}
        yield running


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A build with two variants, a card, benchmarks and lists of sources."""
    return make_bundle(tmp_path / "bundle", "torch213-cxx11-cpu-x86_64-linux", "torch-cuda")


@dataclass(frozen=True)
class Ran:
    """A finished command."""

    status: int
    stdout: str
    stderr: str


@dataclass
class Client:
    """Runs clients of the server as processes of their own, with nothing of this machine's."""

    hub: Hub
    home: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        return {
            **{name: text for name, text in os.environ.items() if not name.startswith("HF_")},
            "HF_HOME": str(self.home / "hf"),
            "HF_ENDPOINT": self.hub.url,
            "HF_HUB_DISABLE_XET": "1",
            "HF_TOKEN": TOKEN,
            "NO_PROXY": "127.0.0.1",
            "PYTHONPATH": str(PACKAGE),
            "PYTHONDONTWRITEBYTECODE": "1",
            **self.variables,
        }

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start the command line."""
        argv = [sys.executable, "-m", "kernel_builder", *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(argv, env=self.environment, stdout=pipe, stderr=pipe, text=True)

    def finish(self, process: subprocess.Popen[str]) -> Ran:
        """Wait for a command."""
        stdout, stderr = process.communicate(timeout=120)
        assert TOKEN not in stdout + stderr
        return Ran(process.returncode, stdout, stderr)

    def __call__(self, *words: str) -> Ran:
        return self.finish(self.start(*words))

    def upload(self, bundle: Path, *words: str) -> Ran:
        """Upload a bundle to the usual repository."""
        return self("upload", str(bundle), "--repo-id", REPO, *words)

    def python(self, program: str, *arguments: str) -> str:
        """Run a program with the public clients; return what it prints."""
        argv = [sys.executable, "-c", program, *arguments]
        done = subprocess.run(
            argv, env=self.environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()


@pytest.fixture
def client(hub: Hub, tmp_path: Path) -> Client:
    """A client of the server."""
    home = tmp_path / "home"
    home.mkdir()
    return Client(hub, home)


@dataclass
class Uploader:
    """Uploads within this process, where waiting takes no time."""

    hub: Hub
    said: Callable[[], str]

    def __call__(self, bundle: Path, *words: str) -> Ran:
        from click.testing import CliRunner

        from kernel_builder.commands.upload import command
        from kernel_builder.errors import KernelBuilderError

        done = CliRunner().invoke(command, [str(bundle), "--repo-id", REPO, *words])
        failed = done.exception
        if failed and not isinstance(failed, (KernelBuilderError, SystemExit)):
            raise failed
        message = str(failed) if isinstance(failed, KernelBuilderError) else ""
        output = done.output + message + self.said()
        assert TOKEN not in output
        assert "secret-of-the-address" not in output
        return Ran(done.exit_code, done.stdout, done.stderr + message)


@pytest.fixture(scope="session", autouse=True)
def isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the Hub's library, which reads these when it is loaded, away from this machine's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hf")))
        patch.setenv("HF_HUB_DISABLE_XET", "1")
        patch.setenv("NO_PROXY", "127.0.0.1")
        yield


@pytest.fixture
def upload(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Uploader:
    """Upload to the server, within this process."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    wait = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: wait(min(seconds, 0.01)))
    return Uploader(hub, lambda: "".join(capfd.readouterr()))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table of faults."""
    if not fault_table:
        return
    terminalreporter.write_line("")
    terminalreporter.write_line(f"{'fault':<16}{'tried':>7}{'ended in the same state':>26}")
    for kind, tried, same in fault_table:
        terminalreporter.write_line(f"{kind:<16}{tried:>7}{same:>26}")
