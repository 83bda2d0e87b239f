"""Python of the store: bytecode is there where that pays, and none is added."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.evaluation import ROOT, build, evaluate, path_of

PACKAGES = f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}"


def make(package: str) -> Path:
    """Build one of the package set."""
    return build(str(evaluate(f"({PACKAGES}.{package}).drvPath")))


def run(*words: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program that may write its bytecode as far as the environment is concerned."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    everything = {**kept, **environment}
    return subprocess.run(words, env=everything, capture_output=True, text=True, check=True)


@pytest.fixture(scope="module")
def environment() -> Path:
    """An environment with a package that is imported before Python's own customisation is."""
    return make('pythonWith { name = "two"; packages = [ "click" "setuptools" ]; }')


@pytest.mark.parametrize("is_linked", [False, True])
def test_an_environment_writes_no_bytecode(
    environment: Path, tmp_path: Path, is_linked: bool
) -> None:
    link, cache = tmp_path / "result", tmp_path / "cache"
    link.symlink_to(environment)
    python = f"{link if is_linked else environment}/bin/python3"
    # Who may not write to the store would see none in either case.
    run(python, "-c", "import click", environment={"PYTHONPYCACHEPREFIX": str(cache)})
    assert not [*cache.rglob("**/site-packages/**/*.pyc")]


@pytest.fixture(scope="module")
def program() -> Path:
    """The command line of the package set."""
    return make("kernelBuilder") / "bin" / "kernel-builder"


@pytest.mark.parametrize("words", [("--help",), ("build", "--help"), ("init", "--help")])
def test_the_command_line_starts_from_bytecode(program: Path, words: tuple[str, ...]) -> None:
    # `-I` in its first line makes Python ignore PYTHONVERBOSE.
    python = program.read_text().splitlines()[0].removeprefix("#!").split()
    said = run(*python, "-v", str(program), *words, environment={}).stderr
    loaded = [
        line.strip("'") for line in said.splitlines() if line.startswith("# code object from")
    ]
    assert any("/commands/" in line and line.endswith(".pyc") for line in loaded)
    assert [line for line in loaded if line.endswith(".py")] == []
