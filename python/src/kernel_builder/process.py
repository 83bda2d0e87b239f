"""The only module that starts a process; `nix`, `git`, `registries.pip` and `.apt` use it.

Arguments in, text out. What an exit status means is for the caller to say.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

ATTEMPTS_TO_END: Final = 40


@dataclass(frozen=True)
class Finished:
    """A process that has ended."""

    status: int
    stdout: str
    stderr: str


class MissingProgramError(Exception):
    """The program is not on this machine."""


def _environment(extra: Mapping[str, str] | None) -> dict[str, str]:
    # Messages are read here, so they have to be in the language that the code knows.
    return {**os.environ, "LC_ALL": "C", **(extra or {})}


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a program to its end."""
    try:
        done = subprocess.run(
            list(argv),
            cwd=cwd,
            env=_environment(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except FileNotFoundError:
        raise MissingProgramError(argv[0]) from None
    return Finished(done.returncode, done.stdout, done.stderr)


def stream(
    argv: Sequence[str],
    on_line: Callable[[str], bool],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> int:
    """Run a program and hand over each line of both its outputs as it comes.

    `on_line` returns whether to go on; when it says no, the program is ended.
    """
    try:
        process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=_environment(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
        )
    except FileNotFoundError:
        raise MissingProgramError(argv[0]) from None
    assert process.stdout is not None, "internal error: the pipe was asked for"
    with process:
        try:
            for line in process.stdout:
                if not on_line(line.rstrip("\n")):
                    _end(process)
                    break
        except BaseException:
            _end(process)
            raise
    return process.returncode


def _end(process: subprocess.Popen[str]) -> None:
    """Ask a program to end until it does.

    Nix misses a signal while it starts a builder, and it dies of a closed pipe before it has ended
    its builders; so it is asked again, and heard out meanwhile.
    """
    for _ in range(ATTEMPTS_TO_END):
        process.terminate()
        try:
            process.communicate(timeout=0.5)
            return
        except subprocess.TimeoutExpired:
            continue
    process.kill()


def replace(argv: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Become another program, with this one's terminal and place; it gets our signals, too."""
    os.execvpe(argv[0], list(argv), {**os.environ, **environment})
