"""Trials: a command meets a fault at one point after the other, and is run again without it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from kernel_builder.messages.errors import parse_problems
from tests.cli.command_line import Cli, Ran

TABLE = "table: faults (command, fault, tried, ended in the same state)"
State = dict[str, str]


@dataclass
class Trials:
    record: Callable[[str, object], None]

    def try_each(
        self,
        command: str,
        fault: AtDeeds,
        restart: Callable[[], Sequence[str]],
        look: Callable[[], State],
        *,
        points: Iterable[int] = (),
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Meet a fault at each point; every second run has to end as one that met none.

        `restart` puts the machine back and returns the command's words, `check` fails if something
        half made could be taken for whole; `points` are those that are tried (none: all), up to
        the first that is not met.
        """
        done = fault.run(restart(), 0)
        assert done.status == 0, done.stderr
        wanted = look()
        tried = 0
        for at in points or count(1):
            words = restart()
            met = fault.run(words, at)
            if not fault.is_met(met):
                assert met.status == 0, met.stderr
                break
            fault.judge(met)
            check()
            if met.status == 0:
                assert look() == wanted, f"{fault.name} at {at}: {met.stderr}"
            again = fault.run(words, 0)
            assert (again.status, look()) == (0, wanted), f"{fault.name} at {at}: {again.stderr}"
            tried += 1
        assert tried
        self.record(TABLE, (command, fault.name, tried, tried))


def expect_answer(ran: Ran) -> None:
    """Fail unless a command went well all the same, or says what to do."""
    assert ran.status in (0, 1), ran.stderr
    assert "Traceback" not in ran.stderr
    assert "internal error" not in ran.stderr
    if ran.status == 1:
        assert "error: " in ran.stderr
        assert parse_problems(ran.stderr), ran.stderr


# Python tells of these before they happen. What it writes by itself is no deed of the command.
HOOK = """\
import errno, os, signal, sys
MAKES = ["os.rename", "os.link", "os.symlink", "os.mkdir"]
DEEDS = [*MAKES, "subprocess.Popen", "os.remove", "os.utime"]
# The programs that it starts are left alone.
KIND, AT = os.environ.pop("FAULT", ""), int(os.environ.pop("FAULT_AT", "0"))
MARK, COUNT = os.environ.pop("FAULT_MARK", ""), [0]
def watch(event, arguments):
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_ACCMODE
    where, is_full = arguments[0] if arguments else "", KIND == "full disk"
    if is_full and (isinstance(where, int) or str(where).startswith("/dev/")):
        return
    if (event in (MAKES if is_full else DEEDS) or writes) and "__pycache__" not in str(where):
        COUNT[0] += 1
        if COUNT[0] == AT:
            os.close(os.open(MARK, os.O_CREAT))
            if not is_full:
                os.kill(os.getpid(), signal.SIGKILL)
        # It stays full, and what has a place has it under another name as well.
        if is_full and AT and (COUNT[0] == AT or COUNT[0] > AT and event != "os.rename"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), where)
if AT:
    sys.addaudithook(watch)
"""


@dataclass
class AtDeeds:
    """The command is killed before one of its deeds, or finds the disk full from then on."""

    name: str
    cli: Cli
    folder: Path

    def __post_init__(self) -> None:
        self.cli.hook = f"{HOOK}\nsys.path.insert(0, {str(self.folder)!r})\n"
        self.mark = self.folder / "mark"
        self.cli.seconds = 600

    def run(self, words: Sequence[str], at: int) -> Ran:
        self.mark.unlink(missing_ok=True)
        return self.cli(*words, FAULT=self.name, FAULT_AT=str(at), FAULT_MARK=str(self.mark))

    def is_met(self, ran: Ran) -> bool:
        del ran
        return self.mark.exists()

    def judge(self, ran: Ran) -> None:
        if self.name == "killed":
            assert ran.status == -signal.SIGKILL, ran.stderr
        else:
            expect_answer(ran)
            assert not list(Path(self.cli.environment["TMPDIR"]).iterdir())
