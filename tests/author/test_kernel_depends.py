"""A kernel that depends on another one: built, tested and entered with a local build of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.author.authoring import Author
from tests.evaluation import VARIANT
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel

DEPENDS = """\
kernel-depends = [{ repo-id = "me/dep", version = 1 }]
hub.repo-id = "me/top"
"""

MODULE = """\
from kernels import get_kernel_dep

dep = get_kernel_dep("me/dep")


def answer() -> int:
    return dep.answer() + 1
"""

TESTS = """\
import pytest
from kernels import get_kernel


@pytest.mark.kernels_ci
def test_local_builds():
    assert get_kernel("me/top", version=1).answer() == 43
    assert get_kernel("me/dep", version=1).answer() == 42
"""


@pytest.fixture(scope="module")
def dep(tmp_path_factory: pytest.TempPathFactory) -> TinyKernel:
    """The kernel that is needed."""
    return TinyKernel(tmp_path_factory.mktemp("dep"), {"flake.nix": FLAKE})


@pytest.fixture
def top(tmp_path: Path) -> TinyKernel:
    """The one that needs it, and does not say where it is."""
    build = BUILD.replace('name = "tiny"', 'name = "top"')
    top = TinyKernel(tmp_path / "top", {"flake.nix": FLAKE})
    top.write("build.toml", build.replace("[torch]", f"{DEPENDS}\n[torch]"))
    top.write("torch-ext/top/__init__.py", MODULE)
    top.write("tests/test_top.py", TESTS)
    return top


def state(top: TinyKernel, inputs: str, arguments: str) -> None:
    """Write its flake with an input and an argument more."""
    flake = FLAKE.replace("outputs = { self,", f"{inputs}\n  outputs = {{ self, dep,")
    top.write("flake.nix", flake.replace("inherit self;", f"inherit self; {arguments}"))


def test_what_flakes_say(author: Author, dep: TinyKernel, top: TinyKernel) -> None:
    top.write("torch-ext/top/__init__.py", f"{MODULE}\n\nassert answer() == 43\n")
    state(top, f'inputs.dep.url = "path:{dep.folder}";', 'localKernels."me/dep" = dep;')
    said = author.nix("run", f"path:{top.folder}#ciTests.{VARIANT}", "--", "-q")
    assert "1 passed" in said.stdout
    line = "python -m pytest -q tests -p no:cacheprovider"
    command = ("testshell", "--variant", VARIANT, "-c", line)
    # A build elsewhere does not come before it.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCAL_KERNELS", "me/top=/nowhere:me/dep=/nowhere")
        assert "1 passed" in author.kernel_builder(*command, cwd=top.folder).stdout


def test_neither(author: Author, top: TinyKernel) -> None:
    """Nothing locks the other kernel, and no flake has it: what is not imported is told."""
    said = author.kernel_builder("build", "--variant", VARIANT, cwd=top.folder)
    why = "it loads kernels that neither kernels.lock nor `localKernels` has (me/dep)"
    assert f"no import check: {why}" in said.stdout
