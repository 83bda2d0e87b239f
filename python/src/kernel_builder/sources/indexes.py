"""Which of pip's indexes are dead, and what the others have: pip is asked once, and tells.

pip asks every index for every wheel, with retries. Without this, a machine that is cut off would
wait for a timeout per wheel, although a folder of wheels next to it may have them all; and each
build would wait for pip to look, wheel by wheel, for those that only their vendor has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from kernel_builder.machine.process import run
from kernel_builder.sources.coordinates import Wheel

# Nothing is installed, so a rule of the user's about installing does not hold here.
NEUTRAL: Final = {"PIP_REQUIRE_VIRTUALENV": "0"}
DOWNLOAD: Final = ("download", "--no-input", "--disable-pip-version-check", "--no-deps")
# Makes pip tell which places it asks, what they list now, and which of them gave no answer, twice.
TALK: Final = ("-vv", "--no-cache-dir", "--retries", "1", "--timeout", "8")

_LOCATION: Final = re.compile(r"^\* (\S+)$", re.MULTILINE)
_DEAD: Final = re.compile(r"^Could not fetch URL (https?://\S+): connection error: (.*)$", re.M)
_LISTED: Final = re.compile(r"/([^/\s]+\.whl)(?=[#\s])")
# Of an index that has nothing of the project it says no less.
_UNREAD: Final = re.compile(r"^Could not fetch URL (?!.*: 404 )", re.MULTILINE)
_FOLDERS: Final = re.compile(r"^Looking in links: (.*)$", re.MULTILINE)
_WHY: Final = re.compile(r"\[Errno -?\d+\] ([^'\")]+?)(?:['\")]| - skipping|$)|(timed out)")


@dataclass(frozen=True)
class Indexes:
    """The hosts that gave no answer, each with why, and how pip goes on without them.

    `variables` keep pip to what is local; `is_useless` says that there is nothing local either.
    `files` are all the wheels of `project` that pip can get, or None if it does not tell.
    """

    dead: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    is_useless: bool = False
    project: str = ""
    files: frozenset[str] | None = None

    def lack(self, wheel: Wheel) -> bool:
        """Return whether it is known that pip cannot get a wheel."""
        return (
            self.files is not None
            and wheel.project == self.project
            and wheel.file not in self.files
        )


def ask_indexes(pip: Sequence[str], project: str) -> Indexes:
    """Return the state of the indexes that pip would look for a project in."""
    # There is no such version, so nothing is fetched.
    argv = [*pip, *DOWNLOAD, *TALK, "--only-binary", ":all:", f"{project}<0.dev0"]
    done = run(argv, environment=NEUTRAL)
    said = f"{done.stdout}\n{done.stderr}"
    indexes = read_indexes(said)
    return indexes if indexes.dead else Indexes(project=project, files=_read_files(said))


def _read_files(said: str) -> frozenset[str] | None:
    """Return the wheels that pip said to be listed and those in its folders, if it said all."""
    listed = {unquote(name) for name in _LISTED.findall(said)}
    folders = [Path(name) for names in _FOLDERS.findall(said) for name in names.split(", ")]
    if not listed or _UNREAD.search(said) or not all(folder.is_dir() for folder in folders):
        return None
    return frozenset(listed | {file.name for folder in folders for file in folder.iterdir()})


def read_indexes(said: str) -> Indexes:
    """Return the state of the indexes from what pip said under TALK."""
    dead = {}
    for url, error in _DEAD.findall(said):
        why = _WHY.search(error)
        said_why = (why[1] or "no answer in time") if why else "no answer"
        dead[urlsplit(url).hostname or url] = said_why
    places = _LOCATION.findall(said)
    remote = {urlsplit(place).hostname for place in places if place.startswith("http")}
    if not dead or remote - set(dead):
        return Indexes(dead)
    # A place is the index with the project behind it.
    folders = [re.sub(r"[^/]+/?$", "", place) for place in places if place.startswith("file:")]
    if not folders:
        return Indexes(dead, {"PIP_NO_INDEX": "1"}, "Looking in links: " not in said)
    return Indexes(
        dead, {"PIP_INDEX_URL": folders[0], "PIP_EXTRA_INDEX_URL": " ".join(folders[1:])}
    )
