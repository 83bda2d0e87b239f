"""Runs a function in a child process and returns the answer that this process sends after it.

The kernel runs in that process and may end it, close its files or print whatever it likes. Only an
answer that begins with a secret of this run counts. A kernel that searches the memory of its own
process for the secret is not kept out: docs/compliance.md says so.
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

from import_check.output import Output

PR_SET_CHILD_SUBREAPER = 36
# Bytes of anonymous memory. Torch itself takes less than 2 GiB.
MEMORY = 16 << 30
# Bytes; a thousand operators need 200 kB.
LONGEST_ANSWER = 16 << 20
# Bytes that are read at once.
CHUNK = 1 << 16
# Seconds between two looks at whether the child has ended.
PAUSE = 0.05
# Seconds that the child has to write where it is, after its time is up.
GRACE = 3.0

Answer = dict[str, Any]
Receiver = Callable[[bytes], object]


@dataclass(frozen=True)
class Outcome:
    """How the child ended."""

    # None if it sent none.
    answer: "Answer | None"
    # As `subprocess` counts it; None if its time was up.
    status: "int | None"
    output: Output
    # The stack that faulthandler printed when the child crashed or its time was up.
    stack: str
    # Whether something other than an answer arrived in its place.
    is_garbled: bool = False


def run_in_child(work: "Callable[[], Answer]", limit: float) -> Outcome:
    """Run `work` in a child process for at most `limit` seconds; no process of it remains."""
    secret = secrets.token_hex()
    answers, answer_end = os.pipe()
    texts, text_end = os.pipe()
    stacks, stack_end = os.pipe()
    if sys.platform == "linux":
        # Whatever the kernel detaches becomes a child of this process, which ends it.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    sys.stdout.flush()
    sys.stderr.flush()
    # Not a new program: under an emulator the interpreter cannot start itself.
    child = os.fork()
    if child == 0:
        for each in (answers, texts, stacks):
            os.close(each)
        _prepare(text_end, stack_end, limit)
        answer = work()
        _send(answer_end, secret, answer)
        if "problems" in answer:
            os._exit(1)
        # An ordinary end, as the kernel's users have it.
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
    # The result is the parent's to write.
    os.environ.pop("out", None)
    if sys.platform == "linux":
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        # On a machine with less memory the kernel of the system ends this process first.
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


def _send(answer_end: int, secret: str, answer: Answer) -> None:
    """Write an answer, which may be longer than the pipe."""
    left = f"{secret} {json.dumps(answer)}\n".encode()
    while left:
        left = left[os.write(answer_end, left) :]


def read_answer(sent: bytes, secret: str) -> "Answer | None":
    """Return the answer if it is the only thing that was sent, and all of it."""
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
    """Read what the child says until it ends; return its status, None if it did not end in time."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        _read(receivers, PAUSE)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return None


def _read(receivers: "dict[int, Receiver]", timeout: float) -> bool:
    """Hand on what arrives within `timeout` seconds, and forget files that are closed; say whether there was any."""
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
            # The name in parentheses may have anything in it; state and parent follow.
            if int(stat.read_text(errors="replace").rpartition(")")[2].split()[1]) == os.getpid():
                found.append(int(stat.parent.name))
    return found
