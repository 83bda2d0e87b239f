"""Pinned Debian packages: which of apt's views has them, and what to say if none does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Union

from kernel_builder.sources import apt
from kernel_builder.sources.coordinates import Deb
from kernel_builder.sources.refusals import LOCK_DEBS, Reason, Refusal, no_space, unreachable

Arrived = dict[Deb, Union[Path, Refusal]]


def specify(deb: Deb) -> str:
    """Return the words that make apt take exactly this package."""
    architecture = "" if deb.architecture == "all" else f":{deb.architecture}"
    return f"{deb.package}{architecture}={deb.version}"


def saved_name(deb: Deb) -> str:
    """Return the name that apt gives the file."""
    return f"{deb.package}_{deb.version.replace(':', '%3a')}_{deb.architecture}.deb"


def pool_name(deb: Deb) -> str:
    """Return the name of the file on a mirror, which leaves the epoch out."""
    return f"{deb.package}_{deb.version.rpartition(':')[2]}_{deb.architecture}.deb"


class Debian:
    """The machine's apt, and what was learnt about its mirrors in this run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._native: str | None = None
        self._fresh: dict[str, apt.View] = {}
        self._dead: str | None = None

    def native(self) -> str:
        """Return the machine's architecture."""
        with self._lock:
            if self._native is None:
                self._native = apt.native_architecture()
            return self._native

    def fetch(self, debs: Sequence[Deb], folder: Path, on_line: Callable[[str], None]) -> Arrived:
        """Save packages that one view can hold: equal architectures, or `all`."""
        if not apt.is_present():
            return dict.fromkeys(debs, _no_apt())
        architecture = next(
            (d.architecture for d in debs if d.architecture != "all"), self.native()
        )
        arrived: Arrived = {}
        if architecture == self.native():
            self._from_view(apt.View(), debs, folder, on_line, arrived)
        rest = [deb for deb in debs if deb not in arrived]
        if rest and not self._dead:
            self._from_view(self._fresh_view(architecture), rest, folder, on_line, arrived)
        for deb in debs:
            if deb not in arrived:
                arrived[deb] = self._from_pool(architecture, deb, folder)
        return arrived

    def _from_view(
        self,
        view: apt.View,
        debs: Sequence[Deb],
        folder: Path,
        on_line: Callable[[str], None],
        arrived: Arrived,
    ) -> None:
        listed = view.list_versions([deb.package for deb in debs])
        wanted = [
            d for d in debs if any(d.version == one.version for one in listed.get(d.package, []))
        ]
        if not wanted:
            return
        outcome = view.download([specify(deb) for deb in wanted], folder, on_line)
        if outcome.unreachable:
            self._dead = outcome.unreachable
        for deb in wanted:
            file = folder / saved_name(deb)
            if file.is_file():
                arrived[deb] = file
            elif outcome.no_space:
                arrived[deb] = no_space(str(folder))

    def _fresh_view(self, architecture: str) -> apt.View:
        with self._lock:
            if architecture not in self._fresh:
                folder = self._folder / f"apt-{architecture}"
                view = apt.private_view(architecture, folder)
                outcome = view.update(folder)
                if outcome.unreachable and not any((folder / "lists").glob("*Packages*")):
                    self._dead = outcome.unreachable
                self._fresh[architecture] = view
            return self._fresh[architecture]

    def _from_pool(self, architecture: str, deb: Deb, folder: Path) -> Path | Refusal:
        """Try the mirror's pool, which may keep a version longer than the lists do."""
        if self._dead:
            return unreachable(self._dead, "apt gets no answer")
        view = self._fresh_view(architecture)
        file = pool_name(deb)
        if view.download_from_pool(deb.package, file, deb.target.sha256, folder):
            return folder / file
        return _replaced(deb, view.list_versions([deb.package]).get(deb.package, []))


def _replaced(deb: Deb, listed: Sequence[apt.Listed]) -> Refusal:
    if not listed:
        return Refusal(
            Reason.GONE,
            f"this machine's apt has no package {deb.package} for {deb.architecture}",
            f"add Debian {deb.suite} to apt's sources, or prefetch on a Debian {deb.suite} machine "
            "and bring the sources here with `nix copy`",
        )
    offers = ", ".join(dict.fromkeys(one.version for one in listed))
    if not any(one.suite.startswith(deb.suite) for one in listed):
        return Refusal(
            Reason.GONE,
            f"this machine's apt has no Debian {deb.suite}; it has {deb.package} {offers} "
            f"of {listed[0].suite}",
            f"add Debian {deb.suite} to apt's sources, or prefetch on a Debian {deb.suite} machine "
            "and bring the sources here with `nix copy`",
        )
    return Refusal(
        Reason.GONE,
        f"the mirror has replaced it: it has {deb.package} {offers}",
        f"pin what the mirror has with `{LOCK_DEBS}`",
    )


def _no_apt() -> Refusal:
    return Refusal(
        Reason.NO_TOOL,
        "there is no apt on this machine",
        "let this machine reach the address of the file, or run `kernel-builder prefetch` on a "
        "Debian or Ubuntu machine and bring the sources here with `nix copy`",
    )
