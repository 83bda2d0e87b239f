"""The oldest Python that the command line promises to run on, with what `install.sh` gives it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_builder.commands.group import COMMANDS
from tests.evaluation import ROOT
from tests.machines.debian import Debian, debian_or_skip
from tests.skipping import skip

OLDEST = "3.9"
LAUNCHER = ROOT / "python" / "bin" / "kernel-builder"
# The last Debian with that Python.
SUITE = "bullseye"
PINS = ROOT / "python" / "requirements.txt"
INSTALL = (
    # The pip of that time cannot read what today's packages say of the Pythons that they run on.
    "python3 -m venv {0} && {0}/bin/python3 -m pip install --quiet --upgrade pip && "
    "{0}/bin/python3 -m pip install --quiet --only-binary :all: "
    f"--require-hashes -r {PINS}"
)


def find_python() -> str | None:
    """Return an interpreter of that version, from the PATH or from pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for name in (shutil.which(f"python{OLDEST}"), *sorted(pyenv.glob(f"{OLDEST}.*/bin/python3"))):
        asks = "import sys, venv; print(*sys.version_info[:2], sep='.')"
        if name is not None:
            argv = [str(name), "-c", asks]
            done = subprocess.run(argv, capture_output=True, text=True, check=False)
            if done.stdout == f"{OLDEST}\n":
                return str(name)
    return None


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment in which the launcher takes a Python of that version."""
    python = find_python()
    if python is None:
        skip(f"there is no Python {OLDEST} beside Nix; in a Debian it is tried", installable=False)
    home = tmp_path_factory.mktemp("oldest")
    environment = home / "kernel-builder" / "venv"
    command = INSTALL.format(environment).replace("python3", python, 1)
    subprocess.run(["sh", "-c", command], check=True)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "XDG_DATA_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}


def run(environment: dict[str, str], *words: str, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [LAUNCHER, *words], env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_loaded(installed: dict[str, str], name: str) -> None:
    assert run(installed, name, "--help").startswith(f"Usage: kernel-builder {name} ")


def test_what_needs_nix(installed: dict[str, str], tmp_path: Path) -> None:
    said = run(installed, "list-variants", "examples/relu")
    new = subprocess.run(
        [sys.executable, "-m", "kernel_builder", "list-variants", "examples/relu"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said == new.stdout
    run(installed, "init", "--name", "me/hello", "--backends", "cpu", cwd=tmp_path)
    folder = tmp_path / "hello"
    shutil.copy(ROOT / "tests" / "cli" / "editions" / "three.toml", folder / "build.toml")
    run(installed, "update-build", cwd=folder)
    assert "edition = 5" in (folder / "build.toml").read_text()


@pytest.fixture(scope="module")
def machine() -> Iterator[Debian]:
    """A Debian whose Python is that old, with the command's packages; it sees the checkout."""
    with debian_or_skip(SUITE, "python3-venv", "ca-certificates") as machine:
        machine.folders.append(str(ROOT))
        machine.run("sh", "-euc", INSTALL.format("~root/.local/share/kernel-builder/venv"))
        yield machine


def test_in_a_debian_of_that_time(machine: Debian) -> None:
    assert machine.run("python3", "--version").startswith(f"Python {OLDEST}.")
    asks = " && ".join(f"{LAUNCHER} {name} --help >/dev/null" for name in COMMANDS)
    machine.run("sh", "-euc", f"export PYTHONDONTWRITEBYTECODE=1; {asks}")
    # The check of registrations is run with the same Python.
    folders = ("pkgs/checks/check-registration", "pkgs/checks/run-check", "python/src")
    checks = ":".join(f"{ROOT}/{folder}" for folder in folders)
    python = "~root/.local/share/kernel-builder/venv/bin/python3"
    tree = f"{ROOT}/examples/relu/torch-ext/relu"
    command = f"PYTHONPATH={checks} {python} -B -m registration_check {tree}"
    said = machine.run("sh", "-euc", command)
    assert "every operator in the build's own namespace" in said
