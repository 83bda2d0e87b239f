"""Versions of Nix with known vulnerabilities, and the warning that a build prints."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kernel_builder.nix.confinement import find_advisory
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel, forget

HASHES, LINKS = "CVE-2024-27297", "CVE-2026-39860"
VERSIONS: list[tuple[tuple[int, ...], str | None]] = [
    ((2, 3, 17), HASHES),
    ((2, 3, 18), LINKS),
    ((2, 8, 0), HASHES),
    ((2, 8), HASHES),
    ((2, 18, 1), HASHES),
    ((2, 18, 2), LINKS),
    ((2, 19, 3), HASHES),
    ((2, 20, 5), LINKS),
    ((2, 21, 0), LINKS),
    ((2, 28, 5), LINKS),
    ((2, 28, 6), None),
    ((2, 31, 3), LINKS),
    ((2, 34, 5), None),
    ((2, 35), None),
    ((3, 0), None),
]


@pytest.mark.parametrize(("version", "name"), VERSIONS)
def test_versions(version: tuple[int, ...], name: str | None) -> None:
    found = find_advisory(version)
    assert (found or "").partition(":")[0] == (name or "")


@pytest.mark.attack("A19b", "a build with a Nix that has CVE-2024-27297", "told below the table")
def test_below_the_table(tmp_path: Path) -> None:
    kernel = FakeKernel(tmp_path / "k", salt=str(tmp_path))
    kernel.add("torch213-cxx11-cpu-x86_64-linux")
    kernel.write()
    (tmp_path / "bin").mkdir()
    nix = tmp_path / "bin" / "nix"
    real = "PATH=${PATH#*:} exec nix"
    told = '[ "$1" != --version ] || { echo "nix (Nix) 2.9.1"; exit; }'
    nix.write_text(f'#!/bin/sh\n{told}\n{real} "$@"\n')
    nix.chmod(0o755)
    cli = Cli(tmp_path, shows_advisories=True)
    path = f"{nix.parent}:{os.environ['PATH']}"
    done = cli("build", str(kernel.folder), PATH=path)
    assert done.status == 0, done.stderr
    warning = done.stderr.splitlines()[-1]
    assert warning.startswith("warning: Nix 2.9.1 has CVE-2024-27297: ")
    assert "install a newer Nix" in warning
    forget(kernel.folder)
