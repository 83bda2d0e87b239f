"""Wheels, through the machine's own pip: with its indexes, mirrors, proxies and logins."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from kernel_builder.machine.environment import PIP
from kernel_builder.machine.process import MissingProgramError, listen, run
from kernel_builder.sources.coordinates import Wheel
from kernel_builder.sources.refusals import Ends, Refusal, no_space, unreachable, wrong_hash

if TYPE_CHECKING:
    from packaging.tags import Tag

VARIABLE: Final = "KERNEL_BUILDER_PIP"
INDEX: Final = "the index that pip uses"
SECONDS_FOR_VERSION: Final = 60.0
# Nothing is installed, so a rule of the user's about installing does not hold here.
NEUTRAL: Final = {"PIP_REQUIRE_VIRTUALENV": "0"}
DOWNLOAD: Final = (
    *("download", "--no-input", "--disable-pip-version-check", "--no-deps", "--require-hashes"),
    # Never an archive of sources: to build one runs its code. The tags decide which wheel; an abi3
    # wheel is asked for under its lowest version.
    *("--only-binary", ":all:", "--ignore-requires-python"),
)
# How long pip waits for each of its indexes, and how often it tries again: as long as they answer,
# and once a call has waited in vain.
PATIENT: Final = ("--timeout", "8", "--retries", "1")
IMPATIENT: Final = ("--timeout", "2", "--retries", "0")
SECONDS_IN_VAIN: Final = 8.0
_NOT_THIS_ONE: Final = re.compile("DO NOT MATCH THE HASHES|No matching distribution found")
_ARRIVES: Final = re.compile(r"\s*(Downloading|Using cached|Saved) ")
_BROKEN: Final = re.compile(
    r"connection broken by .*?(?:\[Errno -?\d+\] ([^'\")]+)|(timed out))|(connection broken)"
)


def find_pip() -> list[str] | None:
    """Return how to start pip: the named one, the machine's, or this Python's."""
    named = os.environ.get(VARIABLE)
    # -I: -m alone would run a pip.py of the current folder, which may be a stranger's.
    module = ["-I", "-m", "pip"]
    everywhere = [["python3", *module], ["pip"], [sys.executable, *module]]
    for candidate in [[named]] if named else everywhere:
        try:
            argv = [*candidate, "--version"]
            done = run(argv, environment=NEUTRAL, inherit=PIP, seconds=SECONDS_FOR_VERSION)
            if done.status == 0:
                return candidate
        except (MissingProgramError, OSError):
            continue
    return None


def tags_of(file: str) -> frozenset[Tag]:
    """Return the tags in a wheel's name: which interpreters and machines it is for."""
    from packaging.utils import parse_wheel_filename

    return parse_wheel_filename(file)[3]


def pip_options(files: Iterable[str]) -> list[str]:
    """Return pip's options for a machine that takes these wheels, whichever machine this is.

    The lowest minor version of an abi3 wheel is enough, since it is named as the interpreter.
    """
    tags = {tag for file in files for tag in tags_of(file)}
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


def split_into_calls(wheels: Iterable[Wheel]) -> list[list[Wheel]]:
    """Return what one call of pip can get: for one interpreter, and of no project twice.

    Those that have an address are by themselves: an index may well not have them.
    """
    from packaging.utils import canonicalize_name

    calls: dict[object, list[Wheel]] = {}
    counts: Counter[object] = Counter()
    for wheel in wheels:
        # An interpreter takes abi3 and py3 wheels of older ones, too, and no others.
        own = [tag.interpreter for tag in tags_of(wheel.file) if tag.abi != "abi3"]
        kind = bool(wheel.url), *sorted(name for name in own if not name.startswith("py"))
        project = kind, canonicalize_name(wheel.project)
        calls.setdefault((kind, counts[project]), []).append(wheel)
        counts[project] += 1
    return list(calls.values())


def fetch_wheels(
    wheels: Sequence[Wheel], folder: Path, on_line: Callable[[str], bool] = lambda _: True
) -> Iterator[Ends]:
    """Save wheels in a folder; yield the file of each, or why there is none, as they come."""
    pip = find_pip()
    if pip is None:
        yield dict.fromkeys(wheels, _no_pip())
        return
    call = _Call(pip, folder, on_line)
    for some in split_into_calls(wheels):
        yield call.fetch(some)


