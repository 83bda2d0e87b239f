"""Python files in the folder where the command line is started: none of them runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.commands.evaluate import check_registration
from kernel_builder.machine.process import module_argv
from kernel_builder.mirrors.wheels import find_pip
from tests.cli.command_line import PACKAGE
from tests.evaluation import ROOT, SYSTEM, run_nix

LAUNCHER = PACKAGE.parent / "bin" / "kernel-builder"
TOKEN = "hf_canaryCanaryCanary"
# Modules of Python and of the command line that each of the programs imports.
MODULES = (
    "click",
    "ensurepip",
    "importlib",
    "json",
    "os",
    "packaging",
    "pip",
    "runpy",
    "sitecustomize",
    "tomli",
    "torch",
    "usercustomize",
    "venv",
)
PACKAGES = ("kernel_builder", "registration_check", "lock")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder full of modules that write what they can read, and start everything in it."""
    folder = tmp_path / "kernel"
    folder.mkdir()
    proof = tmp_path / "proof"
    text = (
        f"import os\nopen({str(proof)!r}, 'a').write(__name__ + os.environ.get('HF_TOKEN', ''))\n"
    )
    for name in MODULES:
        (folder / f"{name}.py").write_text(text)
    for name in PACKAGES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(text)
        (folder / name / "__main__.py").write_text(text)
    (folder / "build.toml").write_text('[general]\nname = "k"\n')
    (folder / "startup.py").write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    # A relative entry is the current folder, too.
    monkeypatch.setenv("PYTHONPATH", f":.:{folder}")
    monkeypatch.setenv("PYTHONSTARTUP", str(folder / "startup.py"))
    return proof


@pytest.fixture
def launcher(tmp_path: Path) -> Any:
    """Return a function that starts the launcher with the Python of the tests."""
    python = tmp_path / "data" / "kernel-builder" / "venv" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)

    def start(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
        return subprocess.run(
            [str(LAUNCHER), *words], env=environment, capture_output=True, text=True, check=False
        )

    return start


@pytest.mark.attack("any", "click.py, json.py, kernel_builder/ in the current folder", "not run")
@pytest.mark.attack("any", "PYTHONPATH and PYTHONSTARTUP that name the kernel's folder", "not run")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--version"], 0),
        (["check-config"], 1),
        (["prefetch", "/nowhere.drv"], 1),
        (["verify", "nobody/nothing@1"], 1),
        (["upload", "--help"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_the_launcher(hostile: Path, launcher: Any, words: Sequence[str], status: int) -> None:
    done = launcher(*words)
    assert not hostile.exists(), hostile.read_text()
    assert (done.returncode != 0) == (status != 0), done.stderr
    if words == ["--version"]:
        assert done.stdout.startswith("kernel-builder, version ")


@pytest.mark.attack("prefetch", "pip.py in the current folder", "the machine's pip runs instead")
def test_pip(hostile: Path) -> None:
    assert find_pip() is not None
    assert not hostile.exists()


@pytest.mark.attack("build", "registration_check/ in the current folder", "the real check runs")
def test_a_check(hostile: Path, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "a.py").write_text("x = 1\n")
    done = check_registration(tmp_path / "package", "package")
    assert (done.status, done.stderr) == (0, "")
    assert not hostile.exists()


def test_a_module_of_a_folder_with_a_colon(tmp_path: Path) -> None:
    (tmp_path / "a:b").mkdir()
    (tmp_path / "a:b" / "hello.py").write_text("print('hello')\n")
    argv = module_argv(sys.executable, "hello", [tmp_path, tmp_path / "a:b"])
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.stdout == "hello\n", done.stderr


def test_the_program_that_nix_builds(hostile: Path) -> None:
    drv = run_nix("nix-instantiate", str(ROOT), "-A", f"packages.{SYSTEM}.kernelBuilder").strip()
    program = run_nix("nix-store", "--realise", drv).strip()
    done = subprocess.run(
        [f"{program}/bin/kernel-builder", "--version"], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("kernel-builder, version "), done.stderr
    assert not hostile.exists()
