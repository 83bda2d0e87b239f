"""Runs a program and ends it, with all that it has started, when the command line is gone.

A file of its own, started as `python3 -I -S supervise.py PROGRAM ARGUMENT…`. Standard input is a
pipe that the command line holds open: it ends with the command line, however that was killed. A
byte in it ends the program, too.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

PR_SET_CHILD_SUBREAPER = 36
SECONDS_TO_END = 5.0


def list_children() -> list[int]:
    """Return the processes that this one started or inherited."""
    with suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as file:  # noqa: PTH123
        return [int(number) for number in file.read().split()]
    return []


def end_tree(process: subprocess.Popen[bytes]) -> None:
    """End the program, then what it leaves: with a dead parent, it becomes a child of this one."""
    over = time.monotonic() + SECONDS_TO_END
    # Nix misses a signal while it starts a builder, so it is asked again.
    while process.poll() is None and time.monotonic() < over:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.2)
    process.kill()
    process.wait()
    while children := list_children():
        for child in children:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)


def main() -> int:
    """Return the program's status, as a shell does for one that a signal ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # A terminal sends its signals to the program itself, which would inherit ignored ones.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    is_alone = threading.Event()

    def watch() -> None:
        os.read(0, 1)
        is_alone.set()
        end_tree(process)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    status = process.wait()
    if is_alone.is_set():
        watcher.join()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
