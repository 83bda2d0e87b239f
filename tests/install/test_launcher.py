"""The command of a checkout, on a machine whose Python is missing or too old."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluation import ROOT
from tests.install.fake_machine import write_program

# Runs the program that it is given as Python 3.8 would.
OLD = f"""[ "$1" = -I ] && shift
while [ "$1" != -c ]; do shift; done
program=$2
shift 2
exec {sys.executable} -I -c "import sys; sys.version_info = (3, 8, 10); sys.version = '3.8.10 (x)'
$program" "$@"
"""


@pytest.mark.parametrize(("python", "found"), [(None, "no python3"), (OLD, "Python 3.8.10")])
def test_it_needs_a_newer_python(python: str | None, found: str, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "readlink").symlink_to("/usr/bin/readlink")
    if python:
        write_program(folder / "python3", python)
    done = subprocess.run(
        ["/bin/sh", ROOT / "python/bin/kernel-builder", "--version"],
        env={"PATH": str(folder), "HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: kernel-builder needs a newer Python (1 problem)\n\n")
    assert f"       found  {found}\n" in done.stderr
