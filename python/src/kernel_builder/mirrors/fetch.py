"""Fetches missing sources: through apt and pip, or from their addresses.

A file is added to the store only after its hash was checked, and as soon as it has arrived, so a
run that was broken off is continued by the next one.
"""

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, gettempdir, mkdtemp
from threading import Lock
from typing import Final
from urllib.parse import urlsplit

from kernel_builder import nix
from kernel_builder.machine.files import hash_file
from kernel_builder.machine.threads import run_side_by_side
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import Progress
from kernel_builder.mirrors.apt import fetch_debs
from kernel_builder.mirrors.coordinates import (
    KINDS,
    Group,
    Outcomes,
    Show,
    Source,
    Unasked,
    collect_sources,
)
from kernel_builder.mirrors.refusals import recall_refusals, remember_refusals
from kernel_builder.mirrors.wheels import fetch_wheels
from kernel_builder.nix.errors import MORE_SPACE, is_full
from kernel_builder.nix.log import NixLog
from kernel_builder.settings import current_settings
from kernel_builder.variants.missing import Missing, Refusal
from kernel_builder.variants.table import format_size

DOWNLOADS_AT_ONCE: Final = 4
OFFLINE: Final = Unasked("it is not in the store, and --offline is given")
OTHER_FILE: Final = re.compile("another file|hash mismatch")
_WAYS: Final[Mapping[str, str]] = {
    "deb": "give apt a mirror that has it in Debian {0.suite}",
    "wheel": "give pip an index that has it (`pip config list` shows the present ones)",
    "vendor": "correct its address",
    "kernel": "lock {0.repository} anew (`nix run .#lock-kernels`) if it lost its commit",
    "archive": "fetch {0.url} elsewhere, bring it here, and run nix-prefetch-url --unpack --name "
    "{0.name} --type sha256 file://$PWD/{0.file} {0.sha256}",
}

# The reasons why each way to a source failed.
Refusals = Mapping[Source, Sequence[str]]


def fetch_sources(missing: Missing, only_check: bool = False) -> list[Refusal]:
    """Fetch the sources into the store; return those that cannot be had, now or minutes ago.

    `only_check` asks for none. Raises KernelBuilderError if a source has wrong coordinates, or if
    there is no room for temporary files.
    """
    sources = collect_sources(missing.sources)
    recalled = recall_refusals([each.derivation for each in sources])
    known = [refusal for refusals in recalled.values() for refusal in refusals]
    if only_check:
        return known
    refused = _fetch_missing([each for each in sources if each.derivation not in recalled])
    problems = {each: (each.derivation, _describe(each, refused[each])) for each in refused}
    if lasting := [problems[each] for each in refused if _is_lasting(refused[each])]:
        remember_refusals(lasting, missing)
    return [*known, *problems.values()]


def _is_lasting(reasons: Sequence[str]) -> bool:
    """Return whether an index refused a source, and no full disk or another file was in the way."""
    message = "\n".join(reasons)
    is_asked = any(not isinstance(each, Unasked) for each in reasons)
    return is_asked and not is_full(message) and not OTHER_FILE.search(message)


def _describe(source: Source, reasons: Sequence[str]) -> Problem:
    way = _WAYS[source.kind].format(source)
    fix = f"check the network, {way}, or prefetch elsewhere and bring it here with `nix copy`"
    if OFFLINE in reasons:
        fix = "leave --offline out"
    elif any(map(is_full, reasons)):
        fix = MORE_SPACE
    elif any(map(OTHER_FILE.search, reasons)):
        fix = "do not use that file; if it was replaced on purpose, correct the pin"
    want = f"{source.name}, sha256 {source.sha256}"
    return Problem(source.label, "\n".join(reasons), want, fix)


def _fetch_missing(sources: Sequence[Source]) -> Refusals:
    if not sources or current_settings().offline:
        return {source: [OFFLINE] for source in sources}
    try:
        with closing(Progress()) as line, TemporaryDirectory(prefix="kernel-builder-") as name:
            # apt downloads as another user, and nothing here is a secret.
            Path(name).chmod(0o711)
            return _fetch_all(sources, Path(name), line)
    except OSError as error:
        place, found = gettempdir(), error.strerror or str(error)
        problem = Problem(place, found, "a folder with room for the downloads", MORE_SPACE)
        raise KernelBuilderError(f"sources cannot be kept in {place}", [problem]) from None


