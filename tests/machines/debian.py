"""A bare Debian in a folder, entered as the root of the file system. It is gone when it is left."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from tests.skipping import skip

HERE = Path(__file__).parent
# The one that CI itself is run on.
CURRENT = "bookworm"
# Longer answers are shortened to this many lines.
SHOWN_LINES = 40


class CannotBeMadeError(Exception):
    """This machine's mirror has no such Debian; the text is what debootstrap said."""


class FailedError(Exception):
    """A program inside did not succeed; the text is the end of what it said."""


@dataclass(frozen=True)
class Answer:
    """How a program ended, and what it said on both streams."""

    code: int
    said: str

    def __str__(self) -> str:
        lines = self.said.splitlines()[-SHOWN_LINES:]
        return "\n".join([*lines, f"(exit code {self.code})"])


@dataclass
class Debian:
    """A Debian in `root`. Inside, the folders of this machine in `folders` can be read."""

    root: Path
    folders: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)

    def _argv(self, argv: tuple[str, ...], variables: Mapping[str, str] | None) -> list[str]:
        bound = [word for folder in self.folders for word in ("--bind", folder)]
        pairs = [
            f"{name}={value}" for name, value in {**self.variables, **(variables or {})}.items()
        ]
        return [str(HERE / "enter.sh"), *bound, str(self.root), "env", *pairs, *argv]

    def ask(
        self,
        script: str,
        *,
        variables: Mapping[str, str] | None = None,
        stdin: IO[bytes] | None = None,
    ) -> Answer:
        """Run a bash script inside; however it ends, return what it says."""
        done = subprocess.run(
            self._argv(("bash", "-c", script), variables),
            stdin=stdin or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Answer(done.returncode, done.stdout)

    def run(self, *argv: str, variables: Mapping[str, str] | None = None) -> str:
        """Run a program inside that succeeds; return what it prints."""
        done = subprocess.run(
            self._argv(argv, variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise FailedError(str(Answer(done.returncode, done.stdout + done.stderr)))
        return done.stdout

    def give(self, source: Path, place: str) -> None:
        """Copy a file or a folder to a place inside, as somebody who downloads it would have it."""
        target = Path(f"{self.root}{place}")
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)

    @contextmanager
    def copy(self) -> Iterator[Debian]:
        """Make a second one with the same content; remove it in the end."""
        with work_folder() as folder:
            argv = ["cp", "-a", "--reflink=auto", str(self.root), str(folder / "root")]
            subprocess.run(argv, check=True)
            yield replace(self, root=folder / "root")


@contextmanager
def work_folder() -> Iterator[Path]:
    """Make a folder for a machine; remove it in the end, and nothing that is mounted there."""
    folder = Path(tempfile.mkdtemp(prefix="kernel-builder-machine-"))
    try:
        yield folder
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=False)


@contextmanager
def debian(suite: str, *packages: str) -> Iterator[Debian]:
    """Make a bare Debian of a suite with some packages; remove it in the end."""
    with work_folder() as folder:
        root = folder / "root"
        argv = [str(HERE / "make.sh"), suite, str(root), *packages]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CannotBeMadeError(done.stderr.strip())
        yield Debian(root)


def skip_without_debian() -> None:
    """Skip where no Debian can be made, whatever is installed."""
    obstacle = subprocess.run([HERE / "obstacle.sh"], stdout=subprocess.PIPE, text=True, check=True)
    if obstacle.stdout:
        skip(obstacle.stdout.strip(), installable=False)


@contextmanager
def debian_or_skip(suite: str, *packages: str) -> Iterator[Debian]:
    """Make a bare Debian, or skip where there is none to be had."""
    skip_without_debian()
    with ExitStack() as stack:
        try:
            machine = stack.enter_context(debian(suite, *packages))
        except CannotBeMadeError as error:
            # An older one leaves the mirrors one day, and no package brings it back.
            skip(str(error), installable=suite == CURRENT)
        yield machine
