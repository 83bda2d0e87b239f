"""From an empty folder to a tested kernel, by the words of the documentation."""

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.author.authoring import Author
from tests.evaluation import VARIANT
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel

BROKEN = """
import pytest


@pytest.mark.kernels_ci
def test_that_fails():
    assert False
"""


def test_ci_test_runs_what_is_marked_and_writes_its_report(author: Author, hello: Path) -> None:
    said = author.nix("run", ".#ci-test", "--", "-q", "--junitxml=report.xml", cwd=hello)
    report = ElementTree.parse(hello / "report.xml").getroot()[0]
    assert int(report.attrib["tests"]) >= 1
    assert report.attrib["failures"] == report.attrib["errors"] == "0"
    assert "2 deselected" in said.stdout
    assert f"ci-test: {VARIANT}" in said.stderr
    (hello / "report.xml").unlink()


def test_ci_test_keeps_the_exit_status(author: Author, hello: Path) -> None:
    test = hello / "tests" / "test_broken.py"
    test.write_text(BROKEN)
    author.run("git", "add", "tests", cwd=hello)
    try:
        failed = author.nix("run", f".#ciTests.{VARIANT}", "--", "-q", cwd=hello, fails=True)
        misused = author.nix("run", ".#ci-test", "--", "--no-such", cwd=hello, fails=True)
    finally:
        author.run("git", "rm", "-qf", "tests/test_broken.py", cwd=hello)
    assert failed.status == 1
    # A path of the kernel's own folder, which an editor opens.
    assert "\ntests/test_broken.py:7: AssertionError" in failed.stdout
    assert "FAILED tests/test_broken.py::test_that_fails" in failed.stdout
    assert "/nix/store" not in failed.stdout
    assert misused.status == 4


def test_ci_test_has_nothing_of_the_callers(author: Author, hello: Path, tmp_path: Path) -> None:
    # A module of the kernel's name in the folder and on the path: neither may be taken.
    for place in (tmp_path, tmp_path / "path"):
        place.mkdir(exist_ok=True)
        (place / "hello.py").write_text("raise SystemExit('the wrong module')\n")
    script = f'PYTHONPATH={tmp_path}/path PYTEST_ADDOPTS=--no-such nix run "{hello}#ci-test" -- -q'
    features = "--extra-experimental-features 'nix-command flakes'"
    author.run("bash", "-c", script.replace("nix run", f"nix {features} run"), cwd=tmp_path)


def test_nix_accepts_the_flake(author: Author, hello: Path) -> None:
    author.nix("flake", "check", "--no-build", cwd=hello)


def test_build_and_copy(author: Author, hello: Path) -> None:
    build = hello / "build"
    words = ("build-and-copy", "--variant", VARIANT)
    author.kernel_builder(*words, cwd=hello)
    module = build / VARIANT / "__init__.py"
    os.utime(module, (1, 1))
    assert os.access(module, os.W_OK)
    assert (build / "CARD.md").is_file()

    again = author.kernel_builder(*words, cwd=hello)
    assert f"unchanged: CARD.md, benchmarks, {VARIANT}" in again.stdout
    assert module.stat().st_mtime == 1, "a file that is the same is left alone"

    module.write_text("changed")
    again = author.kernel_builder(*words, "--prune", cwd=hello)
    assert f"copied: {VARIANT}; unchanged: CARD.md, benchmarks" in again.stdout
    assert module.read_text() != "changed"


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


def test_what_flakes_say(author: Author, dep: TinyKernel, top: TinyKernel) -> None:
    top.write("torch-ext/top/__init__.py", f"{MODULE}\n\nassert answer() == 43\n")
    flake = FLAKE.replace("inherit self;", 'inherit self; localKernels."me/dep" = dep;')
    outputs = f'inputs.dep.url = "path:{dep.folder}";\n  outputs = {{ self, dep,'
    top.write("flake.nix", flake.replace("outputs = { self,", outputs))
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
