"""The machine's own apt, with its mirrors, proxies and logins, and with package lists of ours.

They begin as the machine's: what is up to date is not fetched again. The machine itself stays as
it is, and no root is needed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kernel_builder.machine.process import listen, run

HELPER: Final = "/usr/lib/apt/apt-helper"
DOWNLOADER: Final = "_apt"
KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
# For what apt answers out of files.
SECONDS: Final = 120.0
# A file that fails after so many seconds, before any has come, is the last.
PATIENCE: Final = 20.0

_UNREACHABLE = re.compile(
    r"(?:Temporary failure resolving|Could not resolve) '(?P<name>[^']+)'"
    r"|(?:Could not connect to|Unable to connect to|Cannot initiate the connection to)"
    r" (?P<place>[^\s:]+)"
    r"|(?P<other>Connection timed out|Connection failed|Connection refused)"
)
# A list that has come, or is as it was.
_ANSWER = re.compile(r"^(Get|Hit):", re.MULTILINE)


@dataclass(frozen=True)
class Listed:
    """A version that package lists offer."""

    version: str
    suite: str


def is_present() -> bool:
    """Say whether this machine has apt."""
    return shutil.which("apt-get") is not None


def admit_downloader(folder: Path) -> None:
    """Let apt write to a folder: as root, it downloads as another user. Else it would stay root."""
    folder.chmod(0o711)
    if os.geteuid() == 0:
        with suppress(LookupError):
            shutil.chown(folder, DOWNLOADER)


def find_dead_host(said: str) -> str | None:
    """Return who gave no answer, by what apt said."""
    dead = _UNREACHABLE.search(said)
    return (dead["name"] or dead["place"] or "apt's mirror") if dead else None


@dataclass(frozen=True)
class View:
    """apt with one set of package lists; `native` is the architecture that it need not name.

    What is in the file `sources` comes on top of the machine's own.
    """

    options: tuple[str, ...]
    native: str
    sources: Path

    def _argv(self, program: str, *words: str) -> list[str]:
        return [program, *self.options, *words]

    def name(self, package: str, architecture: str) -> str:
        """Return a package as apt names it."""
        return package if architecture in ("all", self.native) else f"{package}:{architecture}"

    def update(self, suites: Collection[str]) -> str | None:
        """Fetch what is new in the package lists; return a dead host if none has an answer.

        Releases of Debian that the machine does not list come from where it has its own.
        """
        dead = self._update()
        return self._update() if dead is None and self._add(suites) else dead

    def _update(self) -> str | None:
        said = run(self._argv("apt-get", "-o", "Acquire::Retries=0", "update"))
        dead = find_dead_host(f"{said.stdout}\n{said.stderr}")
        return None if _ANSWER.search(said.stdout) else dead

    def _add(self, suites: Collection[str]) -> bool:
        """Add the releases that are not listed; say whether that is any."""
        asked = (
            "--format",
            "$(SUITE) $(CODENAME) $(REPO_URI)",
            "Created-By: Packages",
            "Origin: Debian",
        )
        said = run(self._argv("apt-get", "indextargets", *asked), seconds=SECONDS).stdout
        listed = [line.split() for line in said.splitlines()]
        # Security updates have another place than releases.
        mirrors = [words[-1] for words in listed if "-" not in words[1]]
        lacking = sorted(set(suites).difference(*(words[:2] for words in listed)))
        if not mirrors or not lacking:
            return False
        signed = f"[signed-by={KEYRING}] " if Path(KEYRING).exists() else ""
        lines = [f"deb {signed}{mirrors[0]} {suite} main\n" for suite in lacking]
        with self.sources.open("a") as file:
            file.writelines(lines)
        return True

    def list_versions(self, names: Sequence[str]) -> dict[str, list[Listed]]:
        """Return the versions on offer, best first."""
        listed: dict[str, list[Listed]] = {}
        argv = self._argv("apt-cache", "madison", "--", *names)
        for line in run(argv, seconds=SECONDS).stdout.splitlines():
            name, version, origin = (part.strip() for part in line.split("|"))
            # "ADDRESS SUITE/COMPONENT ARCHITECTURE Packages"
            suite = origin.split()[1].split("/")[0]
            listed.setdefault(name, []).append(Listed(version, suite))
        return listed

    def show(self, specifications: Sequence[str]) -> list[dict[str, str]]:
        """Return the records of `package=version` as fields."""
        argv = self._argv("apt-cache", "show", "--", *specifications)
        text = run(argv, seconds=SECONDS).stdout
        records = []
        for paragraph in text.strip().split("\n\n"):
            lines = [line for line in paragraph.splitlines() if line[:1] not in ("", " ")]
            records.append(dict(line.split(": ", 1) for line in lines if ": " in line))
        return records

    def download(
        self,
        specifications: Sequence[str],
        folder: Path,
        on_line: Callable[[str], bool] = lambda _: True,
    ) -> str:
        """Save packages in a folder, those that can be had; return what apt says."""
        heard = silent = False
        given_up = time.monotonic() + PATIENCE

        def read(line: str) -> bool:
            nonlocal heard, silent
            heard = heard or line.startswith("Get:")
            failed = line.startswith(("Ign:", "Err:"))
            # The first file has waited in vain, and every other would wait as long.
            silent = failed and not heard and time.monotonic() > given_up
            return on_line(line) and not silent

        argv = self._argv("apt-get", "-o", "Acquire::Retries=1", "download", "--", *specifications)
        said = listen(argv, read, cwd=folder).stdout
        return f"{said}\nConnection timed out" if silent else said

    def download_from_pool(self, name: str, file: str, sha256: str, folder: Path) -> bool:
        """Save a version that is no longer listed, from where the listed one lies."""
        argv = self._argv("apt-get", "download", "--print-uris", "--", name)
        done = run(argv, cwd=folder, seconds=SECONDS)
        listed = re.search(r"'([^']+)/[^/']+'", done.stdout)
        if not listed or not Path(HELPER).exists():
            return False
        words = [
            "download-file",
            "--",
            f"{listed.group(1)}/{quote(file)}",
            file,
            f"SHA256:{sha256}",
        ]
        return run(self._argv(HELPER, *words), cwd=folder).status == 0


def open_view(architectures: Sequence[str], folder: Path) -> View:
    """Return a view for these architectures (none: the machine's), with its lists in a folder."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)
    (folder / "status").touch()
    for file in _place("Dir::State::lists/d").glob("*_*"):
        (folder / "lists" / file.name).symlink_to(file)
    own, sources = _place("Dir::Etc::sourcelist/f"), folder / "sources.list"
    sources.write_text(own.read_text() if own.is_file() else "")
    native = next(iter(architectures), "")
    settings = [
        *([f"APT::Architecture={native}"] if native else []),
        *(f"APT::Architectures::={each}" for each in architectures),
        f"Dir::State={folder}",
        f"Dir::State::lists={folder}/lists",
        f"Dir::State::status={folder}/status",
        f"Dir::Cache={folder}/cache",
        f"Dir::Etc::sourcelist={sources}",
    ]
    return View(tuple(word for each in settings for word in ("-o", each)), native, sources)


def _place(name: str) -> Path:
    """Return what the machine's apt has under a name."""
    said = run(["apt-config", "shell", "place", name], seconds=SECONDS).stdout
    return Path(shlex.split(said)[0].partition("=")[2])
