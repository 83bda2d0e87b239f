"""A unit that names a macro which lean headers lack is not compiled with them, in whatever way."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.one_step import run_compile, run_steps

# Says each time that it is called with which headers.
COMPILER = """#!/bin/sh
case "$*" in
  *-isystem*) echo lean >>"$calls" ;;
  *) echo full >>"$calls" ;;
esac
"""
# The text of the unit, a flag, and whether lean headers serve.
NAMED = {
    "not at all": ("OTHER", "-DX=1", True),
    "in a part of another name": ("NO_SUCH_MACROS", "-DX=1", True),
    "as it is": ("#if NO_SUCH_MACRO", "-DX=1", False),
    "on two lines": ("#if NO_SUCH_\\\nMACRO", "-DX=1", False),
    "on three lines": ("#if NO_\\ \nSUCH_\\\r\nMACRO", "-DX=1", False),
    "in a flag": ("#if X", "-DX=NO_SUCH_MACRO", False),
}


@pytest.mark.parametrize(("text", "flag", "serves"), NAMED.values(), ids=NAMED)
def test_macros_of_a_unit(text: str, flag: str, serves: bool, tmp_path: Path) -> None:
    macros = tmp_path / "macros"
    macros.mkdir()
    (macros / "operators").write_text("NO_SUCH_MACRO\n")
    flags = f"{flag}\n-ffile-prefix-map=@build/kernel@=."
    done = run_compile(
        tmp_path,
        COMPILER,
        f"{text}\n",
        flags=flags,
        unitInJson='"a.cpp"',
        leanFlags="-isystem\nlean",
        leanMacros=str(macros),
        report=str(tmp_path / "report"),
        calls=str(tmp_path / "calls"),
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "calls").read_text().split() == ["lean" if serves else "full"]

    code = "print(steps.with_all_macros(['operators']))"
    files = tmp_path / "files"
    files.write_text(f"{tmp_path / 'unit'} {tmp_path / 'unit'}\n")
    done = run_steps(code, filesPath=str(files), flags=flags, leanMacros=str(macros))
    assert done.stdout.strip() == ("['operators']" if serves else "[]"), done.stderr
