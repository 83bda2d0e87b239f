"""Wheels, through the machine's own pip: with its indexes, mirrors, proxies and logins."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from kernel_builder.machine.process import MissingProgramError, run, stream
from kernel_builder.sources.coordinates import Wheel
from kernel_builder.sources.indexes import NO_CONNECTION, TALK, Indexes, look_at_indexes
from kernel_builder.sources.refusals import LOCK_WHEELS, Reason, Refusal, no_space, wrong_hash

if TYPE_CHECKING:
    from packaging.tags import Tag

VARIABLE: Final = "KERNEL_BUILDER_PIP"
NO_MATCH: Final = "No matching distribution found"
# Nothing is installed, so a rule of the user's about installing does not hold here.
NEUTRAL: Final = {"PIP_REQUIRE_VIRTUALENV": "0"}

OnLine = Callable[[str], None]


def _ignore(_line: str) -> None:
    pass


def find_pip() -> list[str] | None:
    """Return how to start pip: the named one, the machine's, or this Python's."""
    named = os.environ.get(VARIABLE)
    candidates = (
        [[named]]
        if named
        else [
            ["python3", "-m", "pip"],
            ["pip"],
            [sys.executable, "-m", "pip"],
        ]
    )
    for candidate in candidates:
        try:
            if run([*candidate, "--version"], environment=NEUTRAL).status == 0:
                return candidate
        except (MissingProgramError, PermissionError):
            continue
    return None


def tags_of(file: str) -> frozenset[Tag]:
    """Return the tags in a wheel's name: which interpreters and machines it is for."""
    from packaging.utils import parse_wheel_filename

    return parse_wheel_filename(file)[3]


def pip_options(file: str) -> list[str]:
    """Return pip's options for a machine that takes a wheel, whichever machine this is.

    The lowest minor version of an abi3 wheel is enough, since it is named as the interpreter.
    """
    tags = tags_of(file)
    newest = max((tag.interpreter for tag in tags), key=lambda name: (len(name), name))
    options = []
    named = re.fullmatch(r"([a-z]{2})(\d)(\d*)", newest)
    if named:
        implementation, major, minor = named.groups()
        options += ["--implementation", implementation]
        options += ["--python-version", f"{major}.{minor}" if minor else major]
    for abi in sorted({tag.abi for tag in tags}):
        options += ["--abi", abi]
    for platform in sorted({tag.platform for tag in tags}):
        options += ["--platform", platform]
    return options


def download_command(pip: Sequence[str], wheels: Sequence[Wheel], folder: Path) -> list[str]:
    """Return the command that saves wheels of equal tags; `folder` holds the requirements."""
    return [
        *pip,
        "download",
        "--no-input",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "--only-binary",
        ":all:",
        # The tags decide; an abi3 wheel is asked for under its lowest version.
        "--ignore-requires-python",
        *pip_options(wheels[0].file),
        "--dest",
        str(folder),
        "--requirement",
        str(folder / "requirements.txt"),
    ]


