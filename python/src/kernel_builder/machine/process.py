"""The only module that starts a process: Nix, git, pip and apt are started through it.

What an exit status means is for the caller to say. A program gets the variables that
`machine.environment` chooses for it, not those of the user.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from select import select
from typing import IO, Any, Final, NoReturn

from kernel_builder.machine.environment import choose_variables
from kernel_builder.machine.watchdog import heed, lift_limits
from kernel_builder.messages import terminal
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.settings import current_settings

# Seconds for a program to end, by the signal that it gets when this one is killed.
SECONDS_TO_END: Final = {signal.SIGTERM: 5.0, signal.SIGKILL: 0.5}
SECONDS_BETWEEN: Final = 0.2
SECONDS_IDLE: Final = 1.0
PR_SET_PDEATHSIG: Final = 1
# Limits of a program that reads data of strangers: kilobytes of memory, where the system can limit
# them, blocks of 512 bytes in each file that it writes, seconds of CPU.
_LIMITS: Final = 'ulimit -v 6291456 2>/dev/null; ulimit -f "$0" && ulimit -t 300 && exec "$@"'
# The programs that run with their seconds to end, and whether all are being ended.
_RUNNING: Final[dict[subprocess.Popen[str], float]] = {}
_ENDING: Final = threading.Event()


OnLine = Callable[[str], object]
OnIdle = Callable[[], object]


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
    inherit: Sequence[str] = (),
    orphaned: signal.Signals = signal.SIGTERM,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stdout: IO[bytes] | int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    max_bytes: int = 0,
) -> Iterator[subprocess.Popen[str]]:
    """Start a program. An exception in the block, such as an interruption, ends it.

    `environment` adds variables, `inherit` are patterns of the user's variables that it gets too.
    It gets the signal `orphaned` when this program is killed. With `max_bytes`, the size of each
    file that it writes is limited, and its memory and CPU as well.
    """
    if current_settings().verbosity > 1:
        terminal.say(f"+ {shlex.join(argv)}")
    variables = choose_variables(argv[0], inherit)
    if shutil.which(argv[0], path=variables.get("PATH")) is None:
        raise MissingProgramError(argv[0])
    if _ENDING.is_set():
        raise KeyboardInterrupt
    prepare = _prepare(orphaned)
    limits = ["sh", "-c", _LIMITS, str(max_bytes // 512)] if max_bytes else []
    with subprocess.Popen(
        [*(() if prepare else _tie(variables["PATH"], orphaned)), *limits, *argv],
        cwd=cwd,
        # Output is read here, so it has to be in one language.
        env={**variables, "LC_ALL": "C", **(environment or {})},
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        encoding="utf-8",
        errors="replace",
        preexec_fn=prepare,
        # So that `end_all` reaches the programs that a launcher, as pyenv's, has started.
        start_new_session=threading.current_thread() is not threading.main_thread(),
    ) as process:
        _RUNNING[process] = SECONDS_TO_END[orphaned]
        try:
            if not (prepare or limits):
                lift_limits(process.pid)
            yield process
        except BaseException:
            _end(process)
            raise
        finally:
            del _RUNNING[process]


def _prepare(orphaned: signal.Signals) -> Callable[[], object] | None:
    """Return what a new process calls first, to get this signal when its parent is gone.

    None while other threads run: Python code between fork and exec may wait for ever for a lock
    that one of them held, such as the connections' of the Hub's library, which it closes there.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl

    def prepare() -> None:
        prctl(PR_SET_PDEATHSIG, orphaned)
        lift_limits()

    return prepare


@cache
def _tie(path: str, orphaned: signal.Signals) -> Sequence[str]:
    """Return the words before a program that do what `_prepare` cannot; none without util-linux."""
    if not (found := shutil.which("setpriv", path=path)):
        return ()
    words = [found, "--pdeathsig", orphaned.name]
    # Busybox has another one.
    done = subprocess.run([*words, sys.executable, "-V"], capture_output=True, check=False)
    return () if done.returncode else words


def _end(process: subprocess.Popen[str]) -> None:
    """Ask a program to end, and kill it if it does not, or if a signal comes meanwhile."""
    over = time.monotonic() + _RUNNING[process]
    try:
        while process.poll() is None and time.monotonic() < over:
            # Nix misses a signal while it starts a builder, so it is asked again.
            process.terminate()
            heed()
            # Reads on: Nix dies of a closed output before its builders end.
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=SECONDS_BETWEEN)
    finally:
        process.kill()


def end_all(is_over: Callable[[], bool]) -> None:
    """End the programs of all threads until `is_over`, and let none start.

    A program that does not end in time is killed. Threads that do something else are left.
    """
    start, waited = time.monotonic(), 0.0
    _ENDING.set()
    while not is_over() and (_RUNNING or waited < 1):
        heed()
        waited = time.monotonic() - start
        for process, seconds in [*_RUNNING.items()]:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL if waited > seconds else signal.SIGTERM)
        time.sleep(SECONDS_BETWEEN)
    _ENDING.clear()


def run(argv: Sequence[str], *, seconds: float | None = None, **options: Any) -> Finished:
    """Run a program to its end, with the options of `_start`.

    Raises MissingProgramError, and KernelBuilderError if it takes longer than `seconds`.
    """
    with _start(argv, **options) as process:
        try:
            stdout, stderr = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            at, found = shlex.join(argv), f"no end after {seconds:.0f} seconds"
            fix = "see what keeps it waiting: a network, a lock, or a slow disk"
            problem = Problem(at, found, "an answer", fix)
            raise KernelBuilderError(f"{argv[0]} does not end", [problem]) from None
    return Finished(process.returncode, stdout or "", stderr)


def stream(
    argv: Sequence[str], on_line: OnLine, on_idle: OnIdle = lambda: None, **options: Any
) -> int:
    """Run a program, pass each line of both its outputs to `on_line`, and return its status.

    `on_idle` is called after each second without a line. Options are those of `run`, but for
    `seconds`.
    """
    with _start(argv, stderr=subprocess.STDOUT, **options) as process:
        assert process.stdout, "internal error: a program without an output"
        output, rest = process.stdout.fileno(), b""
        while True:
            if not select([output], [], [], SECONDS_IDLE)[0]:
                on_idle()
                continue
            block = os.read(output, 2**16)
            # Some programs end a line with a return.
            *lines, rest = (rest + block).replace(b"\r", b"\n").split(b"\n")
            for line in lines if block else [rest] if rest else ():
                on_line(line.decode(errors="replace"))
            if not block:
                break
    return process.returncode


def replace(argv: Sequence[str], environment: Mapping[str, str] | None = None) -> NoReturn:
    """Become another program, which has this one's terminal and gets its signals."""
    lift_limits()
    os.execvpe(argv[0], list(argv), {**os.environ, **(environment or {})})


def leave_running(task: Callable[[], None]) -> None:
    """Run a task in a process that outlives this one, without a terminal; errors are dropped."""
    if os.fork():
        return
    os.setsid()
    # Who reads the output of this process waits until nobody has it any more.
    for stream in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    try:
        with suppress(BaseException):
            task()
    finally:
        os._exit(0)
