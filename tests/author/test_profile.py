"""The command line in a profile of Nix: installed, upgraded, back, as in docs/guide/nix.md."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.author.authoring import clone_repository
from tests.evaluation import fetch, run_nix

WHO = ("-c", "user.name=author", "-c", "user.email=author@example.invalid")
# The file that states the version.
VERSION_FILE = "python/src/kernel_builder/_version.py"


def git(folder: Path, *words: str) -> str:
    argv = ["git", "-C", str(folder), *WHO, *words]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


def release(clone: Path, version: str) -> str:
    """Let the repository have a newer commit, of another version; return it."""
    file = clone / VERSION_FILE
    file.write_text(re.sub(r'"[\d.]+"', f'"{version}"', file.read_text()))
    git(clone, "commit", "--quiet", "--all", "-m", version)
    return git(clone, "rev-parse", "HEAD")


def says(profile: Path) -> str:
    """Return the version of the profile's program."""
    argv = [str(profile / "bin" / "kernel-builder"), "--version"]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    return clone_repository(tmp_path / "kernel-builder")


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return tmp_path / "profile"


def test_installed_upgraded_and_back(clone: Path, profile: Path) -> None:
    first, address = release(clone, "1.0.1"), f"git+file://{clone}"
    of_profile = ("--profile", str(profile))
    fetch(f"{address}#kernel-builder")
    run_nix("nix", "profile", "install", *of_profile, address)
    assert says(profile) == "1.0.1"

    release(clone, "1.0.2")
    newest = "--all" if "--all" in run_nix("nix", "profile", "upgrade", "--help") else ".*"
    run_nix("nix", "profile", "upgrade", *of_profile, newest)
    assert says(profile) == "1.0.2"
    history = re.sub(r"\x1b\[[\d;]*m", "", run_nix("nix", "profile", "history", *of_profile))
    assert re.findall(r"^Version (\d+) ", history, re.MULTILINE) == ["1", "2"]

    run_nix("nix", "profile", "rollback", *of_profile)
    assert says(profile) == "1.0.1"
    # The same without a profile, of any commit.
    pinned = f"{address}?rev={first}"
    assert run_nix("nix", "run", pinned, "--", "--version").split()[-1] == "1.0.1"
