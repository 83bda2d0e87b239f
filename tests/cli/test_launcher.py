"""The launcher of the source tree finds a Python that is new enough, and says what is missing."""

import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import ROOT, call

LAUNCHER = ROOT / "python" / "bin" / "kernel-builder"
TOOLS = ["sh"]


def run_launcher(
    *argv: str | Path, path: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return call(*(argv or (LAUNCHER,)), "--version", status=None, env={"PATH": path, **variables})


def test_launcher_through_a_link(tmp_path: Path, programs: Any) -> None:
    path = programs(TOOLS, {"python3": f'#!/bin/sh\nexec {sys.executable} "$@"\n'})
    link = tmp_path / "kernel-builder"
    link.symlink_to(LAUNCHER)
    done = run_launcher(link, path=path, HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kernel-builder, version ")


def test_launcher_without_a_home(tmp_path: Path, programs: Any) -> None:
    """Under systemd, it is the environment of the user whose name the shell knows."""
    log = tmp_path / "log"
    # A shell that asks for no home of a user by name has none either.
    who = f'#!/bin/sh\necho "$*" >>{log}; echo "$KB_USER"\n'
    python = f'#!/bin/sh\necho machine; exec {sys.executable} "$@"\n'
    path = programs(TOOLS, {"python3": python, "id": who})
    me = pwd.getpwuid(os.getuid())
    expected = Path(me.pw_dir, ".local/share/kernel-builder/venv/bin/python3")
    done = run_launcher("sh", "-x", LAUNCHER, path=path, KB_USER=me.pw_name)
    assert done.returncode == 0, done.stderr
    assert f"python={expected}\n" in done.stderr
    assert log.read_text() == "-un\n"


def test_launcher_without_click(tmp_path: Path, programs: Any) -> None:
    # -S leaves out site-packages, and with it click.
    path = programs(TOOLS, {"python3": f'#!/bin/sh\nexec {sys.executable} -S "$@"\n'})
    done = run_launcher(path=path, HOME=str(tmp_path))
    assert done.returncode == 1
    assert "error: the Python package click is missing (1 problem)\n" in done.stderr
    assert (
        "       fix    in a checkout of kernel-builder: ./install.sh, or pip install ./python"
        in done.stderr
    )


# Runs the program that it is given as Python 3.6 would.
OLD = f"""#!/bin/sh
while [ "$1" != -c ]; do shift; done
program=$2
shift 2
exec {sys.executable} -I -c "import sys; sys.version_info = (3, 6, 9); sys.version = '3.6.9 (x)'
$program" "$@"
"""


@pytest.mark.parametrize(("python", "found"), [(None, "no python3"), (OLD, "Python 3.6.9")])
def test_launcher_with_an_old_python(
    tmp_path: Path, programs: Any, python: str | None, found: str
) -> None:
    path = programs(TOOLS, {"python3": python} if python else None)
    done = run_launcher(path=path, HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: kernel-builder needs a newer Python (1 problem)\n\n")
    assert f"       found  {found}\n" in done.stderr
