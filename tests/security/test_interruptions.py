"""Signals in any line of the code that runs programs in threads, and whatever a command reads."""

import signal
import subprocess
import threading
import time
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


# It outlives the command.
LEAVES = """
from kernel_builder.kernel import folder
from kernel_builder.machine import process
folder.read_build_toml = lambda _: process.leave_running(lambda: __import__("time").sleep(99))
"""


def test_nobody_waits_for_a_process_that_goes_on(cli: Cli, two: list[str]) -> None:
    """It kept the watchdog, and with that the outputs of the command."""
    cli.hook, cli.seconds = LEAVES, 30
    assert "error: " in cli("build", "--dry-run", two[0]).stderr


# The text of a kernel that keeps Python busy; it has said so.
READS = """
import re, resource, time
from kernel_builder.kernel import folder
from kernel_builder.machine import process, watchdog
def read(_folder):
    print("reads", flush=True)
    {}
folder.read_build_toml = read
"""
EXPRESSION = 're.match("(a+)+b", "a" * 99)'
CALL = "sum(range(10**15))"
# Python handles the signal, and a call keeps it from its end.
HEEDS = """try:
        time.sleep(60)
    except KeyboardInterrupt:
        sum(range(10**15))"""
ALLOCATION = "[bytes(2**26) for _ in iter(int, 1)]"
LIMITS = """print(process.run(["sh", "-c", "sleep 0.5; ulimit -Sd; ulimit -St"]).stdout)"""


@pytest.fixture
def two(tmp_path: Path) -> list[str]:
    """Two folders that pass for kernels."""
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "build.toml").touch()
    return [str(tmp_path / name) for name in "ab"]


@pytest.mark.attack("build", "texts that Python is busy with, in one kernel or two", "it ends")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("work", [EXPRESSION, CALL, HEEDS, "while True: pass"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_signal_ends_it_whatever_it_reads(
    cli: Cli, two: list[str], count: int, work: str, number: signal.Signals
) -> None:
    cli.hook = READS.format(work)
    with Started(cli, "build", "--dry-run", *two[:count]) as process:
        assert process.stdout
        assert process.stdout.readline() == "reads\n"
        start = time.monotonic()
        process.send_signal(number)
        # Ten seconds are those of a busy machine; it takes 1.3.
        assert process.wait(timeout=10) in (-signal.SIGUSR1, 128 + number)
        _, said = process.communicate()
    assert time.monotonic() - start < 10
    assert "error: " in said, said


def test_signals_again_and_again_end_it_too(cli: Cli, two: list[str]) -> None:
    """Each one prolonged the life of a command that heeds none."""
    cli.hook = READS.format(CALL)
    with Started(cli, "build", "--dry-run", two[0]) as process:
        assert process.stdout
        assert process.stdout.readline() == "reads\n"
        # Before the call begins, Python would heed the first signal.
        time.sleep(0.5)
        for _ in range(50):
            process.send_signal(signal.SIGINT)
            time.sleep(0.2)
        assert process.poll() == -signal.SIGUSR1


# As a build does, which links what it has built.
GOES_ON = """try:
        time.sleep(60)
    except KeyboardInterrupt:
        watchdog.heed(watchdog.RESUMED)
        time.sleep(3)
        print("went on", flush=True)
        re.match("(a+)+b", "a" * 99)"""


def test_a_command_may_go_on_until_the_next_signal(cli: Cli, two: list[str]) -> None:
    cli.hook = READS.format(GOES_ON)
    with Started(cli, "build", "--dry-run", two[0]) as process:
        assert process.stdout
        assert process.stdout.readline() == "reads\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "went on\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) in (-signal.SIGUSR1, 143)


@pytest.mark.attack("build", "a text that takes all memory", "ended, with a message")
@pytest.mark.parametrize("count", [1, 2])
def test_memory_has_a_limit(cli: Cli, two: list[str], count: int) -> None:
    cli.hook = READS.format(ALLOCATION)
    ran = cli.expect(1, "build", "--dry-run", *two[:count])
    assert ran.stderr.count("the input cannot be read (1 problem)\n") == count


@pytest.mark.attack("build", "a text that takes all time", "ended, with a message")
def test_time_has_a_limit(cli: Cli, two: list[str]) -> None:
    cli.hook = READS.format(EXPRESSION) + "watchdog.LIMITS[resource.RLIMIT_CPU] = 1"
    ran = cli("build", "--dry-run", *two)
    assert ran.status in (-signal.SIGUSR1, 128 + signal.SIGXCPU)
    assert "error: " in ran.stderr


@pytest.mark.parametrize("count", [1, 2])
def test_programs_have_the_limits_of_the_user(cli: Cli, two: list[str], count: int) -> None:
    """A compiler may take more memory and time than a command that reads."""
    cli.hook = READS.format(LIMITS)
    cli.before = ["sh", "-c", 'ulimit -St 3000; exec "$@"', "sh"]
    said = cli("build", "--dry-run", *two[:count]).stdout
    assert said.count("unlimited\n3000\n") == count, said
