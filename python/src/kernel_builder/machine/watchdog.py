"""The end of a command, whatever it reads: texts of strangers take limited memory and time.

Python runs the handler of a signal in the main thread, between two lines. An expression or a long
call in any thread keeps it waiting. So a child process hears of each signal, too, and ends a
command that does not heed it. The programs of the command end with it.
"""

import os
import resource
import signal
import sys
import threading
from contextlib import suppress
from select import select
from time import monotonic
from typing import Final

from kernel_builder.messages.terminal import complain

# Bytes of memory and seconds of computing, without programs. The largest upload takes minutes.
LIMITS: Final = {resource.RLIMIT_DATA: 4 * 2**30, resource.RLIMIT_CPU: 1800}
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)
# Words beside the numbers of signals: one is being done, and has been done.
HEEDED: Final = b"\0"
RESUMED: Final = b"\xff"
# Seconds for which a command that got a signal may do nothing about it.
PATIENCE: Final = 1.2
# The limits of the user, while this process has lower ones, and the pipe to the child.
_BEFORE: Final[dict[int, tuple[int, int]]] = {}
_PIPE: Final[list[int]] = []


def watch() -> None:
    """Limit what this process itself takes, and let a child watch whether it heeds signals."""
    # A child gets no lock that another thread holds.
    if sys.platform != "linux" or threading.active_count() > 1:
        return
    for kind, most in LIMITS.items():
        soft, hard = _BEFORE[kind] = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if soft == resource.RLIM_INFINITY else soft, hard))
    process, (reader, writer) = os.getpid(), os.pipe()
    if not os.fork():
        os.close(writer)
        _wait_for_signal(reader, process)
    os.close(reader)
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    _PIPE.append(writer)
    os.register_at_fork(after_in_child=_leave)


def _leave() -> None:
    """Leave the pipe to the process that has forked this one, and may end before."""
    os.close(signal.set_wakeup_fd(-1))
    _PIPE.clear()


def heed(word: bytes = HEEDED) -> None:
    """Say that this process does what a signal asks for, or that it has done so and goes on."""
    for writer in _PIPE:
        with suppress(OSError):
            os.write(writer, word)


def lift_limits(process: int = 0) -> None:
    """Give the limits of the user to a program, which this process has started or will become."""
    for kind, limits in _BEFORE.items():
        resource.prlimit(process, kind, limits)


def _wait_for_signal(reader: int, parent: int) -> None:
    """End the parent if it does not heed a signal. The pipe ends with the parent."""
    os.setsid()
    data = RESUMED
    while RESUMED in data:
        while (number := os.read(reader, 1)) in (HEEDED, RESUMED):
            pass
        data, end = number, monotonic() + PATIENCE
        # Further signals renew nothing: SIGXCPU comes again after each second of computing.
        while data and RESUMED not in data and (rest := end - monotonic()) > 0:
            if select([reader], (), (), rest)[0]:
                data = os.read(reader, 64)
                end = monotonic() + PATIENCE if HEEDED in data else end
    # A process that the parent has left running keeps the pipe open.
    if data and os.getppid() == parent:
        name = signal.Signals(number[0]).name
        complain("error", f"ended by force after {name}: perhaps a text is very large, or hostile")
        # Nothing handles it, so that Python need not run.
        os.kill(parent, signal.SIGUSR1)
    os._exit(0)
