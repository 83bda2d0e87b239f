from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compatibility.environment import TESTS, TORCH, make_environment
from tests.evaluation import ROOT, evaluate, path_of
from tests.machines.debian import Debian, debian_or_skip
from tests.skipping import skip


@pytest.fixture(scope="session")
def bullseye() -> Iterator[Debian]:
    """Debian 11 with a Python 3.11 that was compiled there, and its own 3.9."""
    libraries = ("libbz2-dev", "libffi-dev", "liblzma-dev", "libssl-dev", "zlib1g-dev")
    compiler = ("gcc", "libc6-dev", "make", "xz-utils")
    with debian_or_skip("bullseye", "ca-certificates", "python3", *compiler, *libraries) as machine:
        machine.give(Path(__file__).with_name("compile_python.sh"), "/compile_python.sh")
        machine.run("sh", "/compile_python.sh")
        make_environment(machine, "python3.11", f"torch=={TORCH}+cpu", *TESTS)
        yield machine


@pytest.fixture(scope="session")
def bookworm() -> Iterator[Debian]:
    """Debian 12 with its own Python 3.11."""
    with debian_or_skip("bookworm", "ca-certificates", "python3", "python3-venv") as machine:
        make_environment(machine, "python3", f"torch=={TORCH}+cpu", *TESTS)
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
        skip(f"the store has no {missing[0]}: build a variant for cu130 first", installable=True)
    with debian_or_skip("trixie", "ca-certificates", "python3", "python3-venv") as machine:
        make_environment(machine, "python3", f"torch=={TORCH}", whole=False)
        needed = ("filelock", "fsspec", "jinja2", "networkx", "setuptools", "sympy")
        make_environment(machine, "python3", *needed, "typing-extensions", *TESTS)
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
