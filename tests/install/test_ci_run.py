""".ci/run where it cannot go on: the programs that it asks are pretended, and no Debian is made."""

import fcntl
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.evaluation import ROOT
from tests.install.fake_machine import names_in, write_program

CLOSING = "0 passed, 1 failed"
# git's name of a folder without files, since which every file has changed.
NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class FakeHost:
    """A machine that can make a Debian, as far as its programs say."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.work = folder / "work"
        for made in (self.bin, self.work):
            made.mkdir()
        self.fake("id", "case $1 in -u) echo 0 ;; *) echo root ;; esac")
        self.fake("df", "echo Avail; echo 50G")
        self.fake("apt-get", 'echo "Packages Debian http://mirror.example/debian"')
        self.fake("debootstrap", "exit 0")
        self.fake("unshare", "exit 0")

    def fake(self, program: str, body: str) -> None:
        write_program(self.bin / program, body)

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [ROOT / ".ci/run", *words],
            env={
                **os.environ,
                "PATH": f"{self.bin}:{os.environ['PATH']}",
                "TMPDIR": str(self.work),
                "CHANGED_SINCE": NOTHING,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # A shell traps no signal that is ignored when it starts, as this is under `nohup`.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )

    def refuse(self) -> str:
        """Run .ci/run, which has to fail with one result and leave nothing; return what it says."""
        process = self.start("unit")
        said, _ = process.communicate()
        assert process.returncode == 1, said
        assert said.splitlines()[-1] == CLOSING
        assert names_in(self.work) == []
        return said


@pytest.fixture
def host(tmp_path: Path) -> FakeHost:
    return FakeHost(tmp_path)


@pytest.mark.parametrize(
    ("program", "body", "found"),
    [
        (
            "id",
            "case $1 in -u) echo 1000 ;; *) echo alice ;; esac",
            "a Debian in a folder is made and entered by root only, and this is alice",
        ),
        ("unshare", "exit 1", "this machine lets nobody make mount namespaces"),
        ("df", "echo Avail; echo 9G", "9 GB"),
        ("apt-get", "exit 0", "this machine's apt has no mirror of Debian"),
        (
            "unshare",
            'case $* in *debootstrap*) echo "E: broken"; exit 1 ;; esac',
            "debootstrap could not make a Debian bookworm: E: broken",
        ),
    ],
)
def test_where_it_cannot_go_on(host: FakeHost, program: str, body: str, found: str) -> None:
    host.fake(program, body)
    assert f"found  {found}" in host.refuse()


def test_what_a_killed_run_left_goes_and_what_another_run_has_stays(host: FakeHost) -> None:
    left, used = (host.work / f"kernel-builder-ci.{name}" for name in ("left", "used"))
    for folder in (left, used):
        (folder / "machine").mkdir(parents=True)
    host.fake("df", "echo Avail; echo 9G")
    lock = os.open(used, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    said, _ = host.start("unit").communicate()
    os.close(lock)
    assert "found  9 GB" in said
    assert names_in(host.work) == [used.name]


@pytest.mark.parametrize(
    ("words", "found"), [((), r"--daily --changed \S*,trust,\S*"), (("--all",), "")]
)
def test_only_a_run_without_arguments_is_a_daily_one(
    host: FakeHost, words: tuple[str, ...], found: str
) -> None:
    made, calls = 'mkdir -p "${@: -2:1}/etc/apt/apt.conf.d"', host.bin / "calls"
    host.fake(
        "unshare", f'case $* in *" -- debootstrap "*) {made} ;; *) echo "$*" >{calls} ;; esac'
    )
    process = host.start(*words)
    said, _ = process.communicate()
    assert process.returncode == 0, said
    arguments = calls.read_text().rpartition(" tests/run")[2].strip()
    assert re.fullmatch(found, arguments), arguments