class Pip:
    """The machine's pip, and what was learnt about its indexes in this run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: list[str] | None = None
        self._looked = False
        self._indexes: Indexes | None = None

    def fetch(
        self, wheels: Sequence[Wheel], folder: Path, on_line: OnLine = _ignore
    ) -> dict[Wheel, Path | Refusal]:
        """Save wheels of equal tags: all at once, and one by one if that fails."""
        pip = self._find()
        if pip is None:
            return dict.fromkeys(wheels, _no_pip())
        refusal = self._download(pip, wheels, folder, on_line)
        if refusal is None:
            return {wheel: _saved(wheel, folder) for wheel in wheels}
        if len(wheels) == 1 or refusal.reason is Reason.NO_SPACE:
            return dict.fromkeys(wheels, refusal)
        arrived: dict[Wheel, Path | Refusal] = {}
        for wheel in wheels:
            refusal = self._download(pip, [wheel], folder, on_line)
            arrived[wheel] = refusal or _saved(wheel, folder)
        return arrived

    def _find(self) -> list[str] | None:
        with self._lock:
            if not self._looked:
                self._found, self._looked = find_pip(), True
            return self._found

    def _download(
        self, pip: Sequence[str], wheels: Sequence[Wheel], folder: Path, on_line: OnLine
    ) -> Refusal | None:
        lines = "".join(
            f"{each.project}=={each.version} --hash=sha256:{each.target.sha256}\n"
            for each in wheels
        )
        (folder / "requirements.txt").write_text(lines)
        status, said = self._call(pip, wheels, folder, on_line, patient=False)
        if status != 0 and NO_CONNECTION.search(said):
            with self._lock:
                if self._indexes is None:
                    self._indexes = look_at_indexes(self._ask(pip, wheels[:1], folder))
            status, said = self._call(pip, wheels, folder, on_line, patient=True)
        return None if status == 0 else self._explain(said, wheels[0])

    def _ask(self, pip: Sequence[str], wheels: Sequence[Wheel], folder: Path) -> str:
        """Return what pip has to say about its indexes when it is made to talk."""
        done = run([*download_command(pip, wheels, folder), *TALK], environment=NEUTRAL)
        return f"{done.stdout}\n{done.stderr}"

    def _call(
        self,
        pip: Sequence[str],
        wheels: Sequence[Wheel],
        folder: Path,
        on_line: OnLine,
        *,
        patient: bool,
    ) -> tuple[int, str]:
        """Run pip; an impatient call ends with the first connection that fails."""
        said: list[str] = []
        indexes = self._indexes
        if indexes and indexes.is_useless:
            return 1, NO_MATCH
        keep_on = patient or indexes is not None

        def read(line: str) -> bool:
            said.append(line)
            on_line(line)
            return keep_on or not NO_CONNECTION.search(line)

        argv = [*download_command(pip, wheels, folder), "--retries", "0" if indexes else "1"]
        # Its temporary files lie beside what it saves, where the progress is seen.
        variables = {**NEUTRAL, "TMPDIR": str(folder)}
        variables |= indexes.environment() if indexes else {}
        status = stream(argv, read, environment=variables)
        return status, "\n".join(said)

    def _explain(self, said: str, wheel: Wheel) -> Refusal:
        if "No space left on device" in said:
            return no_space(tempfile.gettempdir())
        other = re.search(r"from (\S+) \(from[^\n]*\n[^\n]*\n\s+Got\s+([0-9a-f]{64})", said)
        if other and PurePosixPath(unquote(urlsplit(other.group(1)).path)).name == wheel.file:
            return wrong_hash("the index that pip uses", other.group(2), LOCK_WHEELS)
        if self._indexes:
            return self._indexes.refuse()
        if other or NO_MATCH in said:
            return Refusal(
                Reason.GONE,
                f"pip does not find {wheel.project} {wheel.version} with this hash",
                "give pip an index or a mirror that has it (`pip config list` shows the present "
                f"ones), or pin what there is with `{LOCK_WHEELS}`",
            )
        errors = re.findall(r"^ERROR: (.*)$", said, re.MULTILINE)
        found = errors[-1] if errors else (said.strip().splitlines() or ["nothing"])[-1]
        return Refusal(
            Reason.OTHER, f"pip says: {found}", "make `pip download` work on this machine"
        )


def _saved(wheel: Wheel, folder: Path) -> Path | Refusal:
    file = folder / wheel.file
    if file.is_file():
        return file
    return Refusal(
        Reason.GONE,
        "pip saved the file under another name",
        f"pin what the index has with `{LOCK_WHEELS}`",
    )


def _no_pip() -> Refusal:
    named = os.environ.get(VARIABLE)
    if named and shutil.which(named) is None:
        return Refusal(
            Reason.NO_TOOL, f"{VARIABLE} names {named}, which is no program", f"correct {VARIABLE}"
        )
    return Refusal(
        Reason.NO_TOOL,
        "there is no pip on this machine",
        f"install it (`apt-get install python3-pip`), or name one in {VARIABLE}",
    )
