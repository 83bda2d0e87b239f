"""Attacks that held: names in build.toml, data in the page of a report, unsigned caches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kernel_builder.report import render_page
from tests.cli.command_line import Cli
from tests.cli.made_up import make_up
from tests.tiny_kernel import BUILD, TinyKernel

VARIANT = "torch213-cxx11-cpu-x86_64-linux"


@pytest.mark.attack(
    "check-config", "the name `../x`, `-rf`, with a newline, of one letter", "refused"
)
@pytest.mark.parametrize("name", ["../x", "-rf", "a\nb", "x", "a/b", "${x}"])
def test_names(tmp_path: Path, name: str) -> None:
    kernel = TinyKernel(tmp_path / "k")
    kernel.write("build.toml", BUILD.replace('"tiny"', json.dumps(name)))
    done = Cli(tmp_path)("check-config", str(kernel.folder))
    assert done.status == 1
    assert f"at     {kernel.folder}/build.toml:2: general.name\n" in done.stderr


@pytest.mark.attack("check-config", "`..` in repo-id and kernel-depends", "refused")
@pytest.mark.parametrize(
    ("key", "at"),
    [
        ('hub.repo-id = "../../x"', "4: general.hub.repo-id"),
        ('kernel-depends = [{ repo-id = "../x", version = 1 }]', "4: general.kernel-depends[0]"),
    ],
)
def test_paths_in_names(tmp_path: Path, key: str, at: str) -> None:
    kernel = TinyKernel(tmp_path / "k")
    kernel.write("build.toml", BUILD.replace("version = 1\n", f"version = 1\n{key}\n"))
    done = Cli(tmp_path)("check-config", str(kernel.folder))
    assert done.status == 1
    assert f"at     {kernel.folder}/build.toml:{at}\n" in done.stderr


@pytest.mark.attack("build --report", "`</script>` in the data of a report's page", "escaped")
def test_data_of_a_page() -> None:
    data = make_up(2)
    data["name"] = "</script><script>alert(1)</script><!--"
    page = render_page(data)
    assert "alert(1)" in page
    assert "<script>alert(1)" not in page
    assert "<!--" not in page