def _fetch_all(sources: Sequence[Source], folder: Path, progress: Progress) -> Refusals:
    """Fetch by apt and pip, side by side, then archives, then from the addresses of the others."""
    refused: dict[Source, list[str]] = {source: [] for source in sources}
    turn, arrived = Lock(), [0]

    def count() -> str:
        return f"{len(sources) - len(refused)}/{len(sources)}"

    def show(what: str) -> None:
        with turn:
            size = sum(arrived) + _measure(folder)
            counted = f"{count()}, {format_size(size)}" if size else count()
            progress.show_timed(f"fetching sources {counted}: {what}")

    def fetch(way: Callable[..., Outcomes], chosen: Sequence[Source]) -> None:
        for group in way(chosen, Path(mkdtemp(dir=folder)), show) if chosen else ():
            with turn:
                arrived.extend(_measure(each) for each in group.values() if isinstance(each, Path))
                for source, reason in _add_group(group).items():
                    if reason is None:
                        del refused[source]
                        progress.say(f"[{count()}] fetched {source.label}")
                    else:
                        refused[source].append(reason)

    kinds = {kind: [each for each in sources if each.kind == kind] for kind in KINDS}
    ways = partial(fetch, fetch_debs, kinds["deb"]), partial(fetch, fetch_wheels, kinds["wheel"])
    run_side_by_side(ways, len(ways))
    fetch(_fetch_kernels, kinds["kernel"])
    fetch(_fetch_archives, kinds["archive"])
    fetch(_fetch_files, [each for each in refused if each.url and each.kind != "archive"])
    return refused


def _measure(place: Path) -> int:
    """Return the bytes of a file, or of the files below a folder, which may vanish meanwhile."""
    size = 0
    # pip removes folders of its own; `rglob` would end with one that is gone.
    below = (Path(folder, name) for folder, _, names in os.walk(place) for name in names)
    for path in below if place.is_dir() else (place,):
        with suppress(OSError):
            size += path.lstat().st_size
    return size


def _add_group(group: Group) -> dict[Source, str | None]:
    """Add the files that have the pinned hash; return why a source is not in the store, if so."""
    reasons, files = {}, {}
    for source, outcome in group.items():
        # Nix would start the derivation's builder, which has the network.
        reasons[source] = "its derivation wants it at another path: its outputHashMode is wrong"
        if isinstance(outcome, Path):
            # The store path depends on the name.
            file = outcome.replace(outcome.with_name(source.name))
            sha256 = nix.hash_folder(file, "--base16") if file.is_dir() else hash_file(file)
            if sha256 == source.sha256:
                files[source] = file
            else:
                reasons[source] = f"another file came under this name, sha256 {sha256}"
        elif outcome:
            reasons[source] = outcome
    try:
        nix.add_files([*files.values()])
    except KernelBuilderError as error:
        reasons |= dict.fromkeys(files, f"Nix does not add it: {error}")
    for file in filter(Path.is_file, files.values()):
        file.unlink()
    invalid = nix.find_invalid([source.store_path for source in group])
    return {each: reasons[each] if each.store_path in invalid else None for each in group}


def _fetch_kernels(kernels: Sequence[Source], folder: Path, _: Show) -> Outcomes:
    """Download the files of kernels of the Hub, without a token: the store is open to all."""
    from kernel_builder.hub import client

    hub = client.connect()
    hub.token = False

    def download(kernel: Source, files: Path) -> None:
        remote = client.list_remote(hub, kernel.repository, kernel.commit)
        place = {"repo_id": kernel.repository, "revision": kernel.commit}
        client.download(hub, {**place, "repo_type": client.KERNEL}, remote, files)
        shutil.rmtree(files / ".cache")

    for kernel in kernels:
        # Other commits of a repository have the same name.
        files = Path(mkdtemp(dir=folder), kernel.name)
        outcome: Path | str = files
        try:
            client.retry(partial(download, kernel, files), kernel.repository, "download from")
        except KernelBuilderError as error:
            outcome = str(error)
        yield {kernel: outcome}


def _fetch_files(files: Sequence[Source], _: Path, show: Show) -> Outcomes:
    """Let Nix download files in one call."""
    log = NixLog()

    def read(line: str) -> None:
        log.read(line)
        if transfers := log.transfers.values():
            done, total = map(sum, zip(*transfers))
            show(f"{done / 1e6:.1f}/{total / 1e6:.1f} MB of {len(transfers)} files")

    derivations = [file.derivation for file in files]
    nix.realise(derivations, read, lambda: None, max_jobs=DOWNLOADS_AT_ONCE, **nix.TIMEOUTS)
    logs = {file: "\n".join(log.show_failure(file.derivation)) for file in files}
    yield {file: logs[file].removeprefix("error: ") or "Nix does not say why" for file in files}


def _fetch_archives(archives: Sequence[Source], _folder: Path, _: Show) -> Outcomes:
    """Add trees, out of archives in a folder or from their addresses.

    A tree is pinned by its content, so any archive of it is good.
    """
    folder = current_settings().archives
    for archive in archives:
        names = dict.fromkeys([archive.file, PurePosixPath(urlsplit(archive.url).path).name])
        files = [Path(folder, name).absolute() for name in names if folder and name]
        failures = []
        for url in [*(file.as_uri() for file in files if file.is_file()), archive.url]:
            try:
                nix.fetch_tree(url, archive.name, archive.sha256)
                break
            except KernelBuilderError as error:
                failures.append(f"{url}: {error}")
        yield {archive: "\n".join(failures)}
