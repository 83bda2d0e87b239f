"""Faults of the machine: a killed command, no memory, no home, no network, closed outputs."""

import fcntl
import os
import shlex
import shutil
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from kernel_builder.machine import files, process
from kernel_builder.messages.errors import KernelBuilderError
from tests.cli.command_line import Cli, Started, wait_for
from tests.cli.conftest import *  # noqa: F403  (fixtures)
from tests.cli.fake_kernel import FakeKernel
from tests.cli.store import Store, make_wheel, wheel_source


def find_processes(text: str) -> list[int]:
    """Return the processes that have a text in their command lines, but for this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        words = read(folder / "cmdline")
        if text.encode() in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def read(file: Path) -> bytes:
    """Return the content of a file of /proc, nothing for a process that has ended."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


@pytest.fixture
def endless(kernel: FakeKernel) -> FakeKernel:
    """Return a kernel whose build says its salt and never ends."""
    kernel.add(
        "one", script='"while :; do for n in SALT; do :; done; done"'.replace("SALT", kernel.salt)
    )
    kernel.write()
    return kernel


@pytest.mark.fault("build", "kill -9 in a compile", "the compile and Nix end, too")
@pytest.mark.fault("build", "SIGTERM in a compile", "ended, with a message")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 143)]
)
def test_killed(number: signal.Signals, status: int, cli: Cli, endless: FakeKernel) -> None:
    builder = f"for n in {endless.salt}"
    with Started(cli, "build", str(endless.folder)) as started:
        wait_for(lambda: find_processes(builder))
        derivation = "-k-one.drv"
        assert find_processes(derivation)
        started.send_signal(number)
        assert started.wait(timeout=60) == status
        wait_for(lambda: not find_processes(builder) and not find_processes(derivation), 20)


@pytest.mark.fault("list-variants", "SIGTERM in an endless evaluation", "it ends, and Nix, too")
@pytest.mark.fault("list-variants", "a second signal, or kill -9, in one", "it ends, and Nix, too")
def test_an_evaluation_without_an_end(cli: Cli, kernel: FakeKernel) -> None:
    """Nix heeds no signal in the middle of an expression. All ways at once, to save time."""
    kernel.add("one")
    flake = kernel.write() / "flake.nix"
    add = "builtins.foldl' (a: b: a + {0}) 0 (builtins.genList (n: n) 100000)"
    endless = add.format(f"({add.format('b')})")
    text = flake.read_text()
    assert "variants = map" in text
    flake.write_text(text.replace("variants = map", f"variants = assert {endless} == 1; map"))
    others = kernel.folder.with_name("kernel-2")
    shutil.copytree(kernel.folder, others)
    folder, both = str(kernel.folder), [str(kernel.folder), str(others)]
    term, kill = [signal.SIGTERM], [signal.SIGKILL]
    ways = [
        (["build", folder], term, 143),
        (["check-config", folder], term, 143),
        (["list-variants", folder], [*term, *term], 143),
        (["build", *both], [*term, *term], 143),
        (["check-config", folder], kill, -9),
        (["build", *both], kill, -9),
    ]
    with ExitStack() as stack:
        # The kernel is evaluated once more, to take it out of the store.
        stack.callback(flake.write_text, text)
        started = [stack.enter_context(Started(cli, *words)) for words, _, _ in ways]

        def list_evaluations() -> list[bytes]:
            lines = (Path(f"/proc/{each}/cmdline") for each in find_processes(str(kernel.folder)))
            return [words for line in lines if (words := read(line)).startswith(b"nix\0")]

        # One of the two kernels may begin after the signals.
        wait_for(lambda: len(list_evaluations()) >= len(ways))
        for number in (0, 1):
            for (_, signals, _), each in zip(ways, started):
                for one in signals[number : number + 1]:
                    each.send_signal(one)
            time.sleep(0.3)
        assert [each.wait(timeout=20) for each in started] == [status for _, _, status in ways]
        wait_for(lambda: not list_evaluations(), 10)


