"""Help, completions, and the launcher of the source tree."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.messages.errors import KernelBuilderError, Problem
from tests.cli.command_line import PACKAGE

LAUNCHER = PACKAGE.parent / "bin" / "kernel-builder"


def test_start_loads_no_network_code() -> None:
    code = (
        "import sys; import kernel_builder.commands.group;"
        "print(*(m for m in ('urllib.request', 'ssl', 'huggingface_hub') if m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "\n"


def run_launcher(tmp_path: Path, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(LAUNCHER), "--version"],
        env={"PATH": path, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=False,
    )


TOOLS = ["sh", "readlink"]


def test_launcher_through_a_link(tmp_path: Path, programs: Any) -> None:
    path = programs(TOOLS, {"python3": f'#!/bin/sh\nexec {sys.executable} "$@"\n'})
    link = tmp_path / "kernel-builder"
    link.symlink_to(LAUNCHER)
    done = subprocess.run(
        [str(link), "--version"], env={"PATH": path, "HOME": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kernel-builder, version ")


def test_launcher_prefers_its_environment(tmp_path: Path, programs: Any) -> None:
    python = tmp_path / "data" / "kernel-builder" / "venv" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    done = run_launcher(tmp_path, programs(TOOLS))
    assert done.returncode == 0, done.stderr


def test_launcher_without_a_home(tmp_path: Path, programs: Any) -> None:
    """As under systemd: the environment of the user whose name the shell knows."""
    log = tmp_path / "log"
    # A shell that asks for no home of a user by name has none either.
    who = f'#!/bin/sh\necho "$*" >>{log}; echo "$KB_USER"\n'
    python = f'#!/bin/sh\necho machine; exec {sys.executable} "$@"\n'
    path = programs(TOOLS, {"python3": python, "id": who})
    me = pwd.getpwuid(os.getuid())
    expected = Path(me.pw_dir, ".local/share/kernel-builder/venv/bin/python3")
    done = subprocess.run(
        ["sh", "-x", str(LAUNCHER), "--version"], env={"PATH": path, "KB_USER": me.pw_name},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"python={expected}\n" in done.stderr
    assert log.read_text() == "-un\n"


def test_launcher_without_click(tmp_path: Path, programs: Any) -> None:
    # -S leaves out site-packages, and with it click.
    path = programs(TOOLS, {"python3": f'#!/bin/sh\nexec {sys.executable} -S "$@"\n'})
    done = run_launcher(tmp_path, path)
    assert done.returncode == 1
    assert "error: the Python package click is missing (1 problem)\n" in done.stderr
    assert "       fix    run ./install.sh in the checkout" in done.stderr


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
    done = run_launcher(tmp_path, path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: kernel-builder needs a newer Python (1 problem)\n\n")
    assert f"       found  {found}\n" in done.stderr


def test_error_form() -> None:
    error = KernelBuilderError(
        "it broke", [Problem("a", "b\nc", "d", "e"), Problem("f", "", "h", "i")]
    )
    assert (
        str(error)
        == """\
it broke (2 problems)

       at     a
       found  b
              c
       want   d
       fix    e

       at     f
       found
       want   h
       fix    i"""
    )
