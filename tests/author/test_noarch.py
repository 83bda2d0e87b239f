"""A kernel without compiled code: built, and tested on Triton's interpreter for want of a GPU."""

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.author.authoring import Author
from tests.derivation import base_of, closure_of
from tests.evaluation import ROOT, build_flake, realise, run_nix
from tests.reproducible.again import outputs_of


@pytest.fixture(scope="module")
def softmax(author: Author) -> Path:
    """The example, with the Torch for CUDA that other suites have, too."""
    folder = author.folder / "softmax"
    shutil.copytree(ROOT / "examples" / "softmax", folder)
    flake = folder / "flake.nix"
    own = "path = ./.;"
    few = f'{own}\n      torchVersions = builtins.filter (row: row.torchVersion == "2.13");'
    text = flake.read_text().replace("path:../..", f"git+file://{author.clone}")
    flake.write_text(text.replace(own, few))
    return folder


def are_for_this_only(drv: str) -> bool:
    """Say whether a derivation gives libraries of NVIDIA's that other tests stand in for."""
    if "-nvidia_" in drv:
        # Toolkits are made of some of the same wheels.
        return all(base_of(user).startswith("python-") for user in query("--referrers", drv))
    return "-python-nvidia-" in drv and "-nvidia-cuda-runtime" not in drv


def query(*words: str) -> list[str]:
    return run_nix("nix-store", "--query", *words).split()


@pytest.fixture(scope="module")
def runs_tests(softmax: Path) -> Iterator[str]:
    """The program that runs the kernel's tests; 4 GB that only it needs are gone in the end."""
    flake = f"path:{softmax}#ciTests.torch-cuda"
    drv = run_nix("nix", "eval", "--raw", "--no-write-lock-file", f"{flake}.drvPath")
    large = [one for one in closure_of(drv) if are_for_this_only(one.path)]
    libraries = [one for one in large if "-python-nvidia-" in one.path]
    brought = [path for path in outputs_of(large) if not Path(path).exists()]
    wheels = set(brought).difference(outputs_of(libraries))
    # Never all wheels at once beside what they have in them.
    for some in (libraries[::2], libraries[1::2]):
        realise(*(one.path for one in some))
        delete(wheels)
    yield flake
    delete(brought)


def delete(paths: Iterable[str]) -> None:
    there = [path for path in paths if Path(path).exists()]
    if there:
        run_nix("nix-store", "--delete", *query("--referrers-closure", *there))


def test_data_files_are_published(softmax: Path) -> None:
    for backend in ("cuda", "rocm", "xpu"):
        variant = build_flake(f"path:{softmax}#redistributable.torch-{backend}")
        assert {"__init__.py", "launches.json"} <= {file.name for file in variant.iterdir()}


def test_its_own_tests_pass(author: Author, runs_tests: str) -> None:
    words = ("run", runs_tests, "--no-write-lock-file", "--", "-q")
    assert re.search(r"^[1-9]\d* passed", author.nix(*words).stdout, re.MULTILINE)
