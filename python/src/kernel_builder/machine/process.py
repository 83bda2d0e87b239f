"""The only module that starts a process: Nix, git, pip and apt are started through it.

What an exit status means is for the caller to say. A program gets the variables that
`machine.environment` chooses for it, not those of the user.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from kernel_builder.machine.environment import choose_variables
from kernel_builder.messages import terminal
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.settings import current_settings

SECONDS_TO_END: Final = 10.0
SECONDS_BETWEEN: Final = 0.05
SUPERVISOR: Final = Path(__file__).with_name("supervise.py")
# Runs a module of given folders. -I leaves out the current folder and PYTHONPATH.
_RUN_MODULE: Final = (
    "import runpy, sys; sys.path[:0] = [sys.argv.pop(1) for _ in range(int(sys.argv.pop(1)))]; "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
# The programs that run, each with the pipe of its supervisor.
_RUNNING: Final[dict[subprocess.Popen[str], int | None]] = {}


@dataclass(frozen=True)
class Finished:
    """A process that has ended."""

    status: int
    stdout: str
    stderr: str


class MissingProgramError(KernelBuilderError):
    """The program is not on this machine."""

    def __init__(self, program: str) -> None:
        fix = f"install {program}, then open a new shell"
        if program.startswith("nix"):
            fix = "run ./install.sh of kernel-builder, or see https://nixos.org/download"
        problem = Problem("the PATH", f"no program called {program}", "a folder that has it", fix)
        super().__init__(f"{program} is not installed, or not on the PATH", [problem])


@contextmanager
def _start(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    inherit: tuple[str, ...] = (),
    is_supervised: bool = False,
    is_merged: bool = False,
) -> Iterator[subprocess.Popen[str]]:
    """Start a program. An exception in the block, such as an interruption, ends it."""
    if current_settings().verbosity > 1:
        terminal.say(f"+ {shlex.join(argv)}")
    variables = choose_variables(argv[0], inherit)
    if shutil.which(argv[0], path=variables.get("PATH")) is None:
        raise MissingProgramError(argv[0])
    supervisor = [sys.executable, "-I", "-S", str(SUPERVISOR)] if is_supervised else []
    # The supervisor ends the program at a byte, and when this end of the pipe is closed.
    ends = os.pipe() if is_supervised else (None, None)
    with (
        _closing(ends[1]),
        _closing(ends[0]) as given,
        subprocess.Popen(
            [*supervisor, *argv],
            cwd=cwd,
            # Output is read here, so it has to be in one language.
            env={**variables, "LC_ALL": "C", **(environment or {})},
            stdin=subprocess.DEVNULL if given is None else given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if is_merged else subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
        ) as process,
    ):
        _RUNNING[process] = ends[1]
        try:
            yield process
        except BaseException:
            _ask_to_end(process)
            # Reads on: Nix dies of a closed output before its builders end.
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=SECONDS_TO_END)
            process.kill()
            raise
        finally:
            _RUNNING.pop(process)


@contextmanager
def _closing(descriptor: int | None) -> Iterator[int | None]:
    try:
        yield descriptor
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _ask_to_end(process: subprocess.Popen[str]) -> None:
    """Let a program end. A supervisor, which has a pipe, ends its program when it reads a byte."""
    pipe = _RUNNING.get(process)
    if pipe is None:
        process.terminate()
        return
    # It may have ended already.
    with suppress(OSError):
        os.write(pipe, b"\n")


def end_all(is_over: Callable[[], bool]) -> None:
    """End the programs of all threads until `is_over`: an interruption reaches only the main one.

    A program that does not end in time is killed. Threads may start others meanwhile.
    """
    asked: dict[subprocess.Popen[str], float] = {}
    while not is_over():
        # All is being ended already, so another signal changes nothing.
        with suppress(KeyboardInterrupt):
            for process in [*_RUNNING]:
                if process not in asked:
                    asked[process] = time.monotonic()
                    _ask_to_end(process)
                elif time.monotonic() - asked[process] > SECONDS_TO_END:
                    process.kill()
            time.sleep(SECONDS_BETWEEN)


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    inherit: tuple[str, ...] = (),
    seconds: float | None = None,
    is_supervised: bool = False,
) -> Finished:
    """Run a program to its end.

    `environment` adds variables, `inherit` are patterns of the user's variables that it gets too.
    A supervised program ends when this one is killed, also if it does not heed signals.
    Raises MissingProgramError, and KernelBuilderError if it takes longer than `seconds`.
    """
    options: dict[str, Any] = {"cwd": cwd, "environment": environment, "inherit": inherit}
    with _start(argv, is_supervised=is_supervised, **options) as process:
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            at, found = shlex.join(argv), f"no end after {seconds:.0f} seconds"
            fix = "see what keeps it waiting: a network, a lock, or a slow disk"
            problem = Problem(at, found, "an answer", fix)
            raise KernelBuilderError(f"{argv[0]} does not end", [problem]) from None
    status = process.returncode
    # A supervisor ends as a shell does when a signal has ended its program.
    return Finished(128 - status if is_supervised and status > 128 else status, stdout, stderr)


def stream(argv: Sequence[str], on_line: Callable[[str], object], **options: Any) -> int:
    """Run a program, pass each line of both its outputs to `on_line`, and return its status.

    It ends, with all that it has started, when this program is killed. Options are those of `run`
    except for `seconds`.
    """
    with _start(argv, is_supervised=True, is_merged=True, **options) as process:
        for line in process.stdout or ():
            on_line(line.rstrip("\n"))
    return process.returncode


def listen(
    argv: Sequence[str], on_line: Callable[[str], object] = lambda _: None, **options: Any
) -> Finished:
    """Run a program as `stream` does, and keep its output."""
    lines: list[str] = []

    def read(line: str) -> None:
        lines.append(line)
        on_line(line)

    return Finished(stream(argv, read, **options), "\n".join(lines), "")


def module_argv(python: str, module: str, folders: Sequence[Path]) -> list[str]:
    """Return the words that run a module in one of `folders`, and nothing of the current folder.

    -B: root may write to the Nix store, and bytecode next to a module there changes its package.
    """
    words = ["-I", "-B", "-X", "utf8", "-c", _RUN_MODULE]
    return [python, *words, str(len(folders)), *map(str, folders), module]


def replace(argv: Sequence[str], environment: Mapping[str, str] | None = None) -> NoReturn:
    """Become another program, which has this one's terminal and gets its signals."""
    os.execvpe(argv[0], list(argv), {**os.environ, **(environment or {})})