@dataclass
class _Call:
    """How pip is called, and where it puts what it gets."""

    pip: Sequence[str]
    folder: Path
    on_line: Callable[[str], bool]
    # Whether an index kept a call waiting, which would be so for each wheel.
    has_waited: bool = False

    def fetch(self, wheels: Sequence[Wheel], fresh: Sequence[str] = ()) -> Ends:
        """Save wheels: all at once, and one by one if that fails.

        Another file, or a page without it, may be what pip kept when its index lied, so it is asked
        for once more with `fresh`, an option that has pip take nothing out of its cache.
        """
        status, said = self._download(wheels, fresh)
        if status == 0:
            return {wheel: self._saved(wheel) for wheel in wheels}
        if "No space left on device" in said:
            return dict.fromkeys(wheels, no_space(tempfile.gettempdir()))
        if len(wheels) == 1 and not fresh and not self.has_waited and _NOT_THIS_ONE.search(said):
            return self.fetch(wheels, ("--no-cache-dir",))
        if len(wheels) == 1:
            return {wheels[0]: self._explain(said, wheels[0])}
        return {wheel: end for each in wheels for wheel, end in self.fetch([each]).items()}

    def _download(self, wheels: Sequence[Wheel], fresh: Sequence[str]) -> tuple[int, str]:
        """Run pip once; return its status and what it says."""
        requirements = self.folder / "requirements.txt"
        # Coordinates have been checked: none of them holds a line break or an option.
        requirements.write_text(
            "".join(f"{w.project}=={w.version} --hash=sha256:{w.sha256}\n" for w in wheels)
        )
        words = [
            *DOWNLOAD,
            *fresh,
            *pip_options(each.file for each in wheels),
            *(IMPATIENT if self.has_waited else PATIENT),
            *("--dest", str(self.folder)),
            *("--requirement", str(requirements)),
        ]
        arrives = False

        def read(line: str) -> bool:
            nonlocal arrives
            arrives = arrives or _ARRIVES.match(line) is not None
            return self.on_line(line)

        # Its temporary files lie beside what it saves, where the progress is seen.
        variables = {**NEUTRAL, "TMPDIR": str(self.folder)}
        begin = time.monotonic()
        done = listen([*self.pip, *words], read, environment=variables, inherit=PIP)
        waited = time.monotonic() - begin > SECONDS_IN_VAIN
        self.has_waited = self.has_waited or (done.status != 0 and waited and not arrives)
        return done.status, done.stdout

    def _saved(self, wheel: Wheel) -> Path | Refusal:
        file = self.folder / wheel.file
        if file.is_file():
            return file
        return Refusal(
            "pip saved the file under another name", f"pin what the index has with `{wheel.lock}`"
        )

    def _explain(self, said: str, wheel: Wheel) -> Refusal:
        other = re.search(r"from (\S+) \(from[^\n]*\n[^\n]*\n\s+Got\s+([0-9a-f]{64})", said)
        if other and PurePosixPath(unquote(urlsplit(other[1]).path)).name == wheel.file:
            return wrong_hash(wheel, INDEX, other[2])
        if silence := explain_silence(said):
            return silence
        if self.has_waited:
            return unreachable(INDEX, "no answer in time")
        if other or "No matching distribution found" in said:
            return _not_found(wheel)
        errors = re.findall(r"^ERROR: (.*)$", said, re.MULTILINE)
        found = errors[-1] if errors else (said.strip().splitlines() or ["nothing"])[-1]
        return Refusal(f"pip says: {found}", "make `pip download` work on this machine")


def explain_silence(said: str) -> Refusal | None:
    """Return the refusal of an index that does not answer, if that is what pip told."""
    broken = _BROKEN.search(said)
    return unreachable(INDEX, broken[1] or broken[2] or "no answer") if broken else None


def _not_found(wheel: Wheel) -> Refusal:
    return Refusal(
        f"pip does not find {wheel.project} {wheel.version} with this hash",
        "give pip an index or a mirror that has it (`pip config list` shows the present ones), or "
        f"pin what there is with `{wheel.lock}`",
    )


def _no_pip() -> Refusal:
    named = os.environ.get(VARIABLE)
    if named and shutil.which(named) is None:
        found = f"{VARIABLE} names {named}, which is no program"
        return Refusal(found, f"correct {VARIABLE}")
    return Refusal(
        "there is no pip on this machine",
        f"install it (`apt-get install python3-pip`), or name one in {VARIABLE}",
    )
