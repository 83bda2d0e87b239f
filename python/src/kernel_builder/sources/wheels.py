"""Wheels, through the machine's own pip: with its indexes, mirrors, proxies and logins."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from kernel_builder.machine.process import Finished, MissingProgramError, listen, run
from kernel_builder.sources.coordinates import Wheel
from kernel_builder.sources.indexes import DOWNLOAD, NEUTRAL, Indexes, ask_indexes
from kernel_builder.sources.refusals import Ends, Refusal, no_space, unreachable, wrong_hash

if TYPE_CHECKING:
    from packaging.tags import Tag

VARIABLE: Final = "KERNEL_BUILDER_PIP"
_NOT_THIS_ONE: Final = re.compile("DO NOT MATCH THE HASHES|No matching distribution found")


def find_pip() -> list[str] | None:
    """Return how to start pip: the named one, the machine's, or this Python's."""
    named = os.environ.get(VARIABLE)
    everywhere = [["python3", "-m", "pip"], ["pip"], [sys.executable, "-m", "pip"]]
    for candidate in [[named]] if named else everywhere:
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
    # Those that have an address are what indexes lack.
    example = next((wheel for wheel in wheels if wheel.url), wheels[0])
    indexes = ask_indexes(pip, example.project)
    call = _Call(pip, indexes, folder, on_line)
    absent: Ends = {wheel: _not_found(wheel) for wheel in wheels if indexes.lack(wheel)}
    yield absent
    for some in split_into_calls(wheel for wheel in wheels if wheel not in absent):
        yield call.fetch(some)


@dataclass(frozen=True)
class _Call:
    """How pip is called, and where it puts what it gets."""

    pip: Sequence[str]
    indexes: Indexes
    folder: Path
    on_line: Callable[[str], bool]

    def fetch(self, wheels: Sequence[Wheel], fresh: Sequence[str] = ()) -> Ends:
        """Save wheels: all at once, and one by one if that fails.

        Another file, or a page without it, may be what pip kept when its index lied, so it is asked
        for once more with `fresh`, an option that has pip take nothing out of its cache.
        """
        requirements = self.folder / "requirements.txt"
        requirements.write_text(
            "".join(f"{w.project}=={w.version} --hash=sha256:{w.sha256}\n" for w in wheels)
        )
        words = [
            *DOWNLOAD,
            *fresh,
            "--require-hashes",
            "--only-binary",
            ":all:",
            # The tags decide; an abi3 wheel is asked for under its lowest version.
            "--ignore-requires-python",
            *pip_options(each.file for each in wheels),
            *("--retries", "0" if self.indexes.dead else "1"),
            *("--dest", str(self.folder)),
            *("--requirement", str(requirements)),
        ]
        # Its temporary files lie beside what it saves, where the progress is seen.
        variables = {**NEUTRAL, "TMPDIR": str(self.folder), **self.indexes.variables}
        if self.indexes.is_useless:
            done = Finished(1, "", "")
        else:
            done = listen([*self.pip, *words], self.on_line, environment=variables)
        if done.status == 0:
            return {wheel: self._saved(wheel) for wheel in wheels}
        if "No space left on device" in done.stdout:
            return dict.fromkeys(wheels, no_space(tempfile.gettempdir()))
        if len(wheels) == 1 and not fresh and _NOT_THIS_ONE.search(done.stdout):
            return self.fetch(wheels, ("--no-cache-dir",))
        if len(wheels) == 1:
            return {wheels[0]: self._explain(done.stdout, wheels[0])}
        return {wheel: end for each in wheels for wheel, end in self.fetch([each]).items()}

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
            return wrong_hash(wheel, "the index that pip uses", other[2])
        if dead := self.indexes.dead:
            return unreachable(", ".join(dead), "; ".join(dict.fromkeys(dead.values())))
        if other or "No matching distribution found" in said:
            return _not_found(wheel)
        errors = re.findall(r"^ERROR: (.*)$", said, re.MULTILINE)
        found = errors[-1] if errors else (said.strip().splitlines() or ["nothing"])[-1]
        return Refusal(f"pip says: {found}", "make `pip download` work on this machine")


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
