"""Kernels of others: a small flake in a folder, and commands that treat it as one of others."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli, Ran
from tests.cli.fake_kernel import FakeKernel

CANARY = "canary-of-the-user"
VARIANT = "torch213-cxx11-cpu-x86_64-linux"
UNTRUSTED = ("--untrusted", "--allow-vulnerable-nix")
HASH = "sha256-" + "A" * 43 + "="
COMMIT = "a" * 40


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A folder of the user's, whose content is nowhere else."""
    folder = tmp_path / "secret"
    folder.mkdir()
    (folder / "id_rsa").write_text(f"{CANARY} {tmp_path}\n")
    return folder


@pytest.fixture
def kernel(tmp_path: Path) -> FakeKernel:
    made = FakeKernel(tmp_path / "k", salt=str(tmp_path))
    made.add(VARIANT)
    made.write()
    return made


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, kernel: FakeKernel) -> Run:
    """Run a command on the kernel as one of others; nothing may be written into its folder."""

    def run_here(name: str, *words: str, before: tuple[str, ...] = ()) -> Ran:
        listed = sorted(kernel.folder.rglob("*"))
        cli = Cli(tmp_path, {"HF_TOKEN": CANARY}, before=before)
        done = cli(name, str(kernel.folder), *UNTRUSTED, *words)
        assert CANARY not in done.stdout + done.stderr
        assert sorted(kernel.folder.rglob("*")) == listed
        return done

    return run_here


def store_path(folder: Path) -> Path:
    """Return where the store would have a folder that a flake reads."""
    argv = ["nix", "--extra-experimental-features", "nix-command", "store", "add-path"]
    words = ["--dry-run", "--name", "source", str(folder)]
    done = subprocess.run([*argv, *words], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def lock(kernel: FakeKernel, name: str = "s", **locked: Any) -> None:
    """Let a lock have one input, which is no flake."""
    nodes = {"root": {"inputs": {name: name}}, name: {"locked": locked, "flake": False}}
    text = json.dumps({"version": 7, "root": "root", "nodes": nodes})
    (kernel.folder / "flake.lock").write_text(text)


def read_at_evaluation(kernel: FakeKernel, expression: str) -> None:
    """Let the names of the variants depend on something."""
    flake = kernel.folder / "flake.nix"
    old = 'variants = map (v: v.name) variants ++ [ "torch213-cxx11-cpu-elsewhere" ];'
    text = flake.read_text()
    assert old in text
    flake.write_text(text.replace(old, f"variants = [ ({expression}) ];"))
