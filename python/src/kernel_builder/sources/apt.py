"""Pinned Debian packages, through the machine's own apt: its mirrors, proxies and logins.

apt works with a state in a folder of ours, which begins as the machine's: lists that are up to date
are not fetched again, the machine stays as it is, and no root is needed.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernel_builder.machine.process import listen, run
from kernel_builder.sources.coordinates import Source
from kernel_builder.sources.refusal import Outcomes, Refusal, quote_complaints, refuse

DOWNLOADER: Final = "_apt"
KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
# For answers that apt reads out of files.
SECONDS: Final = 120.0
# A mirror that is silent for 10 seconds is asked once more.
NETWORK: Final = ("Acquire::Retries=1", "Acquire::http::Timeout=10", "Acquire::https::Timeout=10")


@dataclass(frozen=True)
class Listed:
    """A version that package lists offer."""

    version: str
    suite: str


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
    """apt with package lists of its own; `native` is the architecture that it need not name.

    The file `sources` holds the machine's sources and those that `update` adds.
    """

    options: tuple[str, ...]
    native: str
    sources: Path

    def argv(self, program: str, *words: str) -> list[str]:
        """Return the command line of one of apt's programs."""
        return [program, *self.options, *words]

    def name(self, package: str, architecture: str) -> str:
        """Return a package as apt names it."""
        return package if architecture in ("all", self.native) else f"{package}:{architecture}"

    def update(self, suites: Collection[str]) -> str:
        """Fetch what is new in the package lists; return the output of apt.

        Releases of Debian that the machine does not list come from the mirror of those it does.
        """
        argv = self.argv("apt-get", "update")
        output = listen(argv).stdout
        return listen(argv).stdout if self._add_suites(suites) else output

    def _add_suites(self, suites: Collection[str]) -> bool:
        """Add the releases that are not listed; return whether there are any."""
        form = ("--format", "$(SUITE) $(CODENAME) $(REPO_URI)")
        argv = self.argv("apt-get", "indextargets", *form, "Created-By: Packages", "Origin: Debian")
        listed = [line.split() for line in run(argv, seconds=SECONDS).stdout.splitlines()]
        # Security updates have another place than releases.
        mirrors = [words[-1] for words in listed if "-" not in words[1]]
        lacking = sorted(set(suites).difference(*(words[:2] for words in listed)))
        if not mirrors or not lacking:
            return False
        signed = f"[signed-by={KEYRING}] " if Path(KEYRING).exists() else ""
        with self.sources.open("a") as file:
            file.writelines(f"deb {signed}{mirrors[0]} {suite} main\n" for suite in lacking)
        return True

    def list_versions(self, names: Sequence[str]) -> dict[str, list[Listed]]:
        """Return the versions on offer by name, best first."""
        listed: dict[str, list[Listed]] = {}
        argv = self.argv("apt-cache", "madison", "--", *names)
        for line in run(argv, seconds=SECONDS).stdout.splitlines():
            name, version, origin = (part.strip() for part in line.split("|"))
            # "ADDRESS SUITE/COMPONENT ARCHITECTURE Packages"
            suite = origin.split()[1].split("/")[0]
            listed.setdefault(name, []).append(Listed(version, suite))
        return listed

    def download(
        self,
        specifications: Sequence[str],
        folder: Path,
        on_line: Callable[[str], object] = lambda _: None,
    ) -> str:
        """Save packages, each `name=version`, in a folder; return the output of apt."""
        argv = self.argv("apt-get", "download", "--", *specifications)
        return listen(argv, on_line, cwd=folder).stdout


def open_view(architectures: Sequence[str], folder: Path) -> View:
    """Return a view for these architectures (none: the machine's) with its state in a folder."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)
    (folder / "status").touch()
    for file in _find_setting("Dir::State::lists/d").glob("*_*"):
        (folder / "lists" / file.name).symlink_to(file)
    machine, sources = _find_setting("Dir::Etc::sourcelist/f"), folder / "sources.list"
    sources.write_text(machine.read_text() if machine.is_file() else "")
    native = next(iter(architectures), "")
    settings = [
        *NETWORK,
        *([f"APT::Architecture={native}"] if native else []),
        *(f"APT::Architectures::={each}" for each in architectures),
        f"Dir::State={folder}",
        f"Dir::State::lists={folder}/lists",
        f"Dir::State::status={folder}/status",
        f"Dir::Cache={folder}/cache",
        f"Dir::Etc::sourcelist={sources}",
    ]
    return View(tuple(word for each in settings for word in ("-o", each)), native, sources)


def _find_setting(name: str) -> Path:
    """Return a path of the machine's apt."""
    output = run(["apt-config", "shell", "place", name], seconds=SECONDS).stdout
    return Path(shlex.split(output)[0].partition("=")[2])


def fetch_debs(
    debs: Sequence[Source], folder: Path, show: Callable[[str], object]
) -> Iterator[Outcomes]:
    """Save packages in a folder; yield the file of each, or the reason why there is none.

    `show` gets each line of apt's output.
    """
    if not is_present():
        fix = "prefetch on a Debian or Ubuntu machine and bring the sources here with `nix copy`"
        yield dict.fromkeys(debs, Refusal("there is no apt on this machine", fix))
        return
    admit_downloader(folder)
    view = open_view(sorted({deb.architecture for deb in debs} - {"all"}), folder / "apt")
    names = {deb: view.name(deb.package, deb.architecture) for deb in debs}
    # apt puts the version into the name of the file.
    files = {
        deb: folder / f"{deb.package}_{deb.version.replace(':', '%3a')}_{deb.architecture}.deb"
        for deb in debs
    }

    def download() -> tuple[str, dict[Source, str]]:
        missing = [deb for deb in debs if not files[deb].is_file()]
        listed = view.list_versions([names[deb] for deb in missing])
        offers = {deb: [each.version for each in listed.get(names[deb], [])] for deb in missing}
        wanted = [f"{names[deb]}={deb.version}" for deb in missing if deb.version in offers[deb]]
        output = view.download(wanted, folder, show) if wanted else ""
        return output, {deb: ", ".join(dict.fromkeys(each)) for deb, each in offers.items()}

    output, offers = download()
    missing = [deb for deb in debs if not files[deb].is_file()]
    if missing:
        # The lists of the machine are empty, out of date, or of another architecture or release.
        update = view.update({deb.suite for deb in missing})
        output, offers = download()
        output = f"{update}\n{output}"
    yield {
        deb: file if file.is_file() else _refuse_deb(deb, offers[deb], output)
        for deb, file in files.items()
    }


def _refuse_deb(deb: Source, offered: str, output: str) -> Refusal:
    found = f"apt offers {deb.package} in {offered or 'no version'}"
    if deb.version in offered.split(", ") or not offered:
        found = "\n".join([found, *quote_complaints("apt", output)])
    fix = f"give apt a mirror that has it in Debian {deb.suite}, or prefetch on such a machine "
    return refuse(output, found, f"{fix}and bring the sources here with `nix copy`")
