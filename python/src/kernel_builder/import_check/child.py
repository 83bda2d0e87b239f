"""Runs a function in a child process and returns the answer that the child sends.

The kernel runs in the child and may end it, close its files or print anything. The answer is in the
output, between two copies of a secret of this run. This does not stop a kernel that searches its
own process for the secret: docs/reference/compliance.md says so.
"""

import ctypes
import faulthandler
import json
import os
import re
import resource
import secrets
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

PR_SET_CHILD_SUBREAPER = 36
# Bytes of memory of the child and all its processes. Torch itself takes less than 2 GiB.
MEMORY = 16 << 30
# Bytes of a file that the child writes: a kernel that prints without end would fill the disk. The
# answer has room for as much again; a thousand operators need 200 kB.
LONGEST_FILE = 16 << 20
# Seconds for the child to print its stack after its time is up.
GRACE = 3.0


@dataclass(frozen=True)
class Outcome:
    """The end of the child: without an answer if it sent none, without a status if time was up.

    A negative status stands for a signal. `said` is what the child printed, with its stack at the
    end if it crashed or its time was up.
    """

    answer: "dict[str, Any] | None"
    status: "int | None"
    said: str
    took_memory: bool = False

    @property
    def shown(self) -> str:
        """The output of the child, marked: no line looks like one of Nix or of a check."""
        return "\n".join(f"| {line}" for line in self.said.rstrip().splitlines())


def run_in_child(work: "Callable[[], dict[str, Any]]", limit: float) -> Outcome:
    """Run `work` in a child process for at most `limit` seconds, and end all its processes.

    An answer with an `error` ends the child at once, without the kernel's exit handlers.
    """
    secret = secrets.token_hex(32)
    if sys.platform == "linux":
        # Processes that the kernel detaches become children of this one, which ends them.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    # The standard output has a file of its own, because an import should leave it empty.
    with TemporaryFile() as shown, TemporaryFile("a+", encoding="utf8", errors="replace") as output:
        # No new program is started, since an interpreter under an emulator cannot start itself.
        child = os.fork()
        if child == 0:
            _prepare(shown.fileno(), output.fileno(), limit)
            answer = work()
            resource.setrlimit(resource.RLIMIT_FSIZE, (2 * LONGEST_FILE, 2 * LONGEST_FILE))
            os.write(output.fileno(), f"{secret}{json.dumps(answer)}{secret}".encode())
            if "error" in answer:
                os._exit(1)
            # End as a user's Python does.
            sys.exit()
        ended, deadline, took_memory = 0, time.monotonic() + limit + GRACE, False
        earlier = _measure_files(())
        try:
            while not (ended or took_memory) and time.monotonic() < deadline:
                time.sleep(0.05)
                ended, code = os.waitpid(child, os.WNOHANG)
                took_memory = not ended and _measure_memory(earlier) > MEMORY
        finally:
            _end_all(child)
        output.seek(0)
        said = os.pread(shown.fileno(), LONGEST_FILE, 0).decode(errors="replace")
        said, received = said + output.read(2 * LONGEST_FILE), None
    with suppress(ValueError):
        before, text, after = said.split(secret)
        said, received = before + after, json.loads(text)
    status = os.waitstatus_to_exitcode(code) if ended else None
    return Outcome(received, status, said, took_memory)


def _prepare(shown: int, output: int, limit: float) -> None:
    """Give the child its standard output, its standard error and its limits."""
    os.setsid()
    os.dup2(shown, 1)
    os.dup2(output, 2)
    faulthandler.enable(2)
    faulthandler.dump_traceback_later(limit, file=2)
    # Only the parent writes the result.
    os.environ.pop("out", None)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LONGEST_FILE, 2 * LONGEST_FILE))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def _end_all(child: int) -> None:
    """End the child and everything that it started; only its group where there is no /proc."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(child, 0)
    while left := [each for each, parent, _ in _list_processes() if parent == os.getpid()]:
        for each in left:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(each, signal.SIGKILL)
                os.waitpid(each, 0)


def _measure_memory(earlier: int) -> int:
    """Return the bytes of memory that all processes below this one have, shared ones counted once.

    The limit of a process counts neither shared memory nor its children. Files in memory had
    `earlier` bytes.
    """
    processes = {process: (parent, pages) for process, parent, pages in _list_processes()}
    family, added = set[int](), {os.getpid()}
    while added := {each for each, (parent, _) in processes.items() if parent in added} - family:
        family |= added
    files, pages = _measure_files(family) - earlier, sum(processes[each][1] for each in family)
    if pages * resource.getpagesize() + files <= MEMORY:
        return 0
    # It takes longer, and knows which pages processes share, and which ones are those of files.
    return files + sum(map(_measure_process, family))


def _measure_files(family: "Iterable[int]") -> int:
    """Return the bytes of memory that no process has to map: shared memory, and open files in it.

    The sandbox has a /dev/shm and System V's segments for itself.
    """
    total, sizes = 0, dict[int, int]()
    with suppress(OSError):
        place = os.statvfs("/dev/shm")
        total += (place.f_blocks - place.f_bfree) * place.f_frsize
        segments = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
        total += sum(int(segment.split()[14]) for segment in segments)
    for process in family:
        with suppress(OSError):
            for link in Path(f"/proc/{process}/fd").iterdir():
                # Two processes may have the same one.
                if str(link.readlink()).startswith("/memfd:"):
                    sizes[link.stat().st_ino] = link.stat().st_blocks * 512
    return total + sum(sizes.values())


def _measure_process(process: int) -> int:
    with suppress(OSError):
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        return 1024 * sum(map(int, re.findall(r"^Pss_(?:Anon|Shmem): +(\d+)", text, re.MULTILINE)))
    return 0


def _list_processes() -> Iterator[tuple[int, int, int]]:
    """Yield the number, the parent and the pages in memory of each process, if it still runs."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # The name is in parentheses, and may have some itself.
            words = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            yield int(folder.name), int(words[1]), int(words[21])