@pytest.mark.fault("any", "a program that ignores signals", "it ends with the command")
def test_a_stubborn_program() -> None:
    mark = f"7{os.getpid()}"

    def interrupt(_line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        process.stream(["sh", "-c", f"trap '' TERM; echo up; exec sleep {mark}"], interrupt)
    assert not find_processes(mark)


# As if the other thread held it.
HOLDS_A_LOCK = """
import os, threading
lock = threading.Lock()
lock.acquire()
threading.Thread(target=threading.Event().wait, daemon=True).start()
os.register_at_fork(after_in_child=lambda: lock.acquire(timeout=30))
"""


@pytest.mark.fault("any", "another thread holds a lock as a program starts", "it starts")
def test_a_lock_of_another_thread(cli: Cli, kernel: FakeKernel) -> None:
    """Code between fork and exec that wants the lock would wait for ever."""
    kernel.add("one")
    cli.hook, cli.seconds = HOLDS_A_LOCK, 20
    assert cli("list-variants", str(kernel.write())).status == 0


@pytest.mark.fault("build", "another user locks a folder", "a message, then an error")
def test_a_lock_of_another_user(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(opened, fcntl.LOCK_EX)
    with pytest.raises(KernelBuilderError) as raised:
        files.replace_text(tmp_path / "report.json", "{}")
    assert raised.value.problems[0].found == "a lock of another program"
    assert f"waiting for {tmp_path}, which another program has locked" in capsys.readouterr().err
    os.close(opened)
    files.replace_text(tmp_path / "report.json", "{}")
    assert capsys.readouterr().err == ""


@pytest.mark.fault("build", "little memory (ulimit -v)", "an error; the rerun ends well")
def test_little_memory(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("one")
    folder = str(kernel.write())
    cli.before = ("sh", "-c", 'ulimit -v 90000; exec "$@"', "sh")
    done = cli("build", folder)
    assert done.status != 0
    assert "error: " in done.stderr
    assert "Traceback" not in done.stderr
    # It is not the age of Nix.
    assert "2.8 or newer" not in done.stderr
    cli.before = ()
    assert cli("build", folder).status == 0


@pytest.mark.fault("build", "HOME is not set", "built; without a user, an error with the variable")
def test_no_home(kernel: FakeKernel, cli: Cli) -> None:
    kernel.add("one")
    cli.before = ("env", "-u", "HOME")
    done = cli.expect(0, "build", str(kernel.write()))
    program = "import pwd; pwd.getpwuid = lambda user: {}[user]\n"
    cli.hook = program
    done = cli.expect(1, "list-variants", str(kernel.folder))
    assert done.stderr.startswith("error: there is no home folder (1 problem)\n")
    assert "       fix    set it: HOME=" in done.stderr


@pytest.mark.fault("build", "no network, all sources are in the store", "built")
def test_no_network(kernel: FakeKernel, cli: Cli) -> None:
    if os.geteuid() != 0:
        pytest.skip("a network of its own needs root")
    kernel.add("one")
    folder = str(kernel.write())
    cli.before = ("unshare", "--net")
    cli.expect(0, "build", folder)


@pytest.mark.fault("prefetch", "no network, a wheel is missing", "an error with a way out")
@pytest.mark.fault("prefetch", "an index that does not answer", "an error with a way out")
def test_a_dead_index(cli: Cli, store: Store, dead_url: str, salt: str) -> None:
    cli.environment |= {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_INDEX_URL": f"{dead_url}/simple",
        "PIP_FIND_LINKS": "",
        "PIP_EXTRA_INDEX_URL": "",
    }
    drv = wheel_source(store, *make_wheel("kbtest-one", "1.0", salt=salt))
    done = cli.expect(1, "prefetch", drv)
    assert "Connection refused" in done.stderr
    assert "fix    check the network, give pip an index that has it" in done.stderr


@pytest.mark.fault("list-variants", "flake.lock is cut, or in conflict", "an error with the file")
@pytest.mark.parametrize("text", ['{ "nodes": {', "[]", "<<<<<<< x\n{}\n=======\n{}\n>>>>>>> x\n"])
def test_a_damaged_lock(cli: Cli, kernel: FakeKernel, text: str) -> None:
    kernel.add("one")
    lock = kernel.write() / "flake.lock"
    lock.write_text(text)
    done = cli.expect(1, "list-variants", str(kernel.folder))
    assert f"at     {lock}\n" in done.stderr
    assert ("conflict marks" in done.stderr) == ("<<<<<<<" in text)
    assert f"fix    git -C {lock.parent} checkout HEAD -- flake.lock" in done.stderr


@pytest.mark.fault("list-variants", "stdout is closed, broken or full", "an end without a trace")
@pytest.mark.parametrize(("redirection", "status"), [(">&-", 0), ("| true", 0), (">/dev/full", 1)])
@pytest.mark.parametrize("words", ["list-variants", "list-variants --json"])
def test_broken_outputs(
    cli: Cli, kernel: FakeKernel, redirection: str, status: int, words: str
) -> None:
    kernel.add("one")
    line = f'"$@" {words} {shlex.quote(str(kernel.write()))} {redirection}'
    cli.before = ["sh", "-c", line.replace('"$@"', '"$0" "$@"')]
    done = cli()
    assert done.status == status, done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    assert ("No space left" in done.stderr) == (redirection == ">/dev/full")
