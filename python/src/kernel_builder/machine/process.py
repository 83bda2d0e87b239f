"""The only module that starts a process; `nix`, `git`, pip and apt are started through it.

Arguments in, text out. What an exit status means is for the caller to say. A program gets the
variables that `machine.environment` chooses for it, not those of the user.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from kernel_builder.machine.environment import choose_variables
from kernel_builder.messages import terminal
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.settings import current_settings

ATTEMPTS_TO_END: Final = 40
SECONDS_BETWEEN_LOOKS: Final = 1.0
SUPERVISOR: Final = Path(__file__).with_name("supervise.py")


@dataclass(frozen=True)
class Finished:
    """A process that has ended."""

    status: int
    stdout: str
    stderr: str


class MissingProgramError(Exception):
    """The program is not on this machine."""


@contextmanager
def _start(
    argv: Sequence[str],
    cwd: Path | None,
    environment: Mapping[str, str] | None,
    inherit: tuple[str, ...],
    *,
    is_supervised: bool = False,
) -> Iterator[subprocess.Popen[str]]:
    """Start a program. An exception in the block, such as an interruption, ends it."""
    if current_settings().verbosity > 1:
        terminal.say(f"+ {shlex.join(argv)}")
    supervisor = [sys.executable, "-I", "-S", str(SUPERVISOR)] if is_supervised else []
    variables = choose_variables(argv[0], inherit)
    if shutil.which(argv[0], path=variables.get("PATH")) is None:
        raise MissingProgramError(argv[0])
    process = subprocess.Popen(
        [*supervisor, *argv],
        cwd=cwd,
        # Output is read here, so it has to be in one language.
        env={**variables, "LC_ALL": "C", **(environment or {})},
        # The supervisor ends the program when its end of the pipe is closed.
        stdin=subprocess.PIPE if is_supervised else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if is_supervised else subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        bufsize=1,
    )
    with process:
        try:
            yield process
        except BaseException:
            _end(process)
            raise


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    inherit: tuple[str, ...] = (),
    seconds: float | None = None,
) -> Finished:
    """Run a program to its end, for at most so many seconds.

    `environment` adds variables; `inherit` are patterns of more of the user's variables to pass on.
    """
    with _start(argv, cwd, environment, inherit) as process:
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise _too_slow(argv, seconds) from None
    return Finished(process.returncode, stdout, stderr)


def _too_slow(argv: Sequence[str], seconds: float | None) -> KernelBuilderError:
    shown = shlex.join(argv)
    problem = Problem(
        at=shown,
        found=f"no end after {seconds:.0f} seconds",
        want="an answer",
        fix=f"see what keeps {shown} waiting: a network, a lock, or a slow disk",
    )
    return KernelBuilderError(f"{argv[0]} does not end", [problem])


def stream(
    argv: Sequence[str],
    on_line: Callable[[str], object],
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    inherit: tuple[str, ...] = (),
) -> int:
    """Run a program, pass each line of both its outputs to `on_line`, and return its status.

    The program ends, with all that it has started, when this one is killed.
    """
    with _start(argv, cwd, environment, inherit, is_supervised=True) as process:
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


def watch_parent() -> None:
    """Be interrupted when the shell that started this program has gone, as by a closed terminal.

    Whoever wants a build to outlive the shell says so with `nohup`, which this heeds.
    """
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def replace(argv: Sequence[str], environment: Mapping[str, str] | None = None) -> NoReturn:
    """Become another program, with this one's terminal and place; it gets our signals, too."""
    os.execvpe(argv[0], list(argv), {**os.environ, **(environment or {})})
