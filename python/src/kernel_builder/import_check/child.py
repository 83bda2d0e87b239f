"""Runs a function in a child process and returns the answer that the child sends.

The kernel runs in the child and may end it, close its files or print anything. Only an answer that
begins with a secret of this run counts. This does not stop a kernel that searches the memory of its
own process for the secret: docs/compliance.md says so.
"""

import ctypes
import faulthandler
import json
import os
import resource
import secrets
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel_builder.import_check.output import Output

PR_SET_CHILD_SUBREAPER = 36
# Bytes of anonymous memory. Torch itself takes less than 2 GiB.
MEMORY = 16 << 30
# Bytes; a thousand operators need 200 kB.
LONGEST_ANSWER = 16 << 20
# Bytes per read.
CHUNK = 1 << 16
# Seconds between two checks of whether the child has ended.
PAUSE = 0.05
# Seconds for the child to write its stack after its time is up.
GRACE = 3.0

Answer = dict[str, Any]
Receiver = Callable[[bytes], object]


@dataclass(frozen=True)
class Outcome:
    """How the child ended."""

    # None if the child sent none.
    answer: "Answer | None"
    # Exit status, negative for a signal; None if the time was up.
    status: "int | None"
    output: Output
    # The stack that faulthandler prints if the child crashes or its time is up.
    stack: str
    # Whether bytes arrived that are no answer.
    is_garbled: bool = False


def run_in_child(work: "Callable[[], Answer]", limit: float) -> Outcome:
    """Run `work` in a child process for at most `limit` seconds, and end all its processes."""
    secret = secrets.token_hex()
    answers, answer_end = os.pipe()
    texts, text_end = os.pipe()
    stacks, stack_end = os.pipe()
    if sys.platform == "linux":
        # Processes that the kernel detaches become children of this one, which ends them.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    sys.stdout.flush()
    sys.stderr.flush()
    # No new program is started, since an interpreter under an emulator cannot start itself.
    child = os.fork()
    if child == 0:
        for each in (answers, texts, stacks):
            os.close(each)
        _prepare(text_end, stack_end, limit)
        answer = work()
        _send(answer_end, secret, answer)
        if "problems" in answer:
            os._exit(1)
        # End as a user's Python does, with the kernel's exit handlers.
        sys.exit()
    for each in (answer_end, text_end, stack_end):
        os.close(each)
    output = Output()
    sent, stack = bytearray(), bytearray()
    receivers = {answers: _collect_in(sent), texts: output.add, stacks: _collect_in(stack)}
    try:
        status = _wait(child, receivers, limit + GRACE)
    finally:
        _end_all(child)
    deadline = time.monotonic() + GRACE
    while _read(receivers, 0) and time.monotonic() < deadline:
        pass
    output.end()
    received = read_answer(bytes(sent), secret)
    is_garbled = bool(sent) and received is None
    return Outcome(received, status, output, stack.decode(errors="replace"), is_garbled)


def _prepare(text_end: int, stack_end: int, limit: float) -> None:
    """Give the child its files and limits."""
    os.setsid()
    os.dup2(text_end, 1)
    os.dup2(text_end, 2)
    faulthandler.enable(stack_end)
    faulthandler.dump_traceback_later(limit, file=stack_end)
    # Only the parent writes the result.
    os.environ.pop("out", None)
    if sys.platform == "linux":
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        # If memory runs out, the system ends this process first.
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


def _send(answer_end: int, secret: str, answer: Answer) -> None:
    """Write an answer, which may be longer than the pipe."""
    left = f"{secret} {json.dumps(answer)}\n".encode()
    while left:
        left = left[os.write(answer_end, left) :]


def read_answer(sent: bytes, secret: str) -> "Answer | None":
    """Return the answer if exactly one whole answer was sent, else None."""
    beginning = f"{secret} ".encode()
    if not (sent.startswith(beginning) and sent.endswith(b"\n") and sent.count(b"\n") == 1):
        return None
    try:
        answer = json.loads(sent[len(beginning) :])
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _collect_in(buffer: bytearray) -> Receiver:
    """Return a function that adds to a buffer until it is longer than any answer."""
    return lambda data: buffer.extend(data) if len(buffer) < LONGEST_ANSWER else None


def _wait(child: int, receivers: "dict[int, Receiver]", limit: float) -> "int | None":
    """Read from the child until it ends; return its status, or None if it did not end in time."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        _read(receivers, PAUSE)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return None


def _read(receivers: "dict[int, Receiver]", timeout: float) -> bool:
    """Read what arrives within `timeout` seconds; return whether there was any.

    Files that are closed are removed from `receivers`.
    """
    ready, _, _ = select.select(receivers, [], [], timeout)
    for each in ready:
        if data := os.read(each, CHUNK):
            receivers[each](data)
        else:
            del receivers[each]
    return bool(ready)


def _end_all(child: int) -> None:
    """End the child and everything that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    while children := _find_children():
        for each in children:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        for each in children:
            with suppress(ChildProcessError):
                os.waitpid(each, 0)
    with suppress(ChildProcessError):
        os.waitpid(child, 0)


def _find_children() -> "list[int]":
    """Return the processes whose parent is this one; none where there is no /proc."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # State and parent follow the name in parentheses, which may have any character.
            parent = stat.read_text(errors="replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                found.append(int(stat.parent.name))
    return found
