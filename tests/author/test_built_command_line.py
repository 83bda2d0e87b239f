"""The command line as Nix builds it for shells: with its own Python and what it was given there."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluation import ROOT, build, evaluate, path_of

OLD = ROOT / "tests" / "cli" / "editions" / "three.toml"
EXPECTED = OLD.with_name("three.expected.toml")
SOURCE = ROOT / "python" / "src" / "kernel_builder"


@pytest.fixture(scope="module")
def program() -> Path:
    """The command line of the package set."""
    packages = f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}"
    drv = evaluate(f"{packages}.kernelBuilder.drvPath")
    return build(str(drv)) / "bin" / "kernel-builder"


def run(program: Path, *words: str, cwd: Path, status: int = 0) -> str:
    """Run it outside of this checkout and without what Python is told of it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [program, *words], env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_a_folder_without_a_flake_is_evaluated_with_its_own_library(
    program: Path, tmp_path: Path
) -> None:
    kernel = tmp_path / "kernel"
    shutil.copytree(ROOT / "examples" / "relu", kernel, ignore=shutil.ignore_patterns("flake.*"))
    assert "-cpu-" in run(program, "list-variants", str(kernel), cwd=tmp_path)
    assert "can be built" in run(program, "check-config", str(kernel), cwd=tmp_path)


def test_update_build(program: Path, tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / "build.toml")
    run(program, "update-build", cwd=tmp_path)
    assert (tmp_path / "build.toml").read_text() == EXPECTED.read_text()


def test_init_and_a_project(program: Path, tmp_path: Path) -> None:
    run(program, "init", "--name", "me/hello", "--backends", "cpu", cwd=tmp_path)
    assert (tmp_path / "hello" / "build.toml").is_file()


def imported() -> set[str]:
    """Return the packages that modules of the command line import, also inside functions."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        # The import check runs in the Python of a kernel.
        if {"templates", "import_check"} & set(file.parts):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").partition(".")[0])
    return found - set(sys.stdlib_module_names)


def test_it_has_every_package_that_its_modules_import(program: Path) -> None:
    wanted = imported()
    assert wanted >= {"click", "tomlkit"}
    look = (
        "import importlib.util as i, sys; print(*(n for n in sys.argv[1:] if not i.find_spec(n)))"
    )
    python = program.read_text().splitlines()[0].removeprefix("#!").split()[0]
    done = subprocess.run(
        [python, "-I", "-c", look, *sorted(wanted)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
