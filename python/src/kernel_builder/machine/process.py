"""The only module that starts a process; `nix`, `git`, pip and apt are started through it.

Arguments in, text out. What an exit status means is for the caller to say.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from kernel_builder.messages import terminal

ATTEMPTS_TO_END: Final = 40
SECONDS_BETWEEN_LOOKS: Final = 1.0


@dataclass(frozen=True)
class Finished:
    """A process that has ended."""

    status: int
    stdout: str
    stderr: str


class MissingProgramError(Exception):
    """The program is not on this machine."""


class EndedError(Exception):
    """No program is started any more; only threads whose results nobody reads get to see this."""


class _Running:
    """The programs that run now, in whichever thread."""

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[str]] = set()
        self._is_over = False
        self._lock = threading.Lock()

    def start(
        self,
        argv: Sequence[str],
        cwd: Path | None,
        environment: Mapping[str, str] | None,
        stderr: int,
    ) -> subprocess.Popen[str]:
        """Start a program, unless all programs have been ended."""
        if terminal.level > 1:
            terminal.say(f"+ {shlex.join(argv)}")
        with self._lock:
            if self._is_over:
                raise EndedError
            try:
                process = subprocess.Popen(
                    list(argv),
                    cwd=cwd,
                    env=_environment(environment),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    encoding="utf-8",
                    errors="replace",
                    bufsize=1,
                )
            except FileNotFoundError:
                raise MissingProgramError(argv[0]) from None
            self._processes.add(process)
        return process

    def forget(self, process: subprocess.Popen[str]) -> None:
        """Take note that a program has ended."""
        with self._lock:
            self._processes.discard(process)

    def end(self) -> list[subprocess.Popen[str]]:
        """Ask all programs to end, let no other start, and return those that were asked."""
        with self._lock:
            self._is_over = True
            left = list(self._processes)
        for process in left:
            process.terminate()
        return left


_running: Final = _Running()


def end_all() -> None:
    """End the programs of all threads, for good: a signal reaches the main thread alone."""
    for _ in range(ATTEMPTS_TO_END):
        if not _running.end():
            return
        time.sleep(0.2)
    for process in _running.end():
        process.kill()


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
    process = _running.start(argv, cwd, environment, subprocess.PIPE)
    try:
        with process:
            try:
                stdout, stderr = process.communicate()
            except BaseException:
                process.kill()
                raise
    finally:
        _running.forget(process)
    return Finished(process.returncode, stdout, stderr)


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
    process = _running.start(argv, cwd, environment, subprocess.STDOUT)
    assert process.stdout is not None, "internal error: the pipe was asked for"
    try:
        with process:
            try:
                for line in process.stdout:
                    if not on_line(line.rstrip("\n")):
                        _end(process)
                        break
            except BaseException:
                _end(process)
                raise
    finally:
        _running.forget(process)
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


def replace(argv: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Become another program, with this one's terminal and place; it gets our signals, too."""
    os.execvpe(argv[0], list(argv), {**os.environ, **environment})
