"""The command line as Nix builds it, in shells and in a profile."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.author.authoring import clone_repository
from tests.evaluation import ROOT, build, call, evaluate, fetch, path_of, run_nix

OLD = ROOT / "tests" / "cli" / "editions" / "three.toml"
EXPECTED = OLD.with_name("three.expected.toml")
SOURCE = ROOT / "python" / "src" / "kernel_builder"


@pytest.fixture(scope="module")
def program() -> Path:
    return make("kernelBuilder") / "bin" / "kernel-builder"


def test_update_build(program: Path, tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / "build.toml")
    # Without what Python is told of this checkout.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    call(program, "update-build", env=environment, cwd=tmp_path)
    assert (tmp_path / "build.toml").read_text() == EXPECTED.read_text()


def imported() -> set[str]:
    """Return the packages that modules of the command line import, also inside functions."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        # The import check and benchmarks run in the Python of a kernel.
        if {"templates", "import_check", "benchmark_runner.py"} & set(file.parts):
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
    done = call(python, "-I", "-c", look, *sorted(wanted))
    assert done.stdout.split() == []


PACKAGES = f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}"


def make(package: str) -> Path:
    return build(str(evaluate(f"({PACKAGES}.{package}).drvPath")))


@pytest.mark.parametrize("is_linked", [False, True])
def test_an_environment_writes_no_bytecode(tmp_path: Path, is_linked: bool) -> None:
    # A package that is imported before Python's own customisation is.
    built = make('pythonWith { name = "two"; packages = [ "click" "setuptools" ]; }')
    link, cache = tmp_path / "result", tmp_path / "cache"
    link.symlink_to(built)
    python = f"{link if is_linked else built}/bin/python3"
    # Users who may not write to the store would see none in either case.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**kept, "PYTHONPYCACHEPREFIX": str(cache)}
    subprocess.run([python, "-c", "import click"], env=environment, check=True)
    assert not [*cache.rglob("**/site-packages/**/*.pyc")]


def test_nix_runs_and_installs_it(tmp_path: Path) -> None:
    address = f"git+file://{clone_repository(tmp_path / 'kernel-builder')}"
    fetch(f"{address}#kernel-builder")
    run_nix("nix", "profile", "install", "--profile", str(tmp_path / "profile"), address)
    version = run_nix("nix", "run", address, "--", "--version")
    assert run_nix(str(tmp_path / "profile/bin/kernel-builder"), "--version") == version
