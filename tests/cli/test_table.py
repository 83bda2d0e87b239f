"""Warnings and the closing table of a build: a reason of several variants stands once."""

from __future__ import annotations

import io
import json

import pytest

from kernel_builder.variants.table import Row, State, format_table
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import SYSTEM, FakeKernel
from tests.cli.test_build import SIZE


def test_the_table_says_what_was_not_imported(cli: Cli, kernel: FakeKernel) -> None:
    for name in ("a-cpu", "b-cpu", "c-cpu", "d-cpu"):
        note = f'[ {{ at = "{name}"; found = "x"; want = "y"; fix = "none needed"; }} ]'
        kernel.add(name, notImported='"its wheel is for CPython 3.13"', warnings=note)
    done = cli("build", str(kernel.write()))
    assert done.status == 0, done.stderr
    assert f"a-cpu    built  {SIZE}" in done.stdout.splitlines()
    why = "no import check of a-cpu, b-cpu, c-cpu, and 1 more: its wheel is for CPython 3.13"
    assert done.stdout.splitlines().count(why) == 1
    # It asks for nothing, so it is no warning.
    assert "warning" not in done.stderr


def test_a_long_reason_of_several_variants_stands_once(cli: Cli, kernel: FakeKernel) -> None:
    why = "no wheel of Torch 2.14.0 is pinned for this system, and it is a long story"
    kernel.add("a-cpu")
    kernel.add("b-cpu", unavailable=json.dumps(why))
    kernel.add("c-cpu", unavailable=json.dumps(why))
    kernel.add("d-cpu", unavailable=json.dumps(why[:30]))
    lines = cli("build", str(kernel.write())).stdout.splitlines()
    assert [line.split("  ")[-1] for line in lines[2:5]] == ["[1]", "[1]", why[:30]]
    assert lines[5] == f"[1] {why}"


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


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", ["40", "80", "120"])
def test_no_terminal_cuts_names_off(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    name, address = "torch213-cxx11-cu130-x86_64-linux", "https://host.example/a/long/path/to/f.whl"
    table = format_table([Row(name, "cuda", State.LEFT_OUT, f"[b]no {address}")], Terminal())
    assert f"\n{name}  " in table
    lines = [line[len(name) + 12 :].strip() for line in table.splitlines()[1:]]
    assert address in "".join(lines)
    assert "[b]no" in table
