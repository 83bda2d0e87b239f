"""Signals in any line of the code that runs programs in threads."""

import signal
import subprocess
import threading
from pathlib import Path
from typing import ClassVar

import pytest

from tests.cli.command_line import Cli, Started, python_argv, wait_for
from tests.cli.conftest import *  # noqa: F403  (fixtures)
from tests.cli.served import Answer, serve_with

# Interrupts a child in every third of the first lines, and again some lines later; prints the
# lines of the children that do not end as they should. It counts lines of these modules alone.
PROGRAM = """
import concurrent.futures, os, signal, threading
from kernel_builder import __main__
from kernel_builder.kernel import several
from kernel_builder.machine import process, threads

MODULES = several, threads, process, threading, concurrent.futures._base
FILES = {each.__file__ for each in MODULES}
LINES, STEP, AT_ONCE, SECOND, SECONDS, INTERRUPTED = 420, 3, 20, 25, 60, 3

def run_two(number):
    reached, places = 0, []

    def trace(frame, _event, _arg):
        nonlocal reached
        if frame.f_code.co_filename in FILES:
            reached += 1
            if reached in (number, number + SECOND):
                places.append(f"{frame.f_code.co_filename}:{frame.f_lineno}")
                open(str(number), "w").write(" ".join(places))
                os.kill(os.getpid(), signal.SIGTERM)
        return trace

    signal.alarm(SECONDS)
    signal.signal(signal.SIGTERM, __main__._terminate)
    sys.settrace(trace)
    several.attempt_each("ab", lambda _: process.run(["sleep", "60"]), "running")

def be_interrupted(number):
    status = 1
    try:
        run_two(number)
    except KeyboardInterrupt:
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            status = INTERRUPTED
    finally:
        os._exit(status)

# Imports come before the lines are counted.
several.attempt_each("ab", str.upper, "running")
for first in range(1, LINES, STEP * AT_ONCE):
    numbers = range(first, first + STEP * AT_ONCE, STEP)
    for number, child in [(each, os.fork() or be_interrupted(each)) for each in numbers]:
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != INTERRUPTED:
            print(open(str(number)).read(), flush=True)
os._exit(0)
"""


@pytest.mark.fault(
    "any", "two signals, the first in any line where threads begin", "it ends, and its programs too"
)
def test_signals_in_any_line(tmp_path: Path) -> None:
    """One in the middle of the start of a thread left other threads running, or locks locked."""
    argv = python_argv(before=PROGRAM)
    ran = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


class Silent(Answer):
    """Never answers."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:  # noqa: N802
        self.asked.append(self.path)
        threading.Event().wait()


@pytest.mark.fault("status", "Ctrl-C while the Hub does not answer about two kernels", "it ends")
def test_a_silent_hub(cli: Cli) -> None:
    with serve_with(Silent) as url:
        settings = {"HF_ENDPOINT": url, "NO_PROXY": "127.0.0.1"}
        with Started(cli, "status", "me/one", "me/two", **settings) as process:
            wait_for(lambda: len(Silent.asked) == 2 or process.poll() is not None)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 128 + signal.SIGINT
