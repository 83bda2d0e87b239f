from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.compatibility.debian import CannotBeHadError, Debian, debian, obstacle
from tests.compatibility.runs import TESTS, TORCH
from tests.evaluation import ROOT, evaluate, path_of


@contextmanager
def _machine(suite: str, *packages: str) -> Iterator[Debian]:
    reason = obstacle()
    if reason:
        pytest.skip(reason)
    try:
        with debian(suite, ("ca-certificates", *packages)) as machine:
            yield machine
    except CannotBeHadError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def bullseye() -> Iterator[Debian]:
    """Debian 11 with a Python 3.11 that was compiled there, and its own 3.9."""
    libraries = ("libbz2-dev", "libffi-dev", "liblzma-dev", "libssl-dev", "zlib1g-dev")
    compiler = ("gcc", "libc6-dev", "make", "xz-utils")
    with _machine("bullseye", "python3", *compiler, *libraries) as machine:
        machine.give(Path(__file__).with_name("compile_python.sh"), "/compile_python.sh")
        machine.run("sh", "/compile_python.sh")
        machine.make_environment("python3.11", f"torch=={TORCH}+cpu", *TESTS)
        yield machine


@pytest.fixture(scope="session")
def bookworm() -> Iterator[Debian]:
    """Debian 12 with its own Python 3.11."""
    with _machine("bookworm", "python3", "python3-venv") as machine:
        machine.make_environment("python3", f"torch=={TORCH}+cpu", *TESTS)
        yield machine


@pytest.fixture(scope="session")
def trixie() -> Iterator[Debian]:
    """Debian 13 with its own Python 3.13, for which registries have a CUDA build of Torch only.

    NVIDIA's libraries, without which that does not load, are those that a CUDA variant was
    built with; none of them is used.
    """
    packages = f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}"
    depends = f'({packages}.torchWheel "{TORCH}+cu130").depends'
    wheels = f"map (one: one.outPath) (builtins.filter (one: !builtins.isString one) {depends})"
    libraries = [Path(path) for path in evaluate(wheels) if "-nvidia-" in path]
    missing = [path.name for path in libraries if not path.is_dir()]
    if missing:
        pytest.skip(f"the store has no {missing[0]}: build a variant for cu130 first")
    with _machine("trixie", "python3", "python3-venv") as machine:
        machine.make_environment("python3", f"torch=={TORCH}", whole=False)
        needed = ("filelock", "fsspec", "jinja2", "networkx", "setuptools", "sympy")
        machine.make_environment("python3", *needed, "typing-extensions", *TESTS)
        (modules,) = (machine.root / "venv/lib").glob("python3.*/site-packages")
        for library in libraries:
            (files,) = library.glob("lib/python3.*/site-packages")
            link_files(files, modules)
            machine.folders.append(str(library))
        yield machine


def link_files(source: Path, target: Path) -> None:
    """Link each file of a folder into another one, whose folders stay folders."""
    for file in source.rglob("*"):
        if not file.is_dir():
            link = target / file.relative_to(source)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(file)
