"""Warnings and the closing table of a build."""

from __future__ import annotations

import json

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import SYSTEM, FakeKernel
from tests.cli.test_build import SIZE


def test_the_table_says_what_was_not_imported(cli: Cli, kernel: FakeKernel) -> None:
    for name in ("a-cpu", "b-cpu"):
        note = f'[ {{ at = "{name}"; found = "x"; want = "y"; fix = "none needed"; }} ]'
        kernel.add(name, notImported='"its wheel is for CPython 3.13"', warnings=note)
    done = cli("build", str(kernel.write()))
    assert done.status == 0, done.stderr
    line = f"a-cpu    built  {SIZE}  no import check: its wheel is for CPython 3.13"
    assert line in done.stdout.splitlines()
    # It asks for nothing, so it is no warning.
    assert "warning" not in done.stderr


def test_warnings(cli: Cli, kernel: FakeKernel) -> None:
    warning = '[ { at = "kernel.k"; found = "10.3a"; want = "a base of 10.3"; fix = "drop it"; } ]'
    kernel.warnings = ["edition 4 is old"]
    kernel.add("one", warnings=warning)
    kernel.add("two", warnings=warning)
    folder = str(kernel.write())
    expected = """\
warning: edition 4 is old
warning: k can be built, but look at this (1 problem)

       at     kernel.k
       found  10.3a
       want   a base of 10.3
       fix    drop it
"""
    assert cli("build", folder).stderr.startswith(expected)
    done = cli("check-config", folder)
    assert (done.status, done.stderr) == (0, expected)
    assert done.stdout == f"k: build.toml is right; 2 of 2 variants can be built on {SYSTEM}\n"


def test_a_kernel_that_no_build_imports(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("a-xpu", notImported='"no library"')
    folder = str(kernel.write())
    said = f"k: build.toml is right; 1 of 1 variants can be built on {SYSTEM}\n"
    expected = f"{said}the build imports none of them: no library\n"
    assert cli("check-config", folder).stdout == expected
    assert json.loads(cli("check-config", folder, "--json").stdout)["not-imported"] == {
        "a-xpu": "no library"
    }
    # One that is imported is enough.
    kernel.add("b-cpu")
    assert "imports none" not in cli("check-config", str(kernel.write())).stdout


def test_a_kernel_for_other_systems(cli: Cli, kernel: FakeKernel) -> None:
    done = cli("check-config", str(kernel.write()))
    assert done.stdout == f"k: build.toml is right; no variant is for {SYSTEM}\n"
