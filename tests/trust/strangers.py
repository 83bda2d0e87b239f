"""Kernels of others: a small one in a folder, and commands that treat it as one of others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command_line import Cli, Ran
from tests.tiny_kernel import NOARCH, TinyKernel

CANARY = "canary-of-the-user"
UNTRUSTED = ("--untrusted", "--allow-vulnerable-nix")
HASH = "sha256-" + "A" * 43 + "="
COMMIT = "a" * 40
MODULE = "def answer() -> int:\n    return 42\n"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A folder of the user's, whose content is nowhere else."""
    folder = tmp_path / "secret"
    folder.mkdir()
    (folder / "id_rsa").write_text(f"{CANARY} {tmp_path}\n")
    return folder


@pytest.fixture
def kernel(tmp_path: Path) -> TinyKernel:
    """A kernel of Python alone, which no other test has."""
    files = {"build.toml": NOARCH, "torch-ext/tiny/__init__.py": f"{MODULE}# {tmp_path}\n"}
    return TinyKernel(tmp_path / "k", files)


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, kernel: TinyKernel) -> Run:
    """Run a command on the kernel as one of others; nothing may be written into its folder."""

    def run_here(name: str, *words: str, before: tuple[str, ...] = ()) -> Ran:
        listed = sorted(kernel.folder.rglob("*"))
        cli = Cli(tmp_path, {"HF_TOKEN": CANARY}, before=before)
        done = cli(name, str(kernel.folder), *UNTRUSTED, *words)
        assert CANARY not in done.stdout + done.stderr
        assert sorted(kernel.folder.rglob("*")) == listed
        return done

    return run_here
