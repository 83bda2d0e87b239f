"""Debian packages, through the machine's own apt: with its mirrors, proxies and logins.

A view is one set of package lists. The machine's own lists are asked first; where they do not
help (empty, out of date, another architecture) private lists are fetched from the machine's
sources, so that the machine itself stays as it is and no root is needed.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kernel_builder.machine.process import MissingProgramError, run, stream

HELPER: Final = "/usr/lib/apt/apt-helper"

_UNREACHABLE = re.compile(
    r"(?:Temporary failure resolving|Could not resolve) '(?P<name>[^']+)'"
    r"|(?:Could not connect to|Unable to connect to|Cannot initiate the connection to)"
    r" (?P<place>[^\s:]+)"
    r"|(?P<other>Connection timed out|Connection failed|Connection refused)"
)


@dataclass(frozen=True)
class Listed:
    """A version that package lists offer."""

    version: str
    suite: str


@dataclass(frozen=True)
class Outcome:
    """What became of a call that needs the network."""

    done: bool
    unreachable: str | None
    no_space: bool


def is_present() -> bool:
    """Say whether this machine has apt."""
    return shutil.which("apt-get") is not None


def native_architecture() -> str:
    """Return the machine's architecture in Debian's words."""
    try:
        return run(["dpkg", "--print-architecture"]).stdout.strip()
    except MissingProgramError:
        return ""


@dataclass(frozen=True)
class View:
    """apt with one set of package lists; without options, the machine's own."""

    options: tuple[str, ...] = field(default=())

    def _argv(self, program: str, words: Sequence[str]) -> list[str]:
        # As root, apt would step down to a user that cannot write to the folder.
        root = ["-o", "APT::Sandbox::User=root"] if os.geteuid() == 0 else []
        return [program, *root, *self.options, *words]

    def _network(
        self, argv: Sequence[str], folder: Path, on_line: Callable[[str], None]
    ) -> Outcome:
        said: list[str] = []

        def read(line: str) -> bool:
            said.append(line)
            on_line(line)
            return True

        status = stream(argv, read, cwd=folder)
        text = "\n".join(said)
        dead = _UNREACHABLE.search(text)
        host = (dead["name"] or dead["place"] or "apt's mirror") if dead else None
        return Outcome(status == 0 and not dead, host, "No space left" in text)

    def update(self, folder: Path) -> Outcome:
        """Fetch the package lists of a private view."""
        words = ["-o", "Acquire::Retries=0", "update"]
        return self._network(self._argv("apt-get", words), folder, lambda _: None)

    def list_versions(self, packages: Sequence[str]) -> dict[str, list[Listed]]:
        """Return the versions on offer, best first."""
        if not packages:
            return {}
        listed: dict[str, list[Listed]] = {}
        for line in run(self._argv("apt-cache", ["madison", *packages])).stdout.splitlines():
            package, version, origin = (part.strip() for part in line.split("|"))
            # "ADDRESS SUITE/COMPONENT ARCHITECTURE Packages"
            suite = origin.split()[1].split("/")[0]
            listed.setdefault(package, []).append(Listed(version, suite))
        return listed

    def show(self, specifications: Sequence[str]) -> list[dict[str, str]]:
        """Return the records of `package=version` as fields."""
        text = run(self._argv("apt-cache", ["show", *specifications])).stdout
        records = []
        for paragraph in text.strip().split("\n\n"):
            lines = [line for line in paragraph.splitlines() if line[:1] not in ("", " ")]
            records.append(dict(line.split(": ", 1) for line in lines if ": " in line))
        return records

    def download(
        self, specifications: Sequence[str], folder: Path, on_line: Callable[[str], None]
    ) -> Outcome:
        """Save packages in a folder; those that can be had arrive even if others fail."""
        words = ["-o", "Acquire::Retries=1", "download", *specifications]
        return self._network(self._argv("apt-get", words), folder, on_line)

    def download_from_pool(self, package: str, file: str, sha256: str, folder: Path) -> bool:
        """Save a version that is no longer listed, from where the listed one lies."""
        done = run(self._argv("apt-get", ["download", "--print-uris", package]), cwd=folder)
        listed = re.search(r"'([^']+)/[^/']+'", done.stdout)
        if not listed or not Path(HELPER).exists():
            return False
        words = ["download-file", f"{listed.group(1)}/{quote(file)}", file, f"SHA256:{sha256}"]
        return run(self._argv(HELPER, words), cwd=folder).status == 0


def private_view(architecture: str, folder: Path) -> View:
    """Return a view whose lists are in a folder of its own; `update` fills them."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    settings = {
        "APT::Architecture": architecture,
        "APT::Architectures::": architecture,
        "Dir::State": str(folder),
        "Dir::State::lists": str(folder / "lists"),
        "Dir::State::status": str(folder / "status"),
        "Dir::Cache": str(folder / "cache"),
    }
    return View(tuple(word for key, value in settings.items() for word in ("-o", f"{key}={value}")))
