"""Wheels, through the machine's own pip: with its indexes, mirrors, proxies and logins."""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from kernel_builder.process import MissingProgramError, run, stream
from kernel_builder.refusal import (
    LOCK_WHEELS,
    Reason,
    Refusal,
    no_space,
    unreachable,
    wrong_hash,
)
from kernel_builder.registries.hosts import probe
from kernel_builder.sources import Wheel
from kernel_builder.wheelname import parse_tags, pip_options

VARIABLE: Final = "KERNEL_BUILDER_PIP"
_NO_CONNECTION = re.compile(r"connection broken by|Failed to establish a new connection")


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
            if run([*candidate, "--version"]).status == 0:
                return candidate
        except (MissingProgramError, PermissionError):
            continue
    return None


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
        *pip_options(parse_tags(wheels[0].file)),
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
        self._dead: dict[str, str] = {}
        self._indexes: list[str] = []

    def fetch(self, wheels: Sequence[Wheel], folder: Path) -> dict[Wheel, Path | Refusal]:
        """Save wheels of equal tags: all at once, and one by one if that fails."""
        pip = self._find()
        if pip is None:
            return dict.fromkeys(wheels, _no_pip())
        refusal = self._download(pip, wheels, folder)
        if refusal is None:
            return {wheel: _saved(wheel, folder) for wheel in wheels}
        if len(wheels) == 1 or refusal.reason is Reason.NO_SPACE:
            return dict.fromkeys(wheels, refusal)
        arrived: dict[Wheel, Path | Refusal] = {}
        for wheel in wheels:
            arrived[wheel] = self._download(pip, [wheel], folder) or _saved(wheel, folder)
        return arrived

    def _find(self) -> list[str] | None:
        with self._lock:
            if not self._looked:
                self._found, self._looked = find_pip(), True
            return self._found

    def _download(
        self, pip: Sequence[str], wheels: Sequence[Wheel], folder: Path
    ) -> Refusal | None:
        lines = "".join(
            f"{each.project}=={each.version} --hash=sha256:{each.target.sha256}\n"
            for each in wheels
        )
        (folder / "requirements.txt").write_text(lines)
        said: list[str] = []
        # The first connection that fails ends pip; after a look at its indexes it starts again.
        knew = bool(self._dead)

        def read(line: str) -> bool:
            said.append(line)
            return knew or not _NO_CONNECTION.search(line)

        command = [*download_command(pip, wheels, folder), *self._limits()]
        status = stream(command, read, environment=self._environment())
        if status == 0:
            return None
        text = "\n".join(said)
        if not knew and _NO_CONNECTION.search(text):
            self._look_at_indexes(text)
            return self._download(pip, wheels, folder)
        return self._explain(text, wheels[0])

    def _look_at_indexes(self, text: str) -> None:
        """Find out which of the indexes that pip names are dead."""
        with self._lock:
            if self._dead:
                return
            named = re.search(r"^Looking in indexes: (.*)$", text, re.MULTILINE)
            self._indexes = named.group(1).split(", ") if named else []
            remote = [index for index in self._indexes if index.startswith("http")]
            for index in remote:
                why = probe(index)
                if why:
                    self._dead[urlsplit(index).hostname or index] = why
            # Something was dead a moment ago; without a culprit the text stays general.
            self._dead = self._dead or {"pip's index": "the connection broke"}
            self._all_dead = len(self._dead) >= len({urlsplit(each).hostname for each in remote})

    def _limits(self) -> list[str]:
        return ["--timeout", "4", "--retries", "0"] if self._dead else ["--retries", "1"]

    def _environment(self) -> dict[str, str]:
        """Return variables that keep pip to local indexes once all others are known to be dead."""
        if not self._dead or not self._all_dead:
            return {}
        local = [index for index in self._indexes if index.startswith("file:")]
        if not local:
            return {"PIP_NO_INDEX": "1"}
        return {"PIP_INDEX_URL": local[0], "PIP_EXTRA_INDEX_URL": " ".join(local)}

    def _explain(self, text: str, wheel: Wheel) -> Refusal:
        if "No space left on device" in text:
            return no_space(os.environ.get("TMPDIR", "/tmp"))
        other = re.search(r"from (\S+) \(from[^\n]*\n[^\n]*\n\s+Got\s+([0-9a-f]{64})", text)
        if other and PurePosixPath(unquote(urlsplit(other.group(1)).path)).name == wheel.file:
            return wrong_hash("the index that pip uses", other.group(2), LOCK_WHEELS)
        if other or "No matching distribution found" in text:
            if self._dead:
                hosts = ", ".join(self._dead)
                return unreachable(hosts, "; ".join(dict.fromkeys(self._dead.values())))
            return Refusal(
                Reason.GONE,
                f"pip does not find {wheel.project} {wheel.version} with this hash",
                "give pip an index or a mirror that has it (`pip config list` shows the present "
                f"ones), or pin what there is with `{LOCK_WHEELS}`",
            )
        errors = re.findall(r"^ERROR: (.*)$", text, re.MULTILINE)
        found = errors[-1] if errors else (text.strip().splitlines() or ["nothing"])[-1]
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
