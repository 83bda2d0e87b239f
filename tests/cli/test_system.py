"""`--system`: the variants of another system than this machine's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kernel_builder.commands.build import _request_builds, _split_by_system
from kernel_builder.variants.table import Choice
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


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason=f"x86_64-linux is what builds for {TARGET}")
def test_variants_of_several_systems_are_in_one_table(cli: Cli, kernel: str) -> None:
    names = [f"torch213-cxx11-cpu-{SYSTEM}", f"torch29-cxx11-cpu-{TARGET}"]
    words = [word for name in names for word in ("--variant", name)]
    done = cli("build", kernel, "--dry-run", *words)
    assert done.status == 0, done.stderr
    rows = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("torch")]
    assert rows == names
    data = json.loads(cli("build", kernel, "--dry-run", "--json", *words).stdout)
    assert [each["variant"] for each in data["variants"]] == names[:1]
    reported = cli("build", kernel, "--report", "report.json", *words)
    assert (reported.status, "of one system" in reported.stderr) == (2, True)
    (other,) = data["systems"]
    assert (other["system"], other["variants"][0]["variant"]) == (TARGET, names[1])


def test_only_what_is_not_asked_for_gets_a_link_of_its_own() -> None:
    name = f"torch29-cxx11-cpu-{TARGET}"
    for choice, link in (
        (Choice(names=[name]), f"result-{TARGET}"),
        (Choice(names=[name], system=TARGET), "result"),
        (Choice(), "result"),
    ):
        choices = _split_by_system(choice)
        requests = _request_builds([Path()], ["k"], choices, choice.system)
        assert [each.link for each in requests] == [link]


def test_a_variant_of_the_other_system_is_unknown_there(cli: Cli, kernel: str) -> None:
    done = cli("build", kernel, "--system", SYSTEM, "--variant", "torch29-cxx11-cpu-elsewhere")
    assert done.status == 2
    assert f"has no such variants on {SYSTEM}" in done.stderr


def test_a_system_that_is_none_is_answered_with_those_that_are(cli: Cli) -> None:
    done = cli("build", "--system", "arm64")
    assert done.status == 2
    assert "'aarch64-linux', 'x86_64-linux'" in done.stderr
