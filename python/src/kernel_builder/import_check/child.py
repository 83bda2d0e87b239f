"""Runs a function in a child process and returns the answer that the child sends.

The kernel runs in the child and may end it, close its files or print anything. Only an answer that
begins with a secret of this run counts. This does not stop a kernel that searches the memory of its
own process for the secret: docs/reference/compliance.md says so.
"""

import ctypes
import faulthandler
import json
import os
import resource
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

PR_SET_CHILD_SUBREAPER = 36
# Bytes of anonymous memory. Torch itself takes less than 2 GiB.
MEMORY = 16 << 30
# Bytes; a thousand operators need 200 kB.
LONGEST_ANSWER = 16 << 20
# Bytes; the stacks of a hundred threads. A kernel may write to the file itself.
LONGEST_STACK = 1 << 20
# Bytes. A kernel that prints without end would fill the disk with its log.
LONGEST_OUTPUT = 8 << 20
# Bytes of it, the last ones, that say why the child ended.
LAST_OUTPUT = 64 << 10
# Seconds for the child to write its stack after its time is up.
GRACE = 3.0


@dataclass(frozen=True)
class Outcome:
    """The end of the child: without an answer if it sent none, without a status if time was up.

    A negative status stands for a signal. `sent` are the bytes that came in the place of an answer,
    `stack` is what faulthandler wrote if the child crashed or its time was up, `said` the end of
    what the child printed.
    """

    answer: "dict[str, Any] | None"
    status: "int | None"
    sent: bytes
    stack: str
    said: str = ""


def run_in_child(work: "Callable[[], dict[str, Any]]", limit: float) -> Outcome:
    """Run `work` in a child process for at most `limit` seconds, and end all its processes."""
    secret = secrets.token_bytes(32)
    output, output_end = os.pipe()
    if sys.platform == "linux":
        # Processes that the kernel detaches become children of this one, which ends them.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as answers, tempfile.TemporaryFile() as stack:
        # No new program is started, since an interpreter under an emulator cannot start itself.
        child = os.fork()
        if child == 0:
            _prepare(output_end, stack.fileno(), limit)
            answer = work()
            answers.write(secret + json.dumps(answer).encode())
            answers.flush()
            if "problems" in answer:
                os._exit(1)
            # End as a user's Python does, with the kernel's exit handlers.
            sys.exit()
        os.close(output_end)
        said = bytearray()
        printer = Thread(target=_pass_on, args=(output, said), daemon=True)
        printer.start()
        ended, deadline = 0, time.monotonic() + limit + GRACE
        try:
            while not ended and time.monotonic() < deadline:
                time.sleep(0.05)
                ended, status = os.waitpid(child, os.WNOHANG)
        finally:
            _end_all(child)
        printer.join(GRACE)
        answers.seek(0)
        stack.seek(0)
        sent = answers.read(LONGEST_ANSWER)
        text = stack.read(LONGEST_STACK).decode(errors="replace")
    received = None
    with suppress(ValueError):
        received = json.loads(sent[len(secret) :]) if sent.startswith(secret) else None
    code = os.waitstatus_to_exitcode(status) if ended else None
    return Outcome(received, code, sent, text, said.decode(errors="replace"))


def _prepare(output_end: int, stack: int, limit: float) -> None:
    """Give the child its files and limits."""
    os.setsid()
    os.dup2(output_end, 1)
    os.dup2(output_end, 2)
    faulthandler.enable(stack)
    faulthandler.dump_traceback_later(limit, file=stack)
    # Only the parent writes the result.
    os.environ.pop("out", None)
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _pass_on(output: int, said: bytearray) -> None:
    """Print what the child prints, up to a limit; keep the end of it in `said`."""
    left, last = LONGEST_OUTPUT, b"\n"
    while data := os.read(output, 1 << 16):
        os.write(2, data[:left])
        left, last = max(left - len(data), 0), data
        said += data
        del said[:-LAST_OUTPUT]
    if not last.endswith(b"\n"):
        os.write(2, b"\n")


def _end_all(child: int) -> None:
    """End the child and everything that it started; only its group where there is no /proc."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(child, 0)
    left = [0]
    while left:
        left = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                # State and parent follow the name in parentheses, which may have any character.
                parent = stat.read_text(errors="replace").rpartition(")")[2].split()[1]
                if int(parent) == os.getpid():
                    left.append(int(stat.parent.name))
        for each in left:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(each, signal.SIGKILL)
                os.waitpid(each, 0)
