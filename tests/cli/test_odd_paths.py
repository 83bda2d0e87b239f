"""Kernels in folders whose names mean something to a shell, an address, Nix or JSON."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_builder.nix.quoting import nix_string
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel, forget, init_git
from tests.evaluation import ROOT, evaluate

NAMES = (
    "two words",
    "café",
    "a#b",
    "a?dir=b",
    "a${b}",
    "a$${b}",
    'a"b',
    "a'b",
    "a\\b",
    "a%20b",
    "a:b",
    "a@b",
    "-a",
)
EXAMPLE = ROOT / "examples" / "relu"
KERNEL = ("flake.nix", "variants.nix", "build.toml")


each_name = pytest.mark.parametrize("name", NAMES)


@pytest.fixture
def flake(tmp_path: Path, name: str, salt: str) -> Iterator[FakeKernel]:
    kernel = FakeKernel(tmp_path / "parent" / name, salt)
    kernel.folder.mkdir(parents=True)
    kernel.add("one", script='"echo x > $out"')
    kernel.write()
    yield kernel
    (kernel.folder / "result").unlink(missing_ok=True)
    forget(kernel.folder.rename(tmp_path / "plain"))


@each_name
def test_a_flake(cli: Cli, flake: FakeKernel) -> None:
    done = cli("build", "--json", "--", str(flake.folder))
    assert done.status == 0, done.stderr
    assert [row["state"] for row in json.loads(done.stdout)["variants"]] == ["built"]


@each_name
def test_a_flake_below_the_root_of_git(cli: Cli, flake: FakeKernel, name: str) -> None:
    init_git(flake.folder.parent, *(f"{name}/{file}" for file in KERNEL))
    done = cli("list-variants", "--json", "--", str(flake.folder))
    assert done.status == 0, done.stderr
    assert json.loads(done.stdout)["variants"][0] == "one"


@each_name
def test_a_folder_without_a_flake(cli: Cli, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("flake.*", "build", "result"))
    done = cli("list-variants", "--json", "--", str(folder))
    assert done.status == 0, done.stderr
    assert any("-cpu-" in variant for variant in json.loads(done.stdout)["variants"])


def test_what_the_tests_themselves_say_to_nix() -> None:
    texts = [*NAMES, "".join(NAMES), "\t\n\r", '\\"${x}\\${y}$$${z}']
    assert evaluate(f"[ {' '.join(map(nix_string, texts))} ]") == texts
