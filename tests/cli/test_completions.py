"""Completions, asked for by the shells themselves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import PACKAGE, Cli
from tests.skipping import skip

# Each completes $line, whose last word is not finished, and prints what that may become.
SHELLS = {
    "bash": """
source "$script"
function=$(complete -p kernel-builder | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
COMP_WORDS=($line)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
"$function" kernel-builder
printf '%s\\n' "${COMPREPLY[@]}"
""",
    # Outside of its line editor, what zsh would be handed is printed instead.
    "zsh": """
compdef() { function=$1 }
_describe() { print -l -- ${(P)@[-2]} }
compadd() { print -l -- ${(P)@[-1]} }
words=(${=line})
CURRENT=$#words
source "$script"
$function
""",
    "fish": """
source "$script"
complete --do-complete "$line"
""",
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a folder for the PATH with the command line in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "kernel-builder"
    words = f"PYTHONPATH={PACKAGE} exec {sys.executable} -m kernel_builder"
    script.write_text(f'#!/bin/sh\n{words} "$@"\n')
    script.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("kernel-builder pre", {"prefetch"}),
        ("kernel-builder build-and", {"build-and-copy", "build-and-upload"}),
        ("kernel-builder build --max", {"--max-jobs"}),
        ("kernel-builder completions f", {"fish"}),
    ],
)
@pytest.mark.parametrize("shell", SHELLS)
def test_completions(
    cli: Cli, tmp_path: Path, program: Path, shell: str, line: str, found: set[str]
) -> None:
    script = tmp_path / f"completions.{shell}"
    done = cli("completions", shell)
    assert done.status == 0, done.stderr
    script.write_text(done.stdout)
    environment = {
        "HOME": str(tmp_path),
        "PATH": f"{program}:{os.environ['PATH']}",
        "line": line,
        "script": str(script),
    }
    asked: Any = [shell, "-c", SHELLS[shell]]
    try:
        said = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        skip(f"there is no {shell}", installable=True)
    # A help text may stand behind each, after a tab or a colon.
    candidates = {each.split("\t")[0].split(":")[0] for each in said.stdout.split("\n")} - {""}
    assert candidates == found, said.stderr


def test_unknown_shell(cli: Cli) -> None:
    assert cli("completions", "csh").status == 2
