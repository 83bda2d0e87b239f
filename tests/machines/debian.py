"""A bare Debian in a folder that is removed afterwards; programs have it as the root."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from tests.evaluation import call
from tests.skipping import skip

HERE = Path(__file__).parent
# The release that CI runs on.
CURRENT = "bookworm"
# The most lines of an answer that are shown.
SHOWN_LINES = 40


class CannotBeMadeError(Exception):
    """This machine's mirror does not have this Debian; the text is the message of debootstrap."""


class FailedError(Exception):
    """A program inside failed; the text is the end of its output."""


@dataclass(frozen=True)
class Answer:
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
        status: int | None = None,
        variables: Mapping[str, str] | None = None,
        stdin: IO[bytes] | None = None,
    ) -> Answer:
        """Run a bash script inside; fail if it ends with another status, unless that is None."""
        argv = self._argv(("bash", "-c", script), variables)
        given = {"stdin": stdin or subprocess.DEVNULL, "stderr": subprocess.STDOUT}
        done = call(*argv, status=None, **given)
        answer = Answer(done.returncode, done.stdout)
        assert status in (None, answer.code), answer
        return answer

    def run(self, *argv: str, variables: Mapping[str, str] | None = None) -> str:
        """Run a program inside that succeeds; return what it prints."""
        done = call(*self._argv(argv, variables), status=None, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise FailedError(str(Answer(done.returncode, done.stdout + done.stderr)))
        return done.stdout

    def give(self, source: Path, place: str) -> None:
        """Copy a file or a folder to a place inside."""
        target = Path(f"{self.root}{place}")
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)

    @contextmanager
    def copy(self) -> Iterator[Debian]:
        """Copy the machine, which nothing may change meanwhile; remove the copy afterwards."""
        with work_folder() as folder, _layer_over(self.root, folder) as is_mounted:
            root = folder / "root"
            if not is_mounted:
                argv = ["cp", "-a", "--reflink=auto", str(self.root), str(root)]
                subprocess.run(argv, check=True)
            yield replace(self, root=root)


@contextmanager
def _layer_over(original: Path, folder: Path) -> Iterator[bool]:
    """Mount `folder`/root with the files of the original, if the file system can do that.

    An overlay keeps only what changes, in `folder`. An overlay over two others cannot be made.
    """
    parts = {"lowerdir": original, "upperdir": folder / "changes", "workdir": folder / "work"}
    for part in (folder / "root", *list(parts.values())[1:]):
        part.mkdir()
    options = ",".join(f"{name}={place}" for name, place in parts.items())
    argv = ["mount", "-t", "overlay", "overlay", "-o", options, str(folder / "root")]
    is_mounted = subprocess.run(argv, capture_output=True, check=False).returncode == 0
    if not is_mounted:
        (folder / "root").rmdir()
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder / "root")], check=False)


@contextmanager
def work_folder() -> Iterator[Path]:
    """Make a folder for a machine; remove it afterwards, without mounted file systems."""
    folder = Path(tempfile.mkdtemp(prefix="kernel-builder-machine-"))
    try:
        yield folder
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=False)


@contextmanager
def debian(suite: str, *packages: str) -> Iterator[Debian]:
    """Make a bare Debian of a suite with some packages; remove it afterwards."""
    with work_folder() as folder:
        root = folder / "root"
        argv = [str(HERE / "make.sh"), suite, str(root), *packages]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CannotBeMadeError(done.stderr.strip())
        yield Debian(root)


def skip_without_debian() -> None:
    """Skip the test if this machine cannot make any Debian."""
    obstacle = subprocess.run([HERE / "obstacle.sh"], stdout=subprocess.PIPE, text=True, check=True)
    if obstacle.stdout:
        skip(obstacle.stdout.strip(), installable=False)


@contextmanager
def debian_or_skip(suite: str, *packages: str) -> Iterator[Debian]:
    """Make a bare Debian, or skip the test if the mirror does not have it."""
    skip_without_debian()
    with ExitStack() as stack:
        try:
            machine = stack.enter_context(debian(suite, *packages))
        except CannotBeMadeError as error:
            # Mirrors drop old releases; no package brings them back.
            skip(str(error), installable=suite == CURRENT)
        yield machine
