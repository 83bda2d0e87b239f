"""Completions: bash asks for them, and each shell has a script."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import PACKAGE, Cli

# Completes $line, whose last word is not finished, and prints what that may become.
COMPLETE = """
source "$script"
function=$(complete -p kernel-builder | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
COMP_WORDS=($line)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
"$function" kernel-builder
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("kernel-builder build-and", {"build-and-copy", "build-and-upload"}),
        ("kernel-builder build --max", {"--max-jobs"}),
        ("kernel-builder completions f", {"fish"}),
    ],
)
def test_completions(cli: Cli, tmp_path: Path, line: str, found: set[str]) -> None:
    program, script = tmp_path / "kernel-builder", tmp_path / "completions"
    words = f"PYTHONPATH={PACKAGE} exec {sys.executable} -m kernel_builder"
    program.write_text(f'#!/bin/sh\n{words} "$@"\n')
    program.chmod(0o755)
    script.write_text(cli("completions", "bash").stdout)
    path = f"{tmp_path}:{os.environ['PATH']}"
    environment = {"HOME": str(tmp_path), "PATH": path, "line": line, "script": str(script)}
    argv = ["bash", "-c", COMPLETE]
    said = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    assert {*said.stdout.split()} == found, said.stderr


def test_shells(cli: Cli) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "kernel-builder" in cli("completions", shell).stdout
    assert cli("completions", "csh").status == 2
