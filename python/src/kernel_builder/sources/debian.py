"""Pinned Debian packages, through the machine's apt, and what to say of those that it lacks."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from kernel_builder.sources import apt
from kernel_builder.sources.coordinates import Deb, Source
from kernel_builder.sources.refusals import Ends, Refusal, no_space, unreachable


def fetch_debs(debs: Sequence[Deb], folder: Path, on_line: Callable[[str], bool]) -> Ends:
    """Save packages in a folder; return each one's file, or why there is none."""
    if not apt.is_present():
        return dict.fromkeys(debs, _no_apt())
    architectures = sorted({deb.architecture for deb in debs} - {"all"})
    apt.admit_downloader(folder)
    view = apt.open_view(architectures, Path(tempfile.mkdtemp(dir=folder.parent)))
    arrived: dict[Source, Path | Refusal | None] = {}
    dead = _download(view, debs, folder, on_line, arrived)
    rest = [deb for deb in debs if deb not in arrived]
    if rest and not dead:
        # The machine's lists are empty, out of date, or for another architecture or release.
        suites = {deb.suite for deb in rest}
        dead = view.update(suites) or _download(view, rest, folder, on_line, arrived)
    for deb in rest:
        if deb not in arrived and dead:
            arrived[deb] = unreachable(dead, "apt gets no answer")
        elif deb not in arrived:
            arrived[deb] = _from_pool(view, deb, folder)
    return arrived


def _download(
    view: apt.View,
    debs: Sequence[Deb],
    folder: Path,
    on_line: Callable[[str], bool],
    arrived: dict[Source, Path | Refusal | None],
) -> str | None:
    """Save those that are listed; return the host that gave no answer, if any."""
    names = {deb: view.name(deb.package, deb.architecture) for deb in debs}
    listed = view.list_versions(list(names.values()))
    wanted = [d for d in debs if d.version in {one.version for one in listed.get(names[d], [])}]
    if not wanted:
        return None
    said = view.download([f"{names[deb]}={deb.version}" for deb in wanted], folder, on_line)
    for deb in wanted:
        # Named by apt.
        version = deb.version.replace(":", "%3a")
        file = folder / f"{deb.package}_{version}_{deb.architecture}.deb"
        if file.is_file():
            arrived[deb] = file
        elif "No space left" in said:
            arrived[deb] = no_space(str(folder))
    return apt.find_dead_host(said)


def _from_pool(view: apt.View, deb: Deb, folder: Path) -> Path | Refusal:
    """Try the mirror's pool, which may keep a version longer than the lists do."""
    name = view.name(deb.package, deb.architecture)
    # Named by the mirror, which leaves the epoch out.
    file = f"{deb.package}_{deb.version.rpartition(':')[2]}_{deb.architecture}.deb"
    if view.download_from_pool(name, file, deb.sha256, folder):
        return folder / file
    listed = view.list_versions([name]).get(name, [])
    offers = ", ".join(dict.fromkeys(one.version for one in listed))
    if any(one.suite.startswith(deb.suite) for one in listed):
        return Refusal(
            f"the mirror has replaced it: it has {deb.package} {offers}",
            f"pin what the mirror has with `{deb.lock}`",
        )
    found = f"no package {deb.package} for {deb.architecture}"
    if listed:
        found = f"no Debian {deb.suite}; it has {deb.package} {offers} of {listed[0].suite}"
    return Refusal(
        f"this machine's apt has {found}",
        f"add Debian {deb.suite} to apt's sources, or prefetch on a Debian {deb.suite} machine "
        "and bring the sources here with `nix copy`",
    )


def _no_apt() -> Refusal:
    return Refusal(
        "there is no apt on this machine",
        "let this machine reach the address of the file, or run `kernel-builder prefetch` on a "
        "Debian or Ubuntu machine and bring the sources here with `nix copy`",
    )
