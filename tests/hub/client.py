"""Ways to upload to the server: as a process of its own, and within this one."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli.command_line import PACKAGE, Expecting, Ran, python_argv
from tests.evaluation import call
from tests.hub.exchange import Hub

# In the form of a real one, so that what finds tokens finds it.
TOKEN = "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH"
REPO = "org/tiny"


@dataclass
class Client(Expecting):
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
        argv = [*python_argv(), *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(argv, env=self.environment, stdout=pipe, stderr=pipe, text=True)

    def finish(self, process: subprocess.Popen[str]) -> Ran:
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
        done = call(*argv, env=self.environment, timeout=300)
        return done.stdout.strip()


def point_library(patch: pytest.MonkeyPatch, url: str, home: Path) -> None:
    """Let the Hub's library use this server, and a home without this machine's token.

    It reads its variables when it is first imported, which another test may have done.
    """
    from huggingface_hub import constants

    patch.setattr(constants, "ENDPOINT", url)
    template = url + "/{repo_id}/resolve/{revision}/{filename}"
    patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    # The server has no storage of this kind.
    patch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    for name in ("HF_HUB_CACHE", "HF_XET_CACHE", "HF_TOKEN_PATH", "HF_STORED_TOKENS_PATH"):
        patch.setattr(constants, name, str(home / name))
    patch.setenv("HF_TOKEN", TOKEN)
    patch.setenv("NO_PROXY", "127.0.0.1")


def invoke(*words: str) -> Ran:
    """Run a command within this process; the message of an error is at the end of stderr."""
    from click.testing import CliRunner

    from kernel_builder.commands.group import cli
    from kernel_builder.messages.errors import KernelBuilderError

    # Options change the settings until the end of a run.
    done = copy_context().run(CliRunner().invoke, cli, words)
    failed = done.exception
    if failed and not isinstance(failed, (KernelBuilderError, SystemExit)):
        raise failed
    message = str(failed) if isinstance(failed, KernelBuilderError) else ""
    return Ran(done.exit_code, done.stdout, done.stderr + message)


@dataclass
class Uploader(Expecting):
    """Uploads within this process, where waiting takes no time."""

    hub: Hub
    said: Callable[[], str]

    def __call__(self, bundle: Path, *words: str) -> Ran:
        done = invoke("upload", str(bundle), "--repo-id", REPO, *words)
        output = done.stdout + done.stderr + self.said()
        assert TOKEN not in output
        assert "secret-of-the-address" not in output
        return done


def files_of(hub: Hub, ref: str = "refs/heads/v1") -> dict[str, str]:
    return hub.repositories.get(REPO).summarize()[ref]


def variants_of(hub: Hub, ref: str = "refs/heads/v1") -> set[str]:
    return {path.split("/")[1] for path in files_of(hub, ref) if path.startswith("build/")}
