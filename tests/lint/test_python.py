"""ruff and mypy over all Python of the repository, by the rules in python/pyproject.toml.

Kernels are their authors' code: ruff reads the examples, mypy reads no kernel.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.boundaries.source_tree import files_of
from tests.evaluation import ROOT
from tests.lint.linter import lint

FILES = [file for file in files_of(ROOT) if file.suffix == ".py"]
AREAS = sorted({file.name.partition("/")[0] for file in FILES})

# Builder scripts have equal names, and find each other's modules by PYTHONPATH: mypy reads each
# folder with a default.nix by itself, with the modules of the others on its path.
IN_PKGS = [
    file.path for file in FILES if file.is_below("backends", "pkgs", "stand-ins", "tests/nix")
]
PACKAGES = sorted(
    {
        next(folder for folder in path.parents if (folder / "default.nix").exists())
        for path in IN_PKGS
    }
)
IMPORTED = sorted(
    {
        path.parent.parent if (path.parent / "__init__.py").exists() else path.parent
        for path in IN_PKGS
    }
)


def test_nothing_is_left_out() -> None:
    assert set(AREAS) >= {"examples", "pkgs", "python", "tests"}
    assert all((folder / "default.nix").exists() and folder.name != "pkgs" for folder in PACKAGES)


def judge_types(*arguments: str, beside: Sequence[Path] = ()) -> None:
    lint(
        "mypy",
        "--config-file=python/pyproject.toml",
        "--no-error-summary",
        # Several of these may run at once.
        "--no-sqlite-cache",
        *arguments,
        environment={"MYPYPATH": os.pathsep.join(map(str, beside))},
    )


def test_ruff_has_nothing_to_say() -> None:
    lint("ruff", "check", "--no-cache", "--quiet", *AREAS)


def test_ruff_would_format_it_so() -> None:
    lint("ruff", "format", "--diff", "--no-cache", "--quiet", *AREAS)


def test_mypy_agrees_with_the_command_line() -> None:
    judge_types("python/src", "tools/lock", "tools/stable_abi_report")


@pytest.mark.parametrize("folder", [path.relative_to(ROOT).as_posix() for path in PACKAGES])
def test_mypy_agrees_with_builders(folder: str) -> None:
    judge_types(folder, beside=IMPORTED)


def test_mypy_agrees_with_the_tests() -> None:
    judge_types(
        "--explicit-package-bases",
        "--exclude=^tests/(nix|porting/(project|recorded))/",
        "tests",
        "tools/bench",
        "tools/published_kernels",
        beside=[ROOT, ROOT / "tools", *IMPORTED],
    )
