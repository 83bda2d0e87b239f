"""`--system`: the variants of another system than this machine's."""

from __future__ import annotations

import pytest

from tests.cli.command_line import Cli
from tests.evaluation import ROOT, SYSTEM
from tests.tiny_kernel import TinyKernel

TARGET = "aarch64-linux"


@pytest.fixture(params=["flake", "folder"])
def kernel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A kernel of this repository, and one that is no flake."""
    if request.param == "flake":
        return str(ROOT / "examples" / "silu-and-mul")
    return str(TinyKernel(tmp_path_factory.mktemp("tiny") / "tiny").folder)


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason=f"x86_64-linux is what builds for {TARGET}")
def test_variants_of_that_system_are_built(cli: Cli, kernel: str) -> None:
    words = ("--dry-run", "--variant", f"torch29-cxx11-cpu-{TARGET}")
    done = cli("build", kernel, "--system", TARGET, *words)
    assert done.status == 0, done.stderr
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("torch")]
    assert row.startswith(f"torch29-cxx11-cpu-{TARGET}  ")
    assert "left out" not in row


def test_a_variant_of_another_system_needs_the_option(cli: Cli, kernel: str) -> None:
    done = cli("build", kernel, "--variant", "torch213-cxx11-cpu-aarch64-darwin")
    assert done.status == 2
    assert "build it with --system aarch64-darwin" in done.stderr


def test_a_variant_of_the_other_system_is_unknown_there(cli: Cli, kernel: str) -> None:
    done = cli("build", kernel, "--system", SYSTEM, "--variant", "torch29-cxx11-cpu-elsewhere")
    assert done.status == 2
    assert f"has no such variants on {SYSTEM}" in done.stderr


def test_a_system_that_is_none_is_answered_with_those_that_are(cli: Cli) -> None:
    done = cli("build", "--system", "arm64")
    assert done.status == 2
    assert "'aarch64-linux', 'x86_64-linux'" in done.stderr
