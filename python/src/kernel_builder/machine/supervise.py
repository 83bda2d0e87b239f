"""Runs a program and ends it, with all that it has started, when the command line is gone.

A file of its own, started as `python3 -I -S supervise.py PROGRAM ARGUMENT…`. Standard input is a
pipe that the command line holds open: it ends with the command line, however that was killed.
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
IS_LINUX = sys.platform == "linux"


def list_children() -> list[int]:
    """Return the processes that this one started or inherited."""
    children = []
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        with suppress(OSError), open(f"/proc/{name}/stat") as file:  # noqa: PTH123
            # The second field is a name in brackets, which may hold anything.
            if int(file.read().rpartition(")")[2].split()[1]) == os.getpid():
                children.append(int(name))
    return children


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
    while IS_LINUX and (children := list_children()):
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def main() -> int:
    """Return the program's status, as a shell does for one that a signal ended."""
    if IS_LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # The terminal interrupts the program by itself, which would inherit an ignored signal.
    signal.signal(signal.SIGINT, lambda *_: None)
    started: list[subprocess.Popen[bytes]] = []
    signal.signal(signal.SIGTERM, lambda *_: started[0].terminate() if started else None)
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    started.append(process)
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
