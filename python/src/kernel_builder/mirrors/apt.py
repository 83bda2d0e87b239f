"""Pinned Debian packages, through the machine's own apt: its mirrors, proxies and logins.

apt has its package lists in a folder of ours: the machine stays as it is, and no root is needed.
"""

import os
import re
import shlex
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from kernel_builder.machine.process import run
from kernel_builder.mirrors.coordinates import Outcomes, Show, Source, Unasked, quote_complaints
from kernel_builder.mirrors.listening import listen

DOWNLOADER: Final = "_apt"
HELPER: Final = "/usr/lib/apt/apt-helper"
KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
# A mirror that is silent for 10 seconds is asked once more.
NETWORK: Final = ("Acquire::Retries=1", "Acquire::http::Timeout=10", "Acquire::https::Timeout=10")


def is_present() -> bool:
    """Return whether this machine has apt."""
    return shutil.which("apt-get") is not None


def admit_downloader(folder: Path) -> None:
    """Let apt write to a folder. As root it downloads as another user; it would stay root else."""
    folder.chmod(0o711)
    if os.geteuid() == 0:
        with suppress(LookupError):
            shutil.chown(folder, DOWNLOADER)


@dataclass(frozen=True)
class View:
    """apt with a state of its own.

    The file `sources` holds the machine's sources and those that `update` adds.
    """

    options: tuple[str, ...]
    sources: Path

    def argv(self, program: str, *words: str) -> list[str]:
        """Return the command line of one of apt's programs."""
        return [program, *self.options, *words]

    def update(self, suites: Collection[str]) -> str:
        """Fetch what is new in the package lists; return the output of apt.

        Releases of Debian and components of them that the machine does not list come from the
        mirror of those it does. A suite without a component means `main`.
        """
        update = self.argv("apt-get", "update")
        output = listen(update).stdout + "\n"
        form = ("--format", "$(SUITE) $(CODENAME) $(COMPONENT) $(REPO_URI)")
        argv = self.argv("apt-get", "indextargets", *form, "Created-By: Packages", "Origin: Debian")
        lines = [line.split(" ") for line in run(argv).stdout.splitlines()]
        # A release may state no suite or no name.
        listed = [words for words in lines if len(words) == 4]
        # Security updates have another place than releases.
        mirrors = [words[-1] for words in listed if "-" not in words[1]]
        there = {(name, words[2]) for words in listed for name in words[:2]}
        wanted = {(*suite.split("/"), "main")[:2] for suite in suites}
        lacking = sorted(wanted - there)
        if not mirrors or not lacking:
            return output
        signed = f"[signed-by={KEYRING}] " if Path(KEYRING).exists() else ""
        with self.sources.open("a") as file:
            file.writelines(f"deb {signed}{mirrors[0]} {' '.join(pair)}\n" for pair in lacking)
        return listen(update).stdout + "\n"

    def download(self, packages: Sequence[str], folder: Path, show: Show = lambda _: None) -> str:
        """Save packages, each `name=version`, in a folder; return the output of apt."""
        argv = self.argv("apt-get", "download", "--", *packages)
        return listen(argv, show, cwd=folder).stdout

    def download_from_pool(self, name: str, source: Source, file: Path) -> None:
        """Save a version that the lists no longer name, if the mirror still has its file.

        The file lies beside the version that the lists offer for `name`. apt checks its hash.
        """
        argv = self.argv("apt-get", "download", "--print-uris", "--", name)
        listed = re.search(r"'([^']+)/[^/']+'", run(argv, cwd=file.parent).stdout)
        if not listed or not Path(HELPER).exists():
            return
        # A mirror leaves the epoch out of file names.
        version = source.version.rpartition(":")[2]
        url = f"{listed[1]}/{quote(f'{source.package}_{version}_{source.architecture}.deb')}"
        words = ("download-file", "--", url, file.name, f"SHA256:{source.sha256}")
        if run(self.argv(HELPER, *words), cwd=file.parent).status != 0:
            file.unlink(missing_ok=True)


def open_view(architectures: Sequence[str], folder: Path) -> View:
    """Return a view for these architectures (none: the machine's) with its state in a folder."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)
    (folder / "status").touch()
    setting = run(["apt-config", "shell", "place", "Dir::Etc::sourcelist/f"]).stdout
    # Without the setting, apt prints nothing.
    machine = Path("".join(shlex.split(setting)[:1]).partition("=")[2])
    sources = folder / "sources.list"
    sources.write_text(machine.read_text() if machine.is_file() else "")
    settings = [
        *NETWORK,
        *(f"APT::Architecture={each}" for each in architectures[:1]),
        *(f"APT::Architectures::={each}" for each in architectures),
        f"Dir::State={folder}",
        f"Dir::State::lists={folder}/lists",
        f"Dir::State::status={folder}/status",
        f"Dir::Cache={folder}/cache",
        f"Dir::Etc::sourcelist={sources}",
    ]
    return View(tuple(word for each in settings for word in ("-o", each)), sources)


def fetch_debs(debs: Sequence[Source], folder: Path, show: Show) -> Outcomes:
    """Save packages in a folder; `show` gets each line of apt's output."""
    if not is_present():
        yield dict.fromkeys(debs, Unasked("there is no apt on this machine"))
        return
    admit_downloader(folder)
    view = open_view(sorted({deb.architecture for deb in debs} - {"all"}), folder / "apt")
    names, pins, files = {}, {}, {}
    for deb in debs:
        names[deb] = f"{deb.package}:{deb.architecture}".removesuffix(":all")
        pins[deb] = f"{names[deb]}={deb.version}"
        # apt names the file so.
        version = deb.version.replace(":", "%3a")
        files[deb] = folder / f"{deb.package}_{version}_{deb.architecture}.deb"
    output = view.update({deb.suite for deb in debs})
    view.download(list(pins.values()), folder, show)
    yield (arrived := {deb: file for deb, file in files.items() if file.is_file()})
    for deb in [deb for deb in debs if deb not in arrived]:
        # apt saves none if it does not know one of them.
        complaints = quote_complaints("apt", output + view.download([pins[deb]], folder, show))
        if not files[deb].is_file():
            view.download_from_pool(names[deb], deb, files[deb])
        yield {deb: files[deb] if files[deb].is_file() else f"apt lacks {deb.label}{complaints}"}
